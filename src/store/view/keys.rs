//! Keys of groups: given at first draw, kept until the group is gone (L6).

use crate::model::{Chunk, ClientId, ExecutionId, MessageId, TurnId, decimal, joined};

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
