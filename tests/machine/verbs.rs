//! What a line of a scenario does to the engine.

use turnseal::engine::{Ask, Input, Message, Target, TimerId};
use turnseal::model::{
    Body, CallId, ClientId, Cut, DeltaKind, ExecutionId, Intent, Json, MessageId, Opaque, OpaqueKind, Outcome, Part,
    Stream, TurnId,
};

use crate::script::Line;

/// The input that a line is; `None` for verbs that are no input.
pub fn input(line: &Line) -> Result<Option<Input>, String> {
    let at = |index| line.at(index);
    Ok(Some(match line.verb.as_str() {
        "send" => send(line, intent(line)?)?,
        "steer" => send(line, Intent::Steer)?,
        "stop" => Input::Stop { turn: line.names.first().map(|id| TurnId::new(id.as_str())) },
        "delta" => delta(line, DeltaKind::Text)?,
        "think" => delta(line, DeltaKind::Reasoning)?,
        "reasoning-end" => Input::ReasoningEnd {
            execution: at(0)?.into(),
            metadata: line.texts.first().map(|text| Json::new(text.as_str())),
        },
        "tool-input" => Input::ToolInput {
            execution: at(0)?.into(),
            call: at(1)?.into(),
            name: line.names.get(2).cloned(),
            delta: Cut::whole(line.said()?),
        },
        "part" => Input::Part { execution: at(0)?.into(), part: opaque(at(1)?, line.said()?) },
        "usage" => Input::Usage { execution: at(0)?.into(), usage: Json::new(at(1)?) },
        "tool-call" => call(line, false)?,
        "ask" => call(line, true)?,
        "tool-output" => Input::ToolOutput {
            turn: at(0)?.into(),
            execution: line.get("execution").map(ExecutionId::new),
            call: at(1)?.into(),
            data: Cut::whole(line.said()?),
            stream: if line.has("stderr") { Stream::Stderr } else { Stream::Stdout },
        },
        "tool-result" => Input::ToolResult {
            turn: at(0)?.into(),
            execution: line.get("execution").map(ExecutionId::new),
            call: at(1)?.into(),
            result: Json::new(crate::script::quoted(line.said()?)),
            is_error: line.has("error"),
        },
        "step-end" => Input::StepEnd { execution: at(0)?.into() },
        "execution-end" => Input::ExecutionEnd {
            execution: at(0)?.into(),
            outcome: outcome(at(1)?)?,
            error: line.texts.first().cloned(),
        },
        "approve" => Input::Approve(verdict(line)?),
        "deny" => Input::Deny(verdict(line)?),
        "cancel-queued" => Input::CancelQueued { message: at(0)?.into() },
        "edit-queued" => Input::EditQueued { message: at(0)?.into(), text: line.said()?.to_owned() },
        "move-queued" => Input::MoveQueued { message: at(0)?.into(), index: number(at(1)?)? },
        "send-now" => Input::SendNow { message: at(0)?.into() },
        "resume-queue" => Input::ResumeQueue,
        _ => return rare(line),
    }))
}

/// What hosts and clocks say.
fn rare(line: &Line) -> Result<Option<Input>, String> {
    let at = |index| line.at(index);
    Ok(Some(match line.verb.as_str() {
        "timer-fired" => Input::TimerFired { timer: TimerId(number(at(0)?)? as u64) },
        "retry" => Input::Retry { turn: at(0)?.into(), execution: at(1)?.into() },
        "watchers" => Input::Watchers { count: number(at(0)?)? },
        _ => return Ok(None),
    }))
}

pub fn number(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| format!("`{word}` is no number"))
}

fn intent(line: &Line) -> Result<Intent, String> {
    match line.get("intent") {
        None | Some("queue") => Ok(Intent::Queue),
        Some("steer") => Ok(Intent::Steer),
        Some(other) => Err(format!("intent={other}")),
    }
}

fn send(line: &Line, intent: Intent) -> Result<Input, String> {
    let mut body = if line.has("empty") { Body { parts: Vec::new() } } else { Body::text(line.said()?) };
    if let Some(file) = line.texts.get(1) {
        body.parts.push(Part::Opaque(opaque("file", file)));
    }
    Ok(Input::Send(Message {
        id: MessageId::new(line.at(0)?),
        client: line.get("client").map(ClientId::new),
        body,
        intent,
        models: line.get("models").map(|models| models.split(',').map(str::to_owned).collect()).unwrap_or_default(),
    }))
}

fn opaque(kind: &str, id: &str) -> Opaque {
    let (word, kind) = match kind {
        "source" => ("source", OpaqueKind::Source),
        "data" => ("data", OpaqueKind::Data),
        _ => ("file", OpaqueKind::File),
    };
    Opaque { kind, id: Some(id.into()), json: Json::new(format!("{{\"type\":\"{word}\",\"id\":\"{id}\"}}")) }
}

fn delta(line: &Line, kind: DeltaKind) -> Result<Input, String> {
    Ok(Input::Delta { execution: line.at(0)?.into(), kind, delta: Cut::whole(line.said()?) })
}

fn call(line: &Line, approval: bool) -> Result<Input, String> {
    Ok(Input::ToolCall {
        execution: line.at(0)?.into(),
        call: CallId::new(line.at(1)?),
        name: line.names.get(2).cloned().unwrap_or_else(|| "run".to_owned()),
        arguments: Json::new("{}"),
        approval: approval.then(|| Ask { prompt: line.texts.first().cloned(), options: None }),
    })
}

fn verdict(line: &Line) -> Result<Target, String> {
    Ok(Target {
        call: line.at(0)?.into(),
        turn: line.get("turn").map(TurnId::new),
        execution: line.get("execution").map(ExecutionId::new),
        reason: line.texts.first().cloned(),
    })
}

fn outcome(word: &str) -> Result<Outcome, String> {
    match word {
        "done" => Ok(Outcome::Done),
        "aborted" => Ok(Outcome::Aborted),
        "error" => Ok(Outcome::Error),
        _ => Err(format!("`{word}` is no outcome")),
    }
}
