//! Effects and diagnostics as JSON.

use crate::model::Decision;
use crate::store::{Action, Diagnostic, Effect, PendingSend, RequestId, Why};
use crate::wire::{
    Refused,
    encode::text::{Writer, list},
};

use super::groups::{body, intent_word};

/// An effect for the host. Diagnostics, flushes and renames go other ways.
pub(super) fn effect(effect: &Effect, out: &mut String) -> bool {
    let mut object = Writer::open(out);
    match effect {
        Effect::Request { request, thread, action } => {
            object.number("id", request.0);
            object.text("type", action_word(action));
            object.text("threadId", thread.as_str());
            action_fields(action, &mut object);
        }
        Effect::Cancel(RequestId(id)) => {
            object.text("type", "cancel");
            object.number("id", *id);
        }
        Effect::StartTimer { timer, thread, after_ms, why } => {
            object.text("type", "start-timer");
            object.number("timer", timer.0);
            object.text("threadId", thread.as_str());
            object.number("ms", *after_ms);
            object.text(
                "why",
                match why {
                    Why::LoadBackoff => "load-backoff",
                    Why::ResyncBackoff => "resync-backoff",
                },
            );
        }
        Effect::CancelTimer(timer) => {
            object.text("type", "cancel-timer");
            object.number("timer", timer.0);
        }
        Effect::Persist { thread, sends } => {
            object.text("type", "persist");
            object.text("threadId", thread.as_str());
            list(sends, object.key("sends"), |send, out| {
                let mut object = Writer::open(out);
                send_fields(send, &mut object);
                object.close();
            });
        }
        Effect::Renamed { .. } | Effect::Flush(_) | Effect::Report(_) => {
            object.close();
            return false;
        }
    }
    object.close();
    true
}

fn action_word(action: &Action) -> &'static str {
    match action {
        Action::LoadChunks { .. } => "load-chunks",
        Action::Send(_) => "send",
        Action::Stop { .. } => "stop",
        Action::CancelQueued(_) => "cancel-queued",
        Action::EditQueued(..) => "edit-queued",
        Action::MoveQueued(..) => "move-queued",
        Action::SendNow(_) => "send-now",
        Action::ResumeQueue => "resume-queue",
        Action::ResolveApproval { .. } => "resolve-approval",
        Action::Resync { .. } => "resync",
    }
}

fn action_fields(action: &Action, object: &mut Writer<'_>) {
    match action {
        Action::LoadChunks { limit, before, covers: _ } => {
            object.number("limit", u64::from(*limit));
            object.opt_number("before", before.map(|seq| seq.0));
        }
        Action::Send(send) => send_fields(send, object),
        Action::Stop { turn } => object.opt_text("turnId", turn.as_ref().map(|id| id.as_str())),
        Action::CancelQueued(message) | Action::SendNow(message) => object.text("messageId", message.as_str()),
        Action::EditQueued(message, text) => {
            object.text("messageId", message.as_str());
            object.text("text", text);
        }
        Action::MoveQueued(message, index) => {
            object.text("messageId", message.as_str());
            object.number("index", u64::from(*index));
        }
        Action::ResumeQueue => {}
        Action::ResolveApproval { call, turn, decision, reason } => {
            object.text("callId", call.as_str());
            object.opt_text("turnId", turn.as_ref().map(|id| id.as_str()));
            object.text("decision", if *decision == Decision::Approved { "approved" } else { "denied" });
            object.opt_text("reason", reason.as_deref());
        }
        Action::Resync { after } => object.number("after", *after),
    }
}

/// A message that is not known to have arrived.
pub(super) fn send_fields(send: &PendingSend, object: &mut Writer<'_>) {
    object.text("clientId", send.client.as_str());
    body(&send.body.parts, object);
    object.text("intent", intent_word(send.intent));
}

/// A diagnostic of the store.
pub(super) fn diagnostic(diagnostic: &Diagnostic, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("code", diagnostic.code.as_str());
    object.text("threadId", diagnostic.thread.as_str());
    object.text("detail", &diagnostic.detail);
    object.close();
}

/// A refusal of the wire.
pub(super) fn refusal(refused: &Refused, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("code", refused.code);
    object.opt_text("threadId", refused.thread.as_ref().map(|id| id.as_str()));
    object.opt_text("type", refused.kind.as_deref());
    object.opt_text("field", refused.field.as_deref());
    object.text("detail", &refused.detail);
    object.close();
}
