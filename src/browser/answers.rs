//! What the server said to a request, as the store takes it.

use crate::model::{MessageId, TurnId};
use crate::store::{Action, Answer, Failure, FailureKind, Receipt, ReceiptStatus};
use crate::wire::{chunks, fault::Reading, read::Object, snapshots};

pub(super) const RECEIPTS: &[(&str, ReceiptStatus)] = &[
    ("ok", ReceiptStatus::Ok),
    ("queued", ReceiptStatus::Queued),
    ("returned", ReceiptStatus::Returned),
    ("refused", ReceiptStatus::Refused),
];

/// The answer in a response. What does not fit is a failure of that request, never a lost one.
#[must_use]
pub fn answer(action: &Action, status: u16, text: &str) -> Answer {
    let reading = Reading::default();
    let Ok(object) = Object::top(text, &reading) else { return failed(format!("the server said {status}")) };
    if !(200..300).contains(&status) {
        return failed(refusal(&object).unwrap_or_else(|| format!("the server said {status}")));
    }
    object.check_depth();
    let read = value(&object, action);
    reading
        .settle(read)
        .unwrap_or_else(|fault| failed(format!("the answer was refused: {} {}", fault.field, fault.detail)))
}

/// A failure in the host's words.
#[must_use]
pub(super) fn failed(error: String) -> Answer {
    Answer::Failed(Failure { kind: FailureKind::Failed, error })
}

/// `{code, message}`.
fn refusal(object: &Object<'_>) -> Option<String> {
    object.given("message").filter(|raw| raw.starts_with('"')).map(|_| object.string("message"))
}

fn value(object: &Object<'_>, action: &Action) -> Answer {
    match action {
        Action::LoadChunks { .. } => Answer::Page(chunks::page(object)),
        Action::Send(_) => Answer::Sent(receipt(object)),
        Action::CancelQueued(_) => Answer::Cancelled(object.flag("success")),
        Action::Resync { .. } => {
            let snapshot = Box::new(snapshots::snapshot(object));
            Answer::Snapshot { n: object.opt_number("n"), snapshot }
        }
        Action::ResolveApproval { .. } if object.given("status") != Some("\"ok\"") => Answer::Unknown,
        Action::ResolveApproval { .. }
        | Action::Stop { .. }
        | Action::EditQueued(..)
        | Action::MoveQueued(..)
        | Action::SendNow(_)
        | Action::ResumeQueue => Answer::Done,
    }
}

/// The server's word on a sent message.
pub(super) fn receipt(object: &Object<'_>) -> Receipt {
    Receipt {
        status: object.word("status", RECEIPTS, ReceiptStatus::Refused),
        message: object.opt_id("messageId").map(MessageId::new),
        turn: object.opt_id("turnId").map(TurnId::new),
        n: object.opt_number("n"),
    }
}
