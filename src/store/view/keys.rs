//! Keys of groups: given at first draw, kept until the group is gone (L6).

use crate::model::{Chunk, ClientId, ExecutionId, MessageId, TurnId};

/// The key of a user's row.
pub(in crate::store) fn row_key(clients: &[ClientId], messages: &[MessageId], turn: Option<&TurnId>, n: u64) -> String {
    match (clients.first(), messages.first(), turn) {
        (Some(client), _, _) => format!("u:{client}"),
        (None, Some(message), _) => format!("m:{message}"),
        (None, None, Some(turn)) => format!("t:{}:{n}", escaped(turn.as_str())),
        (None, None, None) => format!("n:{n}"),
    }
}

/// The key of a user chunk that has no name of its own.
pub(in crate::store) fn chunk_key(chunk: &Chunk) -> String {
    format!("c:{}:{}", escaped(chunk.turn.as_str()), chunk.seq.0)
}

/// The key of an assistant's group.
pub(in crate::store) fn assistant_key(turn: &TurnId, execution: Option<&ExecutionId>, number: i64) -> String {
    let execution = execution.map_or_else(String::new, |id| escaped(id.as_str()));
    format!("a:{}:{execution}:{number}", escaped(turn.as_str()))
}

/// The key of a system group.
pub(in crate::store) fn system_key(turn: &TurnId, number: i64) -> String {
    format!("s:{}:{number}", escaped(turn.as_str()))
}

/// Ids are opaque: a colon in one must not make two keys equal.
fn escaped(id: &str) -> String {
    if id.contains([':', '%']) { id.replace('%', "%25").replace(':', "%3A") } else { id.to_owned() }
}
