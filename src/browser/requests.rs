//! What the store asks for as a request of the server's protocol.

use crate::model::{Decision, ThreadId};
use crate::store::{Action, PendingSend};
use crate::wire::{
    encode::{parts, text::Writer},
    words::{INTENTS, name},
};

/// A request, as the protocol of `turnseal-server` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    pub method: &'static str,
    /// Behind the address of the server.
    pub path: String,
    /// JSON, where it has a body.
    pub body: Option<String>,
}

/// The request for an action in a thread.
#[must_use]
pub fn request(thread: &ThreadId, action: &Action) -> Request {
    let (method, rest, body) = match action {
        Action::LoadChunks { limit, before, covers: _ } => {
            let before = before.map_or_else(String::new, |seq| format!("&before={}", seq.0));
            ("GET", format!("chunks?limit={limit}{before}"), None)
        }
        Action::Send(send) => ("POST", "messages".to_owned(), Some(object(|out| message(send, out)))),
        Action::Stop { turn } => {
            let body = object(|out| out.opt_text("turnId", turn.as_ref().map(|turn| turn.as_str())));
            ("POST", "stop".to_owned(), Some(body))
        }
        Action::CancelQueued(id) => ("DELETE", queue(id.as_str()), None),
        Action::EditQueued(id, text) => ("PATCH", queue(id.as_str()), Some(object(|out| out.text("text", text)))),
        Action::MoveQueued(id, index) => {
            ("PATCH", queue(id.as_str()), Some(object(|out| out.number("index", u64::from(*index)))))
        }
        Action::SendNow(id) => ("PATCH", queue(id.as_str()), Some(object(|out| out.flag("now", true)))),
        Action::ResumeQueue => ("POST", "queue/resume".to_owned(), Some(object(|_| ()))),
        Action::ResolveApproval { call, turn, decision, reason } => {
            let body = object(|out| {
                out.opt_text("turnId", turn.as_ref().map(|turn| turn.as_str()));
                out.text("decision", if *decision == Decision::Approved { "approved" } else { "denied" });
                out.opt_text("reason", reason.as_deref());
            });
            ("POST", format!("approvals/{}", escaped(call.as_str())), Some(body))
        }
        Action::Resync { after: _ } => ("GET", "snapshot".to_owned(), None),
    };
    Request { method, path: format!("/threads/{}/{rest}", escaped(thread.as_str())), body }
}

/// True for what may be asked again without harm (L11: the same client id is the same message). The store itself asks
/// again for pages and snapshots.
#[must_use]
pub fn is_repeatable(action: &Action) -> bool {
    matches!(action, Action::Send(_))
}

fn object(fill: impl FnOnce(&mut Writer<'_>)) -> String {
    let mut out = String::new();
    let mut object = Writer::open(&mut out);
    fill(&mut object);
    object.close();
    out
}

/// Either text or parts: the server takes no message that has both.
fn message(send: &PendingSend, out: &mut Writer<'_>) {
    out.text("clientId", send.client.as_str());
    out.text("intent", name(INTENTS, send.intent));
    if send.body.is_plain() {
        out.text("text", &send.body.plain());
    } else {
        parts(&send.body.parts, out.key("parts"));
    }
}

fn queue(message: &str) -> String {
    format!("queue/{}", escaped(message))
}

/// As `encodeURIComponent` does it.
fn escaped(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
