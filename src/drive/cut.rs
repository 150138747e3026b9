//! What a crash cut short before anything of the answer was written.

use crate::engine::Saved;
use crate::model::{Chunk, ChunkBody, Role, Seq, TurnId};

use super::writer::Writer;

/// Writes a row for each open turn of which the log has only what the user said, before anything else is written.
///
/// Clients may have seen words of such a turn. They let go of them with evidence only, and what a user said is none for
/// an answer (SPEC 5, 5): without a row they would show them for ever (L8).
pub(super) fn mark_bare(saved: &mut Saved, writer: &mut Writer) {
    let marks = marks(saved);
    if !marks.is_empty() {
        writer.keep(marks.clone(), saved.meta.clone(), false);
        saved.chunks.extend(marks);
    }
}

fn marks(saved: &Saved) -> Vec<Chunk> {
    let has = |turn: &TurnId, is_user: bool| {
        saved.chunks.iter().any(|row| row.turn == *turn && (row.role == Role::User) == is_user)
    };
    let is_bare = |turn: &&TurnId| has(turn, true) && !has(turn, false);
    let last = saved.chunks.iter().map(|row| row.seq.0).max().unwrap_or_default();
    // The log gives them their places; until then they stand behind all others.
    saved.meta.open.iter().filter(is_bare).zip(last + 1..).map(|(turn, seq)| mark(turn, Seq(seq))).collect()
}

fn mark(turn: &TurnId, seq: Seq) -> Chunk {
    let text = "The server was restarted before an answer was written.".to_owned();
    Chunk {
        seq,
        turn: turn.clone(),
        execution: None,
        role: Role::System,
        body: ChunkBody::System { kind: "restarted".to_owned(), text },
        step: None,
        message: None,
        messages: Vec::new(),
        clients: Vec::new(),
        created_at: None,
    }
}
