//! One event by its type.

use super::read::{Fault, Object, Read};
use super::words::{CALL, CONSUMED, DECISIONS, INTENTS, OUTCOMES, RESULT_CALL, STATUSES, STREAMS, THREAD, canonical};
use super::{Refused, chunks, legacy, parts, refused, snapshots};
use crate::model::{
    CallId, ClientId, Consumed, DeltaKind, Envelope, Event, ExecutionId, Intent, Json, MessageId, PartId, Seq, Stream,
    ThreadId, TurnId, UserMessage,
};

/// Reads one event. Where it is refused, its number still counts.
pub(super) fn event(object: &Object<'_>) -> (Option<Envelope>, Option<Refused>) {
    let thread = thread(object);
    let n = object.opt_number("n");
    let fault = match whole(object) {
        Ok((execution, event)) => match (thread, n) {
            (Ok(thread), Ok(n)) => return (Some(Envelope { thread, n, execution, event }), None),
            (Ok(thread), Err(fault)) => return (None, Some(blame(object, fault, Some(thread)))),
            (Err(fault), Ok(_) | Err(_)) => return (None, Some(blame(object, fault, None))),
        },
        Err(fault) => fault,
    };
    let thread = thread.ok();
    let envelope = match (&thread, n) {
        (Some(thread), Ok(Some(n))) => {
            Some(Envelope { thread: thread.clone(), n: Some(n), execution: None, event: Event::Nothing })
        }
        (Some(_) | None, Ok(_) | Err(_)) => None,
    };
    (envelope, Some(blame(object, fault, thread)))
}

/// The thread of an event: `main` where it names none.
pub(super) fn thread(object: &Object<'_>) -> Read<ThreadId> {
    Ok(object.first_id(THREAD)?.map_or_else(|| ThreadId::from("main"), ThreadId::new))
}

fn blame(object: &Object<'_>, fault: Fault, thread: Option<ThreadId>) -> Refused {
    Refused { thread, kind: object.string("type").ok(), ..refused(fault) }
}

fn whole(object: &Object<'_>) -> Read<(Option<ExecutionId>, Event)> {
    object.check_depth()?;
    let kind = object.text("type")?;
    let event = by_type(object, canonical(&kind))?;
    Ok((object.opt_id("executionId")?.map(ExecutionId::new), event))
}

fn by_type(object: &Object<'_>, kind: &str) -> Read<Event> {
    match kind {
        "text-delta" => delta(object, DeltaKind::Text),
        "reasoning-delta" => delta(object, DeltaKind::Reasoning),
        "reasoning-end" => Ok(Event::ReasoningEnd { metadata: object.opt_json("metadata"), turn: turn(object)? }),
        "tool-input-start" => Ok(Event::ToolInputStart {
            call: call(object)?,
            name: object.string("name")?,
            turn: turn(object)?,
            step: object.opt_small("step")?,
        }),
        "tool-input-delta" => {
            Ok(Event::ToolInputDelta { call: call(object)?, delta: object.cut("delta")?, turn: turn(object)? })
        }
        "tool-call" => tool_call(object),
        "tool-output" => tool_output(object),
        "tool-result" => tool_result(object),
        "approval-request" => Ok(Event::ApprovalRequest {
            call: call(object)?,
            prompt: object.opt_string("prompt")?,
            options: object.opt_json("options"),
            turn: turn(object)?,
        }),
        "approval-resolved" => Ok(Event::ApprovalResolved {
            call: call(object)?,
            decision: object.word("decision", DECISIONS)?,
            reason: object.opt_string("reason")?,
            turn: turn(object)?,
        }),
        "part" => part(object),
        "notice" => Ok(Event::Notice { message: object.string("message")?, turn: turn(object)? }),
        "error" => Ok(Event::Error {
            error: object.string("error")?,
            status_code: object.opt_code("statusCode")?,
            turn: turn(object)?,
        }),
        other => of_turn(object, other),
    }
}

/// The beginning and the end of turns.
fn of_turn(object: &Object<'_>, kind: &str) -> Read<Event> {
    match kind {
        "turn-start" => Ok(Event::TurnStart {
            turn: needed_turn(object)?,
            user: object
                .opt_object("user")?
                .map(|user| said(&user))
                .transpose()
                .map_err(|fault| fault.under("user"))?,
            messages: messages(object)?.unwrap_or_default(),
        }),
        "turn-end" => Ok(Event::TurnEnd {
            turn: needed_turn(object)?,
            outcome: object.word("outcome", OUTCOMES)?,
            error: object.opt_string("error")?,
        }),
        "turn-sealed" => Ok(Event::TurnSealed {
            turn: needed_turn(object)?,
            first: object.opt_seq("firstSeq")?,
            last: object.opt_seq("lastSeq")?,
            prev: object.opt_seq("prevSeq")?,
            chunks: object.opt_each("chunks", chunks::chunk)?,
        }),
        "status" => Ok(Event::Status(object.word("status", STATUSES)?)),
        other => of_queue(object, other),
    }
}

/// Messages that wait.
fn of_queue(object: &Object<'_>, kind: &str) -> Read<Event> {
    match kind {
        "message-queued" => Ok(Event::MessageQueued {
            message: message(object)?,
            body: parts::said(object, "message")?,
            client: object.opt_id("clientId")?.map(ClientId::new),
            intent: object.opt_word("intent", INTENTS)?.unwrap_or(Intent::Queue),
        }),
        "message-consumed" => Ok(Event::MessageConsumed {
            messages: messages(object)?.ok_or_else(|| Fault::missing("messageIds"))?,
            reason: object.opt_word("reason", CONSUMED)?.unwrap_or(Consumed::Interrupt),
            turn: turn(object)?,
        }),
        "message-cancelled" => Ok(Event::MessageCancelled { message: message(object)? }),
        "message-edited" => Ok(Event::MessageEdited {
            message: message(object)?,
            body: parts::said(object, "message")?,
            rev: object.opt_number("rev")?,
        }),
        "queue-snapshot" => Ok(Event::QueueSnapshot {
            items: object.each("items", snapshots::item)?,
            held: object.flag("held")?,
            version: object.number("version")?,
        }),
        other => of_thread(object, other),
    }
}

/// The thread as a whole, and its log.
fn of_thread(object: &Object<'_>, kind: &str) -> Read<Event> {
    match kind {
        "ping" => object.number("n").map(|_| Event::Ping),
        "snapshot" => snapshots::snapshot(object).map(|snapshot| Event::Snapshot(Box::new(snapshot))),
        "statuses" => legacy::statuses(object).map(Event::Statuses),
        "chunks-loaded" => chunks::page(object).map(Event::ChunksLoaded),
        "log-truncated" => {
            Ok(Event::LogTruncated { from: Seq(object.number("fromSeq")?), epoch: chunks::epoch(object)? })
        }
        "log-reset" => Ok(Event::LogReset { epoch: chunks::epoch(object)?.ok_or_else(|| Fault::missing("epoch"))? }),
        "chunks-updated" => Ok(Event::ChunksUpdated { chunks: object.each("chunks", chunks::chunk)? }),
        "thread-renamed" => {
            Ok(Event::ThreadRenamed { from: ThreadId::new(object.id("from")?), to: ThreadId::new(object.id("to")?) })
        }
        "usage" | "task-list-update" | "model-changed" | "permission-prompt" | "tab-created" | "done"
        | "config-reload" => Ok(Event::Meta { kind: kind.to_owned(), json: Json::new(object.whole()) }),
        _ => Err(Fault::unknown_type("type")),
    }
}

fn delta(object: &Object<'_>, kind: DeltaKind) -> Read<Event> {
    Ok(Event::Delta {
        kind,
        delta: object.cut("delta")?,
        turn: turn(object)?,
        message: object.opt_id("messageId")?.map(MessageId::new),
        part: object.opt_id("partId")?.map(PartId::new),
    })
}

/// `toolCall{id, name, arguments}`, or the same fields flat.
fn tool_call(object: &Object<'_>) -> Read<Event> {
    let (turn, step) = (turn(object)?, object.opt_small("step")?);
    let inner = object.opt_object("toolCall")?;
    let read = |from: &Object<'_>, names: &[&str]| -> Read<Event> {
        let call = from.first_id(names)?.ok_or_else(|| Fault::missing("id"))?;
        let (name, arguments) = (from.string("name")?, from.json("arguments")?);
        Ok(Event::ToolCall { call: CallId::new(call), name, arguments, turn, step })
    };
    match inner {
        Some(inner) => read(&inner, CALL).map_err(|fault| fault.under("toolCall")),
        // A flat `id` may name the event; only `callId` names the call.
        None if object.opt_id("callId")?.is_some() => read(object, &["callId"]),
        None => Err(Fault::missing("toolCall")),
    }
}

fn tool_output(object: &Object<'_>) -> Read<Event> {
    Ok(Event::ToolOutput {
        data: object.cut("data")?,
        stream: object.opt_word("stream", STREAMS)?.unwrap_or(Stream::Stdout),
        call: object.opt_id("callId")?.map(CallId::new),
        turn: turn(object)?,
    })
}

/// `toolResult{toolCallId, result, isError?}`, or the same fields flat.
fn tool_result(object: &Object<'_>) -> Read<Event> {
    let turn = turn(object)?;
    let read = |from: &Object<'_>| -> Read<Event> {
        let call = from.first_id(RESULT_CALL)?.ok_or_else(|| Fault::missing("toolCallId"))?;
        let (result, is_error) = (from.json("result")?, from.opt_flag("isError")?.unwrap_or(false));
        Ok(Event::ToolResult { call: CallId::new(call), result, is_error, turn })
    };
    match object.opt_object("toolResult")? {
        Some(inner) => read(&inner).map_err(|fault| fault.under("toolResult")),
        None if object.first_id(RESULT_CALL)?.is_some() => read(object),
        None => Err(Fault::missing("toolResult")),
    }
}

fn part(object: &Object<'_>) -> Read<Event> {
    let part = parts::opaque(&object.object("part")?).map_err(|fault| fault.under("part"))?;
    Ok(Event::Part { part, turn: turn(object)? })
}

fn said(user: &Object<'_>) -> Read<UserMessage> {
    Ok(UserMessage {
        message: user.opt_id("messageId")?.map(MessageId::new),
        clients: parts::clients(user)?,
        body: parts::said(user, "text")?,
    })
}

fn turn(object: &Object<'_>) -> Read<Option<TurnId>> {
    Ok(object.opt_id("turnId")?.map(TurnId::new))
}

fn needed_turn(object: &Object<'_>) -> Read<TurnId> {
    object.id("turnId").map(TurnId::new)
}

fn call(object: &Object<'_>) -> Read<CallId> {
    object.id("callId").map(CallId::new)
}

fn message(object: &Object<'_>) -> Read<MessageId> {
    object.id("messageId").map(MessageId::new)
}

fn messages(object: &Object<'_>) -> Read<Option<Vec<MessageId>>> {
    Ok(object.opt_ids("messageIds")?.map(|ids| ids.into_iter().map(MessageId::new).collect()))
}
