//! Commands, answers and host inputs from JSON.

use crate::model::{Body, CallId, ClientId, Decision, Intent, MessageId, ThreadId, TurnId, joined};
use crate::store::{
    Action, Answer, Command, Connection, Failure, FailureKind, Input, PendingSend, Receipt, ReceiptStatus, TimerId,
};
use crate::wire::{chunks, fault::Fault, parts, read::Object, snapshots, words::INTENTS};

const RECEIPTS: &[(&str, ReceiptStatus)] = &[
    ("ok", ReceiptStatus::Ok),
    ("queued", ReceiptStatus::Queued),
    ("returned", ReceiptStatus::Returned),
    ("refused", ReceiptStatus::Refused),
];

const FAILURES: &[(&str, FailureKind)] = &[
    ("failed", FailureKind::Failed),
    ("timeout", FailureKind::Timeout),
    ("unsupported", FailureKind::Unsupported),
    ("aborted", FailureKind::Aborted),
];

/// A command or a host input. `None`: a type that is not known here.
pub(super) fn input(object: &Object<'_>) -> Option<Input> {
    let kind = object.text("type");
    let connection = match &*kind {
        "online" | "reconnected" => Some(Connection::Online),
        "offline" => Some(Connection::Offline),
        "connecting" => Some(Connection::Connecting),
        _ => None,
    };
    if let Some(connection) = connection {
        return Some(Input::Connection(connection));
    }
    let thread = ThreadId::new(object.id("threadId"));
    command(&kind, object).map(|command| Input::Command { thread, command })
}

fn command(kind: &str, object: &Object<'_>) -> Option<Command> {
    let message = || MessageId::new(object.id("messageId"));
    let decide = |decision| Command::Decide {
        call: CallId::new(object.id("callId")),
        decision,
        reason: object.opt_string("reason"),
    };
    Some(match kind {
        "open" => Command::Open,
        "send" => {
            let PendingSend { client, body, intent } = send(object);
            Command::Send { client, body, intent }
        }
        "stop" => Command::Stop,
        "cancel-queued" => Command::CancelQueued(message()),
        "edit-queued" => Command::EditQueued(message(), object.string("text")),
        "move-queued" => {
            let index = object.number("index");
            Command::MoveQueued(message(), u32::try_from(index).unwrap_or(u32::MAX))
        }
        "send-now" => Command::SendNow(message()),
        "resume-queue" => Command::ResumeQueue,
        "approve" => decide(Decision::Approved),
        "deny" => decide(Decision::Denied),
        "retry" => Command::Retry(ClientId::new(object.id("clientId"))),
        "dismiss" => Command::Dismiss(object.string("key")),
        "load-older" => Command::LoadOlder,
        "scrolled-up" => Command::ScrolledUp(object.flag("value")),
        "restore" => Command::Restore(object.each("sends", send)),
        _ => return None,
    })
}

fn send(object: &Object<'_>) -> PendingSend {
    let body: Body = parts::said(object, "text");
    PendingSend {
        client: ClientId::new(object.id("clientId")),
        body,
        intent: object.opt_word("intent", INTENTS).unwrap_or(Intent::Queue),
    }
}

/// A timer that is due.
pub(super) fn timer(object: &Object<'_>) -> Input {
    Input::TimerFired { timer: TimerId(object.number("timer")) }
}

/// The answer to an effect. A value that does not fit is a failure of that effect, never a lost one.
pub(super) fn answer(object: &Object<'_>, action: &Action) -> Answer {
    let read = if object.flag("ok") {
        value(object, action)
    } else {
        Answer::Failed(Failure {
            kind: object.opt_word("code", FAILURES).unwrap_or(FailureKind::Failed),
            error: object.opt_string("error").unwrap_or_else(|| "failed".to_owned()),
        })
    };
    object.reading().settle(read).unwrap_or_else(|fault: Fault| {
        let error = joined(&["the answer was refused: ", &fault.field, " ", fault.detail]);
        Answer::Failed(Failure { kind: FailureKind::Failed, error })
    })
}

fn value(object: &Object<'_>, action: &Action) -> Answer {
    match action {
        Action::LoadChunks { .. } => {
            let page = object.object("value");
            page.check_depth();
            Answer::Page(chunks::page(&page))
        }
        Action::Send(_) => {
            let value = object.object("value");
            Answer::Sent(Receipt {
                status: value.word("status", RECEIPTS, ReceiptStatus::Refused),
                message: value.opt_id("messageId").map(MessageId::new),
                turn: value.opt_id("turnId").map(TurnId::new),
                n: value.opt_number("n"),
            })
        }
        Action::CancelQueued(_) => Answer::Cancelled(object.object("value").flag("success")),
        Action::Resync { .. } => {
            let value = object.object("value");
            value.check_depth();
            let snapshot = Box::new(snapshots::snapshot(&value));
            Answer::Snapshot { n: value.opt_number("n"), snapshot }
        }
        Action::ResolveApproval { .. } => {
            let unknown = match object.given("value") {
                Some(raw) if raw.starts_with('{') => is_unknown(&object.object("value")),
                Some(raw) => raw == "false",
                None => false,
            };
            if unknown { Answer::Unknown } else { Answer::Done }
        }
        Action::Stop { .. }
        | Action::EditQueued(..)
        | Action::MoveQueued(..)
        | Action::SendNow(_)
        | Action::ResumeQueue => Answer::Done,
    }
}

/// A server that does not know the call says `success: false`, `found: false` or a status that is not `ok`.
fn is_unknown(value: &Object<'_>) -> bool {
    let says_no = |name: &str| value.given(name) == Some("false");
    says_no("success") || says_no("found") || value.given("status").is_some_and(|status| status != "\"ok\"")
}
