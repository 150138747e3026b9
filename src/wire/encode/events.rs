//! One event with its address.

use super::text::{self, Writer, list};
use super::{chunk, chunks, parts, snapshots};
use crate::model::{CallId, DeltaKind, Envelope, Event, Intent, MessageId, TurnId, UserMessage};
use crate::wire;
use crate::wire::words::{CONSUMED, DECISIONS, INTENTS, OUTCOMES, STATUSES, STREAMS, name};

/// One event as one JSON object, in the field names of SPEC section 4.
#[must_use]
pub fn event(envelope: &Envelope) -> String {
    let mut out = String::with_capacity(128);
    if let Event::Meta { kind, json } = &envelope.event {
        meta(envelope, kind, json.as_str(), &mut out);
        return out;
    }
    let mut object = Writer::open(&mut out);
    object.text("type", kind(&envelope.event));
    address(envelope, &mut object);
    of_turn(&envelope.event, &mut object);
    object.close();
    out
}

/// A kept event comes out as it came, if it says the same address, else with the address behind it.
fn meta(envelope: &Envelope, kind: &str, json: &str, out: &mut String) {
    if let (Some(known), None) = wire::event(json)
        && known == *envelope
    {
        out.push_str(json);
        return;
    }
    let fields = json.trim_start().strip_prefix('{').and_then(|json| json.trim_end().strip_suffix('}'));
    let mut object = Writer::open(out);
    if let Some(fields) = fields.filter(|fields| !fields.trim().is_empty()) {
        object.raw(fields);
    }
    // Of repeated fields the last one counts.
    object.text("type", kind);
    address(envelope, &mut object);
    object.close();
}

fn address(envelope: &Envelope, object: &mut Writer<'_>) {
    object.text("threadId", envelope.thread.as_str());
    object.opt_number("n", envelope.n);
    object.opt_text("executionId", envelope.execution.as_ref().map(|id| id.as_str()));
}

fn kind(event: &Event) -> &str {
    match event {
        Event::TurnStart { .. } => "turn-start",
        Event::Delta { kind: DeltaKind::Text, .. } => "text-delta",
        Event::Delta { kind: DeltaKind::Reasoning, .. } => "reasoning-delta",
        Event::ReasoningEnd { .. } => "reasoning-end",
        Event::ToolInputStart { .. } => "tool-input-start",
        Event::ToolInputDelta { .. } => "tool-input-delta",
        Event::ToolCall { .. } => "tool-call",
        Event::ToolOutput { .. } => "tool-output",
        Event::ToolResult { .. } => "tool-result",
        Event::ApprovalRequest { .. } => "approval-request",
        Event::ApprovalResolved { .. } => "approval-resolved",
        Event::Part { .. } => "part",
        Event::MessageQueued { .. } => "message-queued",
        Event::MessageConsumed { .. } => "message-consumed",
        Event::MessageCancelled { .. } => "message-cancelled",
        Event::MessageEdited { .. } => "message-edited",
        Event::QueueSnapshot { .. } => "queue-snapshot",
        Event::TurnEnd { .. } => "turn-end",
        Event::Status(_) => "status",
        Event::TurnSealed { .. } => "turn-sealed",
        Event::Ping => "ping",
        Event::Notice { .. } => "notice",
        Event::Error { .. } => "error",
        Event::Snapshot(_) => "snapshot",
        Event::Statuses(_) => "statuses",
        Event::ChunksLoaded(_) => "chunks-loaded",
        Event::LogTruncated { .. } => "log-truncated",
        Event::LogReset { .. } => "log-reset",
        Event::ChunksUpdated { .. } => "chunks-updated",
        Event::ThreadRenamed { .. } => "thread-renamed",
        Event::Meta { kind, .. } => kind,
        Event::Nothing => "nothing",
    }
}

/// The fields of what a turn says.
#[allow(clippy::wildcard_enum_match_arm)] // The three functions are one match; the last one names the rest.
fn of_turn(event: &Event, object: &mut Writer<'_>) {
    match event {
        Event::TurnStart { turn, user, messages } => {
            object.text("turnId", turn.as_str());
            if let Some(user) = user {
                said(user, object.key("user"));
            }
            object.ids("messageIds", messages.iter().map(MessageId::as_str));
        }
        Event::Delta { kind: _, delta, turn, message, part } => {
            text::cut(delta, object.key("delta"));
            in_turn(turn.as_ref(), object);
            object.opt_text("messageId", message.as_ref().map(|id| id.as_str()));
            object.opt_text("partId", part.as_ref().map(|id| id.as_str()));
        }
        Event::ReasoningEnd { metadata, turn } => {
            object.opt_json("metadata", metadata.as_ref());
            in_turn(turn.as_ref(), object);
        }
        Event::Part { part, turn } => {
            object.json("part", &part.json);
            in_turn(turn.as_ref(), object);
        }
        Event::TurnEnd { turn, outcome, error } => {
            object.text("turnId", turn.as_str());
            object.text("outcome", name(OUTCOMES, *outcome));
            object.opt_text("error", error.as_deref());
        }
        Event::TurnSealed { turn, first, last, prev, chunks } => {
            object.text("turnId", turn.as_str());
            object.opt_number("firstSeq", first.map(|seq| seq.0));
            object.opt_number("lastSeq", last.map(|seq| seq.0));
            object.opt_number("prevSeq", prev.map(|seq| seq.0));
            if let Some(chunks) = chunks {
                list(chunks, object.key("chunks"), chunk);
            }
        }
        Event::Notice { message, turn } => {
            object.text("message", message);
            in_turn(turn.as_ref(), object);
        }
        Event::Error { error, status_code, turn } => {
            object.text("error", error);
            object.opt_json("statusCode", status_code.as_ref());
            in_turn(turn.as_ref(), object);
        }
        other => of_call(other, object),
    }
}

/// The fields of what a tool does.
#[allow(clippy::wildcard_enum_match_arm)] // As above.
fn of_call(event: &Event, object: &mut Writer<'_>) {
    match event {
        Event::ToolInputStart { call, name, turn, step } => {
            object.text("callId", call.as_str());
            object.text("name", name);
            in_turn(turn.as_ref(), object);
            object.opt_number("step", step.map(u64::from));
        }
        Event::ToolInputDelta { call, delta, turn } => {
            object.text("callId", call.as_str());
            text::cut(delta, object.key("delta"));
            in_turn(turn.as_ref(), object);
        }
        Event::ToolCall { call, name, arguments, turn, step } => {
            let mut inner = Writer::open(object.key("toolCall"));
            inner.text("id", call.as_str());
            inner.text("name", name);
            inner.json("arguments", arguments);
            inner.close();
            in_turn(turn.as_ref(), object);
            object.opt_number("step", step.map(u64::from));
        }
        Event::ToolOutput { data, stream, call, turn } => {
            text::cut(data, object.key("data"));
            object.text("stream", name(STREAMS, *stream));
            object.opt_text("callId", call.as_ref().map(CallId::as_str));
            in_turn(turn.as_ref(), object);
        }
        Event::ToolResult { call, result, is_error, turn } => {
            let mut inner = Writer::open(object.key("toolResult"));
            inner.text("toolCallId", call.as_str());
            inner.json("result", result);
            inner.flag("isError", *is_error);
            inner.close();
            in_turn(turn.as_ref(), object);
        }
        Event::ApprovalRequest { call, prompt, options, turn } => {
            object.text("callId", call.as_str());
            object.opt_text("prompt", prompt.as_deref());
            object.opt_json("options", options.as_ref());
            in_turn(turn.as_ref(), object);
        }
        Event::ApprovalResolved { call, decision, reason, turn } => {
            object.text("callId", call.as_str());
            object.text("decision", name(DECISIONS, *decision));
            object.opt_text("reason", reason.as_deref());
            in_turn(turn.as_ref(), object);
        }
        other => of_thread(other, object),
    }
}

/// The fields of what stands above turns.
fn of_thread(event: &Event, object: &mut Writer<'_>) {
    match event {
        Event::MessageQueued { message, body, client, intent } => {
            object.text("messageId", message.as_str());
            parts::body(body, "message", object);
            object.opt_text("clientId", client.as_ref().map(|id| id.as_str()));
            self::intent(*intent, object);
        }
        Event::MessageConsumed { messages, reason, turn } => {
            object.all_ids("messageIds", messages.iter().map(MessageId::as_str));
            object.text("reason", name(CONSUMED, *reason));
            in_turn(turn.as_ref(), object);
        }
        Event::MessageCancelled { message } => object.text("messageId", message.as_str()),
        Event::MessageEdited { message, body, rev } => {
            object.text("messageId", message.as_str());
            parts::body(body, "message", object);
            object.opt_number("rev", *rev);
        }
        Event::QueueSnapshot { items, held, version } => {
            list(items, object.key("items"), snapshots::item);
            object.flag("held", *held);
            object.number("version", *version);
        }
        Event::Status(status) => object.text("status", name(STATUSES, *status)),
        Event::Snapshot(snapshot) => snapshots::fields(snapshot, object),
        Event::Statuses(threads) => snapshots::statuses(threads, object.key("statuses")),
        Event::ChunksLoaded(page) => chunks::fields(page, object),
        Event::LogTruncated { from, epoch } => {
            object.number("fromSeq", from.0);
            object.opt_text("epoch", epoch.as_deref());
        }
        Event::LogReset { epoch } => object.text("epoch", epoch),
        Event::ChunksUpdated { chunks } => list(chunks, object.key("chunks"), chunk),
        Event::ThreadRenamed { from, to } => {
            object.text("from", from.as_str());
            object.text("to", to.as_str());
        }
        Event::Ping | Event::Nothing | Event::Meta { .. } => {}
        Event::TurnStart { .. }
        | Event::Delta { .. }
        | Event::ReasoningEnd { .. }
        | Event::Part { .. }
        | Event::TurnEnd { .. }
        | Event::TurnSealed { .. }
        | Event::Notice { .. }
        | Event::Error { .. }
        | Event::ToolInputStart { .. }
        | Event::ToolInputDelta { .. }
        | Event::ToolCall { .. }
        | Event::ToolOutput { .. }
        | Event::ToolResult { .. }
        | Event::ApprovalRequest { .. }
        | Event::ApprovalResolved { .. } => {}
    }
}

fn in_turn(turn: Option<&TurnId>, object: &mut Writer<'_>) {
    object.opt_text("turnId", turn.map(TurnId::as_str));
}

/// Waiting is what a message does where nothing is said.
pub(crate) fn intent(intent: Intent, object: &mut Writer<'_>) {
    match intent {
        Intent::Queue => {}
        Intent::Steer => object.text("intent", name(INTENTS, intent)),
    }
}

fn said(user: &UserMessage, out: &mut String) {
    let mut object = Writer::open(out);
    object.opt_text("messageId", user.message.as_ref().map(MessageId::as_str));
    object.ids("clientIds", user.clients.iter().map(|id| id.as_str()));
    parts::body(&user.body, "text", &mut object);
    object.close();
}
