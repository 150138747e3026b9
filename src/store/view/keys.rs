//! Keys of groups: given at first draw, kept until the group is gone (L6).

use crate::model::{Chunk, ChunkBody, ClientId, ExecutionId, MessageId, Role, Seq, TurnId, decimal, joined};

use super::Group;
use crate::store::flat::Set;
use crate::store::log::Log;

/// A run of chunks of one turn that is one group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::store) struct Run {
    pub(in crate::store) track: Track,
    pub(in crate::store) first: Seq,
    pub(in crate::store) last: Seq,
}

/// Groups of a turn are counted by track.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::store) enum Track {
    Assistant(Option<ExecutionId>),
    System,
}

impl Track {
    /// The track of a drawn group; users have none.
    pub(in crate::store) fn of(group: &Group<'_>) -> Option<Self> {
        match group.role {
            Role::User => None,
            Role::System => Some(Self::System),
            Role::Assistant | Role::Tool => Some(Self::Assistant(group.execution.clone())),
        }
    }
}

/// The bases that count `sealed` runs from the end of what was `shown`: the window holds only the end of the turn.
pub(in crate::store) fn aligned(shown: &[Track], sealed: &[Run]) -> Bases {
    let tracks: Set<&Track> = sealed.iter().map(|run| &run.track).collect();
    let count = |track: &Track| index(shown.iter().filter(|known| *known == track).count());
    let bases = tracks.into_iter().map(|track| {
        let runs = index(sealed.iter().filter(|run| run.track == *track).count());
        (track.clone(), count(track) - runs)
    });
    bases.filter(|(_, base)| *base > 0).collect()
}

/// Where counting begins, by track. Absent: 0.
pub(in crate::store) type Bases = Vec<(Track, i64)>;

/// The runs of a turn's chunks, in order of their first chunk. User chunks end runs; a result whose call is in the window
/// joins its call and never opens a run.
pub(in crate::store) fn runs(log: &Log, turn: &TurnId) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for chunk in log.chunks_of(turn).filter(|chunk| is_drawn(chunk)) {
        if chunk.role == Role::Tool
            && let Some(call) = log.call_of(chunk.seq)
        {
            if let Some(run) = runs.iter_mut().rev().find(|run| run.first <= call && call <= run.last) {
                run.last = run.last.max(chunk.seq);
            }
            continue;
        }
        let track = match chunk.role {
            Role::User => {
                open.clear();
                continue;
            }
            Role::System => Track::System,
            Role::Assistant | Role::Tool => Track::Assistant(chunk.execution.clone()),
        };
        // Runs of a system and of assistants end each other; runs of several executions go on side by side.
        open.retain(|&index| {
            runs.get(index).is_some_and(|run| (run.track == Track::System) == (track == Track::System))
        });
        let joins = open.iter().copied().find(|&index| runs.get(index).is_some_and(|run| run.track == track));
        match joins.and_then(|index| runs.get_mut(index)) {
            Some(run) => run.last = chunk.seq,
            None => {
                open.push(runs.len());
                runs.push(Run { track, first: chunk.seq, last: chunk.seq });
            }
        }
    }
    runs
}

/// True for chunks that are drawn at all.
pub(in crate::store) fn is_drawn(chunk: &Chunk) -> bool {
    !matches!(chunk.body, ChunkBody::Usage(_) | ChunkBody::Unknown { .. })
}

/// The bases after a turn's runs changed from `before` to `after`, so that each run that goes on keeps its number.
pub(in crate::store) fn rebase(bases: &Bases, before: &[Run], after: &[Run]) -> Bases {
    let tracks: Set<&Track> = before.iter().chain(after).map(|run| &run.track).collect();
    let mut out = Bases::new();
    for track in tracks {
        let base = base_of(bases, track);
        let old: Vec<&Run> = before.iter().filter(|run| run.track == *track).collect();
        let new: Vec<&Run> = after.iter().filter(|run| run.track == *track).collect();
        let kept = old.iter().enumerate().find_map(|(k, was)| {
            let j = new.iter().position(|is| is.first <= was.last && was.first <= is.last)?;
            Some(base + index(k) - index(j))
        });
        let base = kept.unwrap_or(base);
        if base != 0 {
            out.push((track.clone(), base));
        }
    }
    out
}

/// Where the counting of a track begins.
pub(in crate::store) fn base_of(bases: &Bases, track: &Track) -> i64 {
    bases.iter().find(|(known, _)| known == track).map_or(0, |(_, base)| *base)
}

/// The key of a user's row.
pub(in crate::store) fn row_key(clients: &[ClientId], messages: &[MessageId], turn: Option<&TurnId>, n: u64) -> String {
    match (clients.first(), messages.first(), turn) {
        (Some(client), _, _) => joined(&["u:", client.as_str()]),
        (None, Some(message), _) => joined(&["m:", message.as_str()]),
        (None, None, Some(turn)) => joined(&["t:", &escaped(turn.as_str()), ":", &decimal(n)]),
        (None, None, None) => joined(&["n:", &decimal(n)]),
    }
}

/// The key of a user chunk that has no name of its own.
pub(in crate::store) fn chunk_key(chunk: &Chunk) -> String {
    joined(&["c:", &escaped(chunk.turn.as_str()), ":", &decimal(chunk.seq.0)])
}

/// The key of an assistant's group.
pub(in crate::store) fn assistant_key(turn: &TurnId, execution: Option<&ExecutionId>, number: i64) -> String {
    let execution = execution.map_or_else(String::new, |id| escaped(id.as_str()));
    joined(&["a:", &escaped(turn.as_str()), ":", &execution, ":", &signed(number)])
}

/// The key of a system group.
pub(in crate::store) fn system_key(turn: &TurnId, number: i64) -> String {
    joined(&["s:", &escaped(turn.as_str()), ":", &signed(number)])
}

/// Ids are opaque: a colon in one must not make two keys equal.
fn escaped(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for char in id.chars() {
        match char {
            ':' => out.push_str("%3A"),
            '%' => out.push_str("%25"),
            _ => out.push(char),
        }
    }
    out
}

/// A number by its digits, with its sign.
fn signed(number: i64) -> String {
    joined(&[if number < 0 { "-" } else { "" }, &decimal(number.unsigned_abs())])
}

fn index(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
