//! One event by its type.

use super::fault::Fault;
use super::read::Object;
use super::words::{
    CALL, CONSUMED, DECISIONS, FLAT_CALL, INTENTS, OUTCOMES, RESULT_CALL, STATUSES, STREAMS, THREAD, canonical,
};
use super::{Refused, chunks, legacy, parts, refused, snapshots};
use crate::model::{
    CallId, ClientId, Consumed, Decision, DeltaKind, Envelope, Event, ExecutionId, Intent, Json, MessageId, Outcome,
    PartId, Seq, StatusKind, Stream, ThreadId, TurnId, UserMessage,
};

/// Reads one event. Where it is refused, its number still counts.
pub(super) fn event(object: &Object<'_>) -> (Option<Envelope>, Option<Refused>) {
    let thread = object.opt_first_id(THREAD).map_or_else(|| ThreadId::from("main"), ThreadId::new);
    let thread_known = !object.reading().failed();
    let n = object.opt_number("n");
    let placed = !object.reading().failed();
    object.check_depth();
    let kind = object.text("type");
    let execution = object.opt_id("executionId").map(ExecutionId::new);
    let event = if object.reading().failed() { Event::Nothing } else { by_type(object, canonical(&kind)) };
    match object.reading().settle(()) {
        Ok(()) => (Some(Envelope { thread, n, execution, event }), None),
        Err(fault) => {
            let known = thread_known.then(|| thread.clone());
            let counts = placed && n.is_some();
            let nothing = counts.then_some(Envelope { thread, n, execution: None, event: Event::Nothing });
            (nothing, Some(blame(object, fault, known)))
        }
    }
}

fn blame(object: &Object<'_>, fault: Fault, thread: Option<ThreadId>) -> Refused {
    let kind = object.opt_string("type");
    let kind = object.reading().settle(kind).ok().flatten();
    Refused { thread, kind, ..refused(fault) }
}

fn by_type(object: &Object<'_>, kind: &str) -> Event {
    match kind {
        "text-delta" => delta(object, DeltaKind::Text),
        "reasoning-delta" => delta(object, DeltaKind::Reasoning),
        "reasoning-end" => Event::ReasoningEnd { metadata: object.opt_json("metadata"), turn: turn(object) },
        "part" => Event::Part { part: parts::opaque(&object.object("part")), turn: turn(object) },
        "notice" => Event::Notice { message: object.string("message"), turn: turn(object) },
        "error" => Event::Error {
            error: object.string("error"),
            status_code: object.opt_code("statusCode"),
            turn: turn(object),
        },
        other => of_call(object, other),
    }
}

/// What tools do.
fn of_call(object: &Object<'_>, kind: &str) -> Event {
    match kind {
        "tool-input-start" => Event::ToolInputStart {
            call: call(object),
            name: object.string("name"),
            turn: turn(object),
            step: object.opt_small("step"),
        },
        "tool-input-delta" => {
            Event::ToolInputDelta { call: call(object), delta: object.cut("delta"), turn: turn(object) }
        }
        "tool-call" => tool_call(object),
        "tool-output" => Event::ToolOutput {
            data: object.cut("data"),
            stream: object.opt_word("stream", STREAMS).unwrap_or(Stream::Stdout),
            call: object.opt_id("callId").map(CallId::new),
            turn: turn(object),
        },
        "tool-result" => tool_result(object),
        "approval-request" => Event::ApprovalRequest {
            call: call(object),
            prompt: object.opt_string("prompt"),
            options: object.opt_json("options"),
            turn: turn(object),
        },
        "approval-resolved" => Event::ApprovalResolved {
            call: call(object),
            decision: object.word("decision", DECISIONS, Decision::Expired),
            reason: object.opt_string("reason"),
            turn: turn(object),
        },
        other => of_turn(object, other),
    }
}

/// The beginning and the end of turns.
fn of_turn(object: &Object<'_>, kind: &str) -> Event {
    match kind {
        "turn-start" => Event::TurnStart {
            turn: TurnId::new(object.id("turnId")),
            user: object.opt_object("user").map(|user| said(&user)),
            messages: parts::messages(object),
        },
        "turn-end" => Event::TurnEnd {
            turn: TurnId::new(object.id("turnId")),
            outcome: object.word("outcome", OUTCOMES, Outcome::Error),
            error: object.opt_string("error"),
        },
        "turn-sealed" => Event::TurnSealed {
            turn: TurnId::new(object.id("turnId")),
            first: object.opt_seq("firstSeq"),
            last: object.opt_seq("lastSeq"),
            prev: object.opt_seq("prevSeq"),
            chunks: object.opt_each("chunks", chunks::chunk),
        },
        "status" => Event::Status(object.word("status", STATUSES, StatusKind::Error)),
        other => of_queue(object, other),
    }
}

/// Messages that wait.
fn of_queue(object: &Object<'_>, kind: &str) -> Event {
    match kind {
        "message-queued" => Event::MessageQueued {
            message: message(object),
            body: parts::said(object, "message"),
            client: object.opt_id("clientId").map(ClientId::new),
            intent: object.opt_word("intent", INTENTS).unwrap_or(Intent::Queue),
        },
        "message-consumed" => {
            if object.given("messageIds").is_none() {
                object.missing("messageIds");
            }
            Event::MessageConsumed {
                messages: parts::messages(object),
                reason: object.opt_word("reason", CONSUMED).unwrap_or(Consumed::Interrupt),
                turn: turn(object),
            }
        }
        "message-cancelled" => Event::MessageCancelled { message: message(object) },
        "message-edited" => Event::MessageEdited {
            message: message(object),
            body: parts::said(object, "message"),
            rev: object.opt_number("rev"),
        },
        "queue-snapshot" => Event::QueueSnapshot {
            items: object.each("items", snapshots::item),
            held: object.flag("held"),
            version: object.number("version"),
        },
        other => of_thread(object, other),
    }
}

/// The thread as a whole, and its log.
fn of_thread(object: &Object<'_>, kind: &str) -> Event {
    match kind {
        "ping" => {
            object.number("n");
            Event::Ping
        }
        "snapshot" => Event::Snapshot(Box::new(snapshots::snapshot(object))),
        "statuses" => Event::Statuses(legacy::statuses(object)),
        "chunks-loaded" => Event::ChunksLoaded(chunks::page(object)),
        "log-truncated" => Event::LogTruncated { from: Seq(object.number("fromSeq")), epoch: chunks::epoch(object) },
        "log-reset" => Event::LogReset { epoch: object.id("epoch").as_ref().to_owned() },
        "chunks-updated" => Event::ChunksUpdated { chunks: object.each("chunks", chunks::chunk) },
        "thread-renamed" => {
            Event::ThreadRenamed { from: ThreadId::new(object.id("from")), to: ThreadId::new(object.id("to")) }
        }
        "usage" | "task-list-update" | "model-changed" | "permission-prompt" | "tab-created" | "done"
        | "config-reload" => Event::Meta { kind: kind.to_owned(), json: Json::new(object.whole()) },
        _ => {
            object.unknown_type();
            Event::Nothing
        }
    }
}

fn delta(object: &Object<'_>, kind: DeltaKind) -> Event {
    Event::Delta {
        kind,
        delta: object.cut("delta"),
        turn: turn(object),
        message: object.opt_id("messageId").map(MessageId::new),
        part: object.opt_id("partId").map(PartId::new),
    }
}

/// `toolCall{id, name, arguments}`, or the same fields flat.
fn tool_call(object: &Object<'_>) -> Event {
    let inner = object.opt_object("toolCall");
    // A flat `id` may name the event; only `callId` names the call.
    let (from, names) = match &inner {
        Some(inner) => (inner, CALL),
        None => (object, FLAT_CALL),
    };
    if inner.is_none() && object.opt_id("callId").is_none() {
        object.missing("toolCall");
    }
    Event::ToolCall {
        call: CallId::new(from.first_id(names)),
        name: from.string("name"),
        arguments: from.json("arguments"),
        turn: turn(object),
        step: object.opt_small("step"),
    }
}

/// `toolResult{toolCallId, result, isError?}`, or the same fields flat.
fn tool_result(object: &Object<'_>) -> Event {
    let inner = object.opt_object("toolResult");
    if inner.is_none() && object.opt_first_id(RESULT_CALL).is_none() {
        object.missing("toolResult");
    }
    let from = inner.as_ref().unwrap_or(object);
    Event::ToolResult {
        call: CallId::new(from.first_id(RESULT_CALL)),
        result: from.json("result"),
        is_error: from.opt_flag("isError").unwrap_or(false),
        turn: turn(object),
    }
}

fn said(user: &Object<'_>) -> UserMessage {
    UserMessage {
        message: user.opt_id("messageId").map(MessageId::new),
        clients: parts::clients(user),
        body: parts::said(user, "text"),
    }
}

fn turn(object: &Object<'_>) -> Option<TurnId> {
    object.opt_id("turnId").map(TurnId::new)
}

fn call(object: &Object<'_>) -> CallId {
    CallId::new(object.id("callId"))
}

fn message(object: &Object<'_>) -> MessageId {
    MessageId::new(object.id("messageId"))
}
