//! A thread put aside and taken up again: what a later store needs to go on where this one was.

use std::sync::Arc;

use crate::model::{
    Chunk, ClientId, ExecutionId, Intent, Json, MessageId, Outcome, Part, Parts, Role, Seq, ThreadId, TurnId,
};

use super::Store;
use super::asks::Out;
use super::flat::by_number;
use super::live::{LiveRow, Owner, RowId, Seal, Slot, Source, TurnPhase};
use super::log::Past;
use super::thread::Thread;

/// A thread at rest. Requests and timers are not part of it: what was open is asked for anew.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Saved {
    /// Generation of the log.
    pub epoch: Option<String>,
    /// True where the window begins where the log begins.
    pub at_start: bool,
    /// The last event number applied.
    pub applied: Option<u64>,
    /// The window, shared with the store that it was saved from.
    pub chunks: Vec<Arc<Chunk>>,
    /// Keys of user groups that were live rows first.
    pub keys: Vec<(Seq, String)>,
    /// Turns that are not folded, in the order of their starts.
    pub turns: Vec<SavedTurn>,
    /// Rows outside of turns, in the order of their coming.
    pub rows: Vec<SavedRow>,
    /// The queue, in order.
    pub queue: Vec<MessageId>,
    /// The count of the last whole queue.
    pub version: Option<u64>,
    /// Whether the queue waits for the user.
    pub held: bool,
    /// Turns that are over.
    pub late: Vec<TurnId>,
    /// Client ids that arrived.
    pub sent: Vec<ClientId>,
    /// What is only shown.
    pub meta: Vec<(String, Json)>,
}

/// A turn that is not folded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedTurn {
    /// The turn.
    pub turn: TurnId,
    /// Whether it has ended; the outcome where one was told.
    pub ended: Option<Option<Outcome>>,
    /// Why it failed.
    pub error: Option<String>,
    /// Whether it is sealed; the last seq where it was told.
    pub sealed: Option<Option<Seq>>,
    /// True where it is drawn from its chunks.
    pub from_chunks: bool,
    /// Its rows, in order.
    pub rows: Vec<SavedRow>,
}

/// A live row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedRow {
    /// Its key; empty for rows of assistants.
    pub key: String,
    /// Its owner.
    pub owner: Owner,
    /// Who speaks.
    pub role: Role,
    /// Its execution.
    pub execution: Option<ExecutionId>,
    /// The server's names for it.
    pub messages: Vec<MessageId>,
    /// The clients' names for it.
    pub clients: Vec<ClientId>,
    /// What it is meant for.
    pub intent: Intent,
    /// Its parts.
    pub parts: Vec<Part>,
    /// True where deltas extend it.
    pub open: bool,
}

impl Store {
    /// A thread put aside. `None` where it is not here.
    #[must_use]
    pub fn save(&self, thread: &ThreadId) -> Option<Saved> {
        self.thread(thread).map(|thread| thread.save())
    }
}

impl Thread {
    pub(super) fn save(&self) -> Saved {
        let turns: Vec<&TurnId> = self.live.turns.keys().collect();
        let turns = by_number(&turns, |turn| self.live.turns.get(turn).map_or(0, |record| record.start));
        let free = |owner: &Owner| match owner {
            Owner::Turn { .. } => false,
            Owner::Sending { .. }
            | Owner::Failed { .. }
            | Owner::Queued { .. }
            | Owner::Starting { .. }
            | Owner::Departed { .. }
            | Owner::Note { .. } => true,
        };
        let rows: Vec<&LiveRow> = self.live.rows().map(|(_, row)| row).filter(|row| free(&row.owner)).collect();
        let rows = by_number(&rows, |row| row.stamp);
        Saved {
            epoch: self.log.epoch.clone(),
            at_start: self.log.past == Past::Start,
            applied: self.cursor.applied,
            chunks: self.log.shared().cloned().collect(),
            keys: self.view.user_keys().map(|(seq, key)| (seq, (**key).to_owned())).collect(),
            turns: turns.into_iter().filter_map(|turn| self.save_turn(turn)).collect(),
            rows: rows.into_iter().map(|row| save_row(row, false)).collect(),
            queue: self.queue.order().cloned().collect(),
            version: self.queue.version,
            held: self.queue.held,
            late: self.late.iter().cloned().map(TurnId::new).collect(),
            sent: self.sent.iter().cloned().map(ClientId::new).collect(),
            meta: self.meta.iter().map(|(kind, json)| (kind.clone(), json.clone())).collect(),
        }
    }

    fn save_turn(&self, turn: &TurnId) -> Option<SavedTurn> {
        let record = self.live.turns.get(turn)?;
        let (ended, error) = match &record.phase {
            TurnPhase::Running => (None, None),
            TurnPhase::Ended { outcome, error } => (Some(*outcome), error.clone()),
        };
        let open = |id: RowId| record.current.iter().any(|(_, current)| *current == id);
        Some(SavedTurn {
            turn: turn.clone(),
            ended,
            error,
            sealed: match &record.seal {
                Seal::Open => None,
                Seal::Sealed { last, .. } => Some(*last),
            },
            from_chunks: record.source == Source::Chunks,
            rows: self.live.rows_of(turn).map(|(id, row)| save_row(row, open(id))).collect(),
        })
    }

    /// Takes up what was saved. What was on its way then is not known to have arrived now.
    pub(super) fn on_saved(&mut self, saved: Saved, out: &mut Out<'_>) {
        self.log.epoch = saved.epoch;
        self.cursor.applied = saved.applied;
        for (seq, key) in saved.keys {
            self.view.keep_key(seq, key);
        }
        for turn in saved.late {
            self.late.add(turn.shared());
        }
        for client in saved.sent {
            self.sent.add(client.shared());
        }
        self.take_shared(saved.chunks, out);
        self.log.past = if saved.at_start { Past::Start } else { Past::Unknown };
        for turn in saved.turns {
            self.take_saved_turn(turn, out);
        }
        for row in saved.rows {
            self.take_saved_row(row);
        }
        self.queue.replace(saved.queue);
        self.queue.version = saved.version;
        self.queue.held = saved.held;
        self.rank_queue();
        self.meta = saved.meta.into_iter().collect();
        self.view.touched.head = true;
        if !self.unfolded().is_empty() {
            self.want_page(out);
        }
    }

    pub(super) fn take_saved_turn(&mut self, saved: SavedTurn, out: &mut Out<'_>) {
        let SavedTurn { turn, ended, error, sealed, from_chunks, rows } = saved;
        if !self.open_turn(&turn) {
            return;
        }
        for row in rows {
            let open = row.open;
            let execution = row.execution.clone();
            let id = self.insert_saved(row);
            if let Some(record) = self.live.turns.get_mut(&turn) {
                record.slots.push(Slot::Row(id));
                if open {
                    record.current.push((execution, id));
                }
            }
        }
        if let Some(record) = self.live.turns.get_mut(&turn) {
            record.source = if from_chunks { Source::Chunks } else { Source::Live };
        }
        if let Some(outcome) = ended {
            self.end_turn(&turn, outcome, error);
        }
        if let Some(last) = sealed {
            self.on_sealed(&turn, last, None, None, out);
        }
    }

    fn take_saved_row(&mut self, mut row: SavedRow) {
        if let Owner::Sending { client } = &row.owner {
            row.owner = Owner::Failed { client: client.clone(), error: "not known to have arrived".to_owned() };
        }
        let note = if let Owner::Note { after } = &row.owner { Some(after.clone()) } else { None };
        let id = self.insert_saved(row);
        if let Some(after) = note {
            self.notes.push(after, id);
        }
        self.place_row(id);
    }

    pub(super) fn insert_saved(&mut self, saved: SavedRow) -> RowId {
        let mut row = self.new_row(saved.key, saved.owner, saved.role, Parts::whole(saved.parts));
        row.execution = saved.execution;
        row.messages = saved.messages;
        row.clients = saved.clients;
        row.intent = saved.intent;
        self.live.insert(row)
    }
}

fn save_row(row: &LiveRow, open: bool) -> SavedRow {
    SavedRow {
        key: row.key.clone(),
        owner: row.owner.clone(),
        role: row.role,
        execution: row.execution.clone(),
        messages: row.messages.clone(),
        clients: row.clients.clone(),
        intent: row.intent,
        parts: row.parts.list().to_vec(),
        open,
    }
}
