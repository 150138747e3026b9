//! Groups and heads as JSON, in the shapes of SPEC section 6 and 7.

use crate::model::{Intent, Part, Role};
use crate::store::{Connection, Group, Head, HeadApproval};
use crate::wire::{
    encode::text::{Writer, list},
    encode::{part, parts},
};

/// A whole group.
pub(super) fn group(group: &Group<'_>, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("key", &group.key);
    fields(group, &mut object);
    parts(&group.parts, object.key("parts"));
    object.close();
}

/// Everything but key and parts.
pub(super) fn meta(group: &Group<'_>, out: &mut String) {
    let mut object = Writer::open(out);
    fields(group, &mut object);
    object.close();
}

fn fields(group: &Group<'_>, object: &mut Writer<'_>) {
    object.text(
        "role",
        match group.role {
            Role::User => "user",
            Role::Assistant | Role::Tool => "assistant",
            Role::System => "system",
        },
    );
    object.text("state", group.state.as_str());
    object.opt_text("turnId", group.turn.as_ref().map(|id| id.as_str()));
    object.opt_text("executionId", group.execution.as_ref().map(|id| id.as_str()));
    object.opt_text("messageId", group.message.as_ref().map(|id| id.as_str()));
    object.opt_text("clientId", group.client.as_ref().map(|id| id.as_str()));
    object.opt_number("seq", group.seq.map(|seq| seq.0));
    object.flag("streaming", group.streaming);
    if let Some(intent) = group.intent {
        object.text("intent", intent_word(intent));
    }
    object.opt_text("error", group.error.as_deref());
}

/// `queue` or `steer`.
pub(super) fn intent_word(intent: Intent) -> &'static str {
    match intent {
        Intent::Queue => "queue",
        Intent::Steer => "steer",
    }
}

/// What a thread shows beside its groups.
pub(super) fn head(head: &Head, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("status", head.status.as_str());
    object.opt_text("turnId", head.turn.as_ref().map(|id| id.as_str()));
    object.flag("held", head.held);
    list(&head.approvals, object.key("approvals"), approval);
    object.flag("hasOlder", head.has_older);
    object.flag("loadingOlder", head.loading_older);
    object.text(
        "connection",
        match head.connection {
            Connection::Connecting => "connecting",
            Connection::Online => "online",
            Connection::Offline => "offline",
        },
    );
    object.opt_text("loadError", head.load_error.as_deref());
    let mut meta = Writer::open(object.key("meta"));
    for (kind, json) in &head.meta {
        // Keys are words of the wire's table: nothing in them needs an escape.
        meta.json(kind, json);
    }
    meta.close();
    object.close();
}

/// The text of a message; its parts too, where it is more than one text.
pub(super) fn body(list: &[Part], object: &mut Writer<'_>) {
    let body = crate::model::Body { parts: list.to_vec() };
    object.text("text", &body.plain());
    if !body.is_plain() {
        parts(list, object.key("parts"));
    }
}

fn approval(approval: &HeadApproval, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("callId", approval.call.as_str());
    object.text("turnId", approval.turn.as_str());
    object.text("name", &approval.name);
    object.opt_text("prompt", approval.prompt.as_deref());
    object.opt_json("options", approval.options.as_ref());
    object.text("state", if approval.answering { "answering" } else { "open" });
    object.close();
}

/// One part.
pub(super) fn one_part(value: &Part, out: &mut String) {
    part(value, out);
}
