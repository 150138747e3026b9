//! Keys of groups: given at first draw, kept until the group is gone (L6).

use crate::model::{Chunk, ClientId, ExecutionId, MessageId, TurnId, decimal, joined};

use super::View;
use crate::store::log::Log;

/// The key of a user's row.
pub(in crate::store) fn row_key(clients: &[ClientId], messages: &[MessageId], turn: Option<&TurnId>, n: u64) -> String {
    match (clients.first(), messages.first(), turn) {
        (Some(client), _, _) => joined(&["u:", client.as_str()]),
        (None, Some(message), _) => joined(&["m:", message.as_str()]),
        (None, None, Some(turn)) => joined(&["t:", &escaped(turn.as_str()), ":", &decimal(n)]),
        (None, None, None) => joined(&["n:", &decimal(n)]),
    }
}

/// The key of a user chunk's group: the key of the row that it took over, else its own name.
pub(super) fn user_chunk(chunk: &Chunk, log: &Log, view: &View) -> String {
    if let Some(key) = view.user_key(chunk.seq) {
        return (**key).to_owned();
    }
    // A name that an earlier row has is none.
    let is_own = |messages: &[MessageId], clients: &[ClientId]| log.user_chunk(messages, clients) == Some(chunk.seq);
    let client = chunk.clients.first().map(std::slice::from_ref).filter(|client| is_own(&[], client));
    let ids: Vec<MessageId> = chunk.message_ids().take(1).cloned().collect();
    let message = Some(ids.as_slice()).filter(|ids| is_own(ids, &[]));
    let named = match (client, message) {
        (None, None) => None,
        (client, message) => Some(row_key(client.unwrap_or_default(), message.unwrap_or_default(), None, 0)),
    };
    named.filter(|key| !view.is_taken(key, chunk.seq)).unwrap_or_else(|| chunk_key(chunk))
}

/// The key of a user chunk that has no name of its own.
fn chunk_key(chunk: &Chunk) -> String {
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
