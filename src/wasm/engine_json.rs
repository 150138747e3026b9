//! Effects of the engine as JSON.

use crate::engine::{Answer, Answered, Effect, Message, Meta, OpenTurn};
use crate::model::{Chunk, ExecutionId, Intent, TurnId};
use crate::wire::{
    encode,
    encode::text::{Writer, list},
    fault::Fault,
    words::{OUTCOMES, name},
};

/// One effect.
pub(super) fn effect(effect: &Effect, out: &mut String) {
    let mut object = Writer::open(out);
    match effect {
        Effect::Request { turn, execution, step, model } => {
            object.text("type", "request");
            place(Some(turn), Some(execution), &mut object);
            object.number("step", u64::from(*step));
            object.opt_text("model", model.as_deref());
        }
        Effect::Yield { execution } => of_execution("yield", execution, &mut object),
        Effect::CancelRequest { execution } => of_execution("cancel-request", execution, &mut object),
        Effect::RunTool { turn, execution, call, name, arguments } => {
            object.text("type", "run-tool");
            place(Some(turn), Some(execution), &mut object);
            object.text("callId", call.as_str());
            object.text("name", name);
            object.json("arguments", arguments);
        }
        Effect::CancelTool { turn, execution, call } => {
            object.text("type", "cancel-tool");
            place(Some(turn), Some(execution), &mut object);
            object.text("callId", call.as_str());
        }
        Effect::Append { turn, from, chunks } => rows("append", turn, *from, chunks, &mut object),
        Effect::Seal { turn, from, chunks } => rows("seal", turn, *from, chunks, &mut object),
        Effect::Publish(envelope) => {
            object.text("type", "publish");
            object.key("event").push_str(&encode::event(envelope));
        }
        Effect::StartTimer { timer, after_ms, why } => {
            object.text("type", "start-timer");
            object.number("timer", timer.0);
            object.number("ms", *after_ms);
            object.text("why", why.as_str());
        }
        Effect::CancelTimer { timer } => {
            object.text("type", "cancel-timer");
            object.number("timer", timer.0);
        }
        Effect::Answer(it) => {
            object.text("type", "answer");
            object.text("to", it.to);
            answer(it, &mut object);
        }
        Effect::Diagnostic(it) => {
            object.text("type", "diagnostic");
            object.text("code", it.code.as_str());
            place(it.turn.as_ref(), None, &mut object);
            object.text("detail", &it.detail);
        }
    }
    object.close();
}

/// A diagnostic about an input that cannot be read.
pub(super) fn refused(fault: &Fault, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("type", "diagnostic");
    object.text("code", fault.code);
    object.opt_text("field", (!fault.field.is_empty()).then_some(fault.field.as_str()));
    object.text("detail", fault.detail);
    object.close();
}

/// What a host keeps beside the log.
pub(super) fn meta(meta: &Meta, out: &mut String) {
    let mut object = Writer::open(out);
    object.number("started", meta.started);
    object.number("n", meta.n);
    object.number("version", meta.version);
    list(&meta.open, object.key("open"), open_turn);
    list(&meta.queue, object.key("queue"), message);
    list(&meta.answered, object.key("answered"), |Answered(it), out| {
        let mut object = Writer::open(out);
        answer(it, &mut object);
        object.close();
    });
    object.close();
}

fn open_turn(open: &OpenTurn, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("turnId", open.turn.as_str());
    object.opt_text("outcome", open.outcome.map(|outcome| name(OUTCOMES, outcome)));
    list(&open.rows, object.key("rows"), |(at, row), out| {
        let mut object = Writer::open(out);
        object.number("at", u64::try_from(*at).unwrap_or(u64::MAX));
        encode::chunk(row, object.key("row"));
        object.close();
    });
    object.close();
}

fn message(message: &Message, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("messageId", message.id.as_str());
    object.opt_text("clientId", message.client.as_ref().map(|id| id.as_str()));
    if message.body.is_plain() {
        object.text("text", &message.body.plain());
    } else {
        encode::parts(&message.body.parts, object.key("parts"));
    }
    if message.intent == Intent::Steer {
        object.text("intent", "steer");
    }
    object.ids("models", message.models.iter().map(String::as_str));
    object.close();
}

fn answer(answer: &Answer, object: &mut Writer<'_>) {
    object.opt_text("clientId", answer.client.as_ref().map(|id| id.as_str()));
    object.opt_text("messageId", answer.message.as_ref().map(|id| id.as_str()));
    object.opt_text("callId", answer.call.as_ref().map(|id| id.as_str()));
    object.text("status", answer.status.as_str());
    place(answer.turn.as_ref(), None, object);
    object.number("n", answer.n);
}

fn place(turn: Option<&TurnId>, execution: Option<&ExecutionId>, object: &mut Writer<'_>) {
    object.opt_text("turnId", turn.map(TurnId::as_str));
    object.opt_text("executionId", execution.map(ExecutionId::as_str));
}

fn of_execution(kind: &str, execution: &ExecutionId, object: &mut Writer<'_>) {
    object.text("type", kind);
    object.text("executionId", execution.as_str());
}

fn rows(kind: &str, turn: &TurnId, from: usize, chunks: &[Chunk], object: &mut Writer<'_>) {
    object.text("type", kind);
    object.text("turnId", turn.as_str());
    object.number("from", u64::try_from(from).unwrap_or(u64::MAX));
    list(chunks, object.key("chunks"), |chunk, out| {
        // The seq is the host's to give.
        let mut whole = String::new();
        encode::chunk(chunk, &mut whole);
        match whole.strip_prefix("{\"seq\":").and_then(|rest| rest.split_once(',')) {
            Some((_, rest)) => {
                out.push('{');
                out.push_str(rest);
            }
            None => out.push_str(&whole),
        }
    });
}
