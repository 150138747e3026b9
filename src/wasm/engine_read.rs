//! Inputs and options of the engine from JSON.

use crate::engine::{
    Answer, Answered, Ask, Background, Batch, Gate, Input, Message, Meta, Mixed, OnApproval, OnDeny, OnEnd,
    OnLateOutput, OnLateSteer, OnSteer, OpenTurn, Options, Policy, Saved, Status, Target, TimerId,
};
use crate::model::{
    CallId, Chunk, ClientId, Cut, DeltaKind, ExecutionId, Intent, MessageId, Outcome, Stream, ThreadId, TurnId,
};
use crate::wire::{
    chunks, parts,
    read::Object,
    words::{INTENTS, OUTCOMES, STREAMS},
};

const KINDS: &[(&str, DeltaKind)] = &[("text", DeltaKind::Text), ("reasoning", DeltaKind::Reasoning)];
const ENDS: &[(&str, OnEnd)] = &[("hold", OnEnd::Hold), ("drop", OnEnd::Drop), ("run", OnEnd::Run)];
const ON_APPROVALS: &[(&str, OnApproval)] = &[("queue", OnApproval::Queue), ("supersede", OnApproval::Supersede)];
const ON_DENIALS: &[(&str, OnDeny)] = &[("continue", OnDeny::Continue), ("end", OnDeny::End)];
const BACKGROUNDS: &[(&str, Background)] = &[("continue", Background::Continue), ("abort", Background::Abort)];
const STEERS: &[(&str, OnSteer)] = &[("yield", OnSteer::Yield), ("inject", OnSteer::Inject), ("queue", OnSteer::Queue)];
const LATE_STEERS: &[(&str, OnLateSteer)] =
    &[("return", OnLateSteer::Return), ("drop", OnLateSteer::Drop), ("start", OnLateSteer::Start)];
const LATE_OUTPUTS: &[(&str, OnLateOutput)] =
    &[("discard", OnLateOutput::Discard), ("display", OnLateOutput::Display), ("replace", OnLateOutput::Replace)];
const STATUSES: &[(&str, Status)] = &[("ok", Status::Ok), ("queued", Status::Queued)];

/// What a model says.
const SAYINGS: &[&str] =
    &["delta", "reasoning-end", "tool-input", "part", "usage", "tool-call", "step-end", "execution-end"];

/// One input.
pub(super) fn input(object: &Object<'_>) -> Input {
    match &*object.text("type") {
        "send" => Input::Send(message(object)),
        "stop" => Input::Stop { turn: turn(object) },
        "tool-output" => Input::ToolOutput {
            turn: TurnId::new(object.id("turnId")),
            execution: execution(object),
            call: call(object),
            data: object.cut("data"),
            stream: object.opt_word("stream", STREAMS).unwrap_or(Stream::Stdout),
        },
        "tool-result" => Input::ToolResult {
            turn: TurnId::new(object.id("turnId")),
            execution: execution(object),
            call: call(object),
            result: object.json("result"),
            is_error: object.opt_flag("isError").unwrap_or(false),
        },
        "approve" => Input::Approve(target(object)),
        "deny" => Input::Deny(target(object)),
        "persisted" => {
            Input::Persisted { turn: TurnId::new(object.id("turnId")), chunks: object.each("chunks", chunks::chunk) }
        }
        "persist-failed" => Input::PersistFailed {
            turn: TurnId::new(object.id("turnId")),
            from: object.opt_number("from").and_then(|from| usize::try_from(from).ok()),
            error: object.opt_string("error").unwrap_or_default(),
        },
        "retry" => Input::Retry { turn: TurnId::new(object.id("turnId")), execution: execution_of(object) },
        "watchers" => Input::Watchers { count: usize::try_from(object.number("count")).unwrap_or(usize::MAX) },
        "timer-fired" => Input::TimerFired { timer: TimerId(object.number("timer")) },
        kind => edit(kind, object).unwrap_or_else(|| said(kind, object)),
    }
}

/// What a user does to messages that wait.
fn edit(kind: &str, object: &Object<'_>) -> Option<Input> {
    Some(match kind {
        "cancel-queued" => Input::CancelQueued { message: message_id(object) },
        "edit-queued" => Input::EditQueued { message: message_id(object), text: object.string("text") },
        "move-queued" => Input::MoveQueued {
            message: message_id(object),
            index: usize::try_from(object.number("index")).unwrap_or(usize::MAX),
        },
        "send-now" => Input::SendNow { message: message_id(object) },
        "resume-queue" => Input::ResumeQueue,
        _ => return None,
    })
}

/// What a model says.
fn said(kind: &str, object: &Object<'_>) -> Input {
    if !SAYINGS.contains(&kind) {
        object.unknown_type();
    }
    let execution = execution_of(object);
    match kind {
        "delta" => {
            Input::Delta { execution, kind: object.word("kind", KINDS, DeltaKind::Text), delta: object.cut("delta") }
        }
        "reasoning-end" => Input::ReasoningEnd { execution, metadata: object.opt_json("metadata") },
        "tool-input" => Input::ToolInput {
            execution,
            call: call(object),
            name: object.opt_string("name"),
            delta: if object.given("delta").is_some() { object.cut("delta") } else { Cut::default() },
        },
        "part" => Input::Part { execution, part: parts::opaque(&object.object("part")) },
        "usage" => Input::Usage { execution, usage: object.json("usage") },
        "tool-call" => Input::ToolCall {
            execution,
            call: call(object),
            name: object.string("name"),
            arguments: object.json("arguments"),
            approval: object
                .opt_flag("approval")
                .unwrap_or(false)
                .then(|| Ask { prompt: object.opt_string("prompt"), options: object.opt_json("options") }),
        },
        "step-end" => Input::StepEnd { execution },
        "execution-end" => Input::ExecutionEnd {
            execution,
            outcome: object.word("outcome", OUTCOMES, Outcome::Error),
            error: object.opt_string("error"),
        },
        // Told above; the value is dropped.
        _ => Input::ResumeQueue,
    }
}

fn turn(object: &Object<'_>) -> Option<TurnId> {
    object.opt_id("turnId").map(TurnId::new)
}

fn execution(object: &Object<'_>) -> Option<ExecutionId> {
    object.opt_id("executionId").map(ExecutionId::new)
}

fn execution_of(object: &Object<'_>) -> ExecutionId {
    ExecutionId::new(object.id("executionId"))
}

fn call(object: &Object<'_>) -> CallId {
    CallId::new(object.id("callId"))
}

fn message_id(object: &Object<'_>) -> MessageId {
    MessageId::new(object.id("messageId"))
}

fn target(object: &Object<'_>) -> Target {
    let (turn, execution) = (turn(object), execution(object));
    Target { call: call(object), turn, execution, reason: object.opt_string("reason") }
}

fn names(object: &Object<'_>) -> Vec<String> {
    let names = object.opt_ids("models").unwrap_or_default();
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}

fn message(object: &Object<'_>) -> Message {
    Message {
        id: message_id(object),
        client: object.opt_id("clientId").map(ClientId::new),
        body: parts::said(object, "text"),
        intent: object.opt_word("intent", INTENTS).unwrap_or(Intent::Queue),
        models: names(object),
    }
}

/// The options of an engine, and what was kept of its threads.
pub(super) fn options(object: &Object<'_>) -> (Options, Vec<(ThreadId, Saved)>) {
    object.check_depth();
    let policy = object.opt_object("policy").map(|it| policy(&it)).unwrap_or_default();
    let mut threads = Vec::new();
    if let Some(restore) = object.opt_object("restore") {
        for (thread, _) in restore.fields() {
            threads.push((ThreadId::from(&*thread), saved(&restore.object(&thread))));
        }
    }
    (Options { models: names(object), policy }, threads)
}

fn policy(object: &Object<'_>) -> Policy {
    let usual = Policy::default();
    Policy {
        on_approval: object.opt_word("onApproval", ON_APPROVALS).unwrap_or(usual.on_approval),
        gate: object.opt_word("gate", &[("ended", Gate::Ended), ("sealed", Gate::Sealed)]).unwrap_or(usual.gate),
        steer: object.opt_word("steer", STEERS).unwrap_or(usual.steer),
        late_steer: object.opt_word("lateSteer", LATE_STEERS).unwrap_or(usual.late_steer),
        late_output: object.opt_word("lateOutput", LATE_OUTPUTS).unwrap_or(usual.late_output),
        on_stop: object.opt_word("onStop", ENDS).unwrap_or(usual.on_stop),
        on_error: object.opt_word("onError", ENDS).unwrap_or(usual.on_error),
        on_deny: object.opt_word("onDeny", ON_DENIALS).unwrap_or(usual.on_deny),
        mixed: object.opt_word("mixed", &[("done", Mixed::Done), ("aborted", Mixed::Aborted)]).unwrap_or(usual.mixed),
        background: object.opt_word("background", BACKGROUNDS).unwrap_or(usual.background),
        batch: object.opt_word("batch", &[("one", Batch::One), ("alike", Batch::Alike)]).unwrap_or(usual.batch),
        tool_failures_max: object.opt_small("toolFailuresMax").unwrap_or(usual.tool_failures_max),
        approval_timeout_ms: object.opt_number("approvalTimeoutMs").or(usual.approval_timeout_ms),
        idle_timeout_ms: object.opt_number("idleTimeoutMs").or(usual.idle_timeout_ms),
        backoff_ms_min: object.opt_number("backoffMsMin").unwrap_or(usual.backoff_ms_min),
        backoff_ms_max: object.opt_number("backoffMsMax").unwrap_or(usual.backoff_ms_max),
    }
}

fn saved(object: &Object<'_>) -> Saved {
    let meta = object.opt_object("meta").map(|it| meta(&it)).unwrap_or_default();
    Saved { chunks: object.opt_each("chunks", chunks::chunk).unwrap_or_default(), meta }
}

fn meta(object: &Object<'_>) -> Meta {
    Meta {
        started: object.opt_number("started").unwrap_or_default(),
        n: object.opt_number("n").unwrap_or_default(),
        version: object.opt_number("version").unwrap_or_default(),
        open: object.opt_each("open", open_turn).unwrap_or_default(),
        queue: object.opt_each("queue", message).unwrap_or_default(),
        answered: object.opt_each("answered", answered).unwrap_or_default(),
    }
}

fn open_turn(object: &Object<'_>) -> OpenTurn {
    OpenTurn {
        turn: TurnId::new(object.id("turnId")),
        outcome: object.opt_word("outcome", OUTCOMES),
        rows: object.opt_each("rows", kept_row).unwrap_or_default(),
    }
}

fn kept_row(object: &Object<'_>) -> (usize, Chunk) {
    let at = usize::try_from(object.number("at")).unwrap_or(usize::MAX);
    (at, chunks::chunk(&object.object("row")))
}

fn answered(object: &Object<'_>) -> Answered {
    Answered(Answer {
        to: "send",
        client: object.opt_id("clientId").map(ClientId::new),
        message: object.opt_id("messageId").map(MessageId::new),
        call: None,
        status: object.word("status", STATUSES, Status::Ok),
        turn: turn(object),
        n: object.opt_number("n").unwrap_or_default(),
    })
}
