//! What a user does, over HTTP.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::value::RawValue;
use turnseal::engine::{Answer, Input, Message, Status, Target};
use turnseal::model::{Body, CallId, ClientId, ExecutionId, Intent, MessageId, TurnId};
use turnseal::wire::{self, encode};

use crate::hub::valid;
use crate::problem::Problem;
use crate::routes::{Shared, body, json};

type Given = Result<Bytes, BytesRejection>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    client_id: String,
    text: Option<String>,
    parts: Option<Box<RawValue>>,
    intent: Option<String>,
    #[serde(default)]
    models: Vec<String>,
}

pub(crate) async fn message(State(hub): Shared, Path(thread): Path<String>, given: Given) -> Result<Response, Problem> {
    let said: Said = body(given)?;
    valid("clientId", &said.client_id)?;
    let intent = match said.intent.as_deref() {
        None | Some("queue") => Intent::Queue,
        Some("steer") => Intent::Steer,
        Some(other) => return Err(Problem::bad("bad-body", format!("there is no intent {other}"))),
    };
    let words = match (said.text, said.parts) {
        (Some(text), None) => Body::text(text),
        (None, Some(parts)) => wire::body(parts.get()).map_err(|refused| Problem::bad("bad-body", refused.detail))?,
        _ => return Err(Problem::bad("bad-body", "a message has either text or parts")),
    };
    if words.parts.is_empty() || words.is_plain() && words.plain().trim().is_empty() {
        return Err(Problem::bad("empty", "a message says something"));
    }
    // Derived, so that the same message has the same name, whoever asks and however often.
    let id = MessageId::new(format!("m-{}", said.client_id));
    let client = Some(ClientId::new(said.client_id));
    let message = Message { id, client, body: words, intent, models: said.models };
    let answer = hub.thread(&thread)?.put(Input::Send(message)).await?;
    hub.metrics.message();
    answered(answer)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stop {
    turn_id: Option<String>,
}

pub(crate) async fn stop(State(hub): Shared, Path(thread): Path<String>, given: Given) -> Result<Response, Problem> {
    let stop: Stop = body(given)?;
    hub.thread(&thread)?.put(Input::Stop { turn: stop.turn_id.map(TurnId::new) }).await?;
    Ok(json("{\"status\":\"ok\"}".to_owned()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Decision {
    decision: String,
    turn_id: Option<String>,
    execution_id: Option<String>,
    reason: Option<String>,
}

pub(crate) async fn approval(
    State(hub): Shared,
    Path((thread, call)): Path<(String, String)>,
    given: Given,
) -> Result<Response, Problem> {
    let Decision { decision, turn_id, execution_id, reason } = body(given)?;
    let (turn, execution) = (turn_id.map(TurnId::new), execution_id.map(ExecutionId::new));
    let target = Target { call: CallId::new(call), turn, execution, reason };
    let input = match decision.as_str() {
        "approved" => Input::Approve(target),
        "denied" => Input::Deny(target),
        other => return Err(Problem::bad("bad-body", format!("there is no decision {other}"))),
    };
    answered(hub.thread(&thread)?.put(input).await?)
}

pub(crate) async fn resume(State(hub): Shared, Path(thread): Path<String>) -> Result<Response, Problem> {
    answered(hub.thread(&thread)?.put(Input::ResumeQueue).await?)
}

#[derive(Deserialize)]
struct Edit {
    text: Option<String>,
    index: Option<usize>,
    #[serde(default)]
    now: bool,
}

pub(crate) async fn edit(
    State(hub): Shared,
    Path((thread, message)): Path<(String, String)>,
    given: Given,
) -> Result<Response, Problem> {
    let message = MessageId::new(message);
    let input = match body(given)? {
        Edit { text: Some(text), index: None, now: false } => Input::EditQueued { message, text },
        Edit { text: None, index: Some(index), now: false } => Input::MoveQueued { message, index },
        Edit { text: None, index: None, now: true } => Input::SendNow { message },
        Edit { .. } => return Err(Problem::bad("bad-body", "an edit has one of text, index and now: true")),
    };
    answered(hub.thread(&thread)?.put(input).await?)
}

pub(crate) async fn cancel(
    State(hub): Shared,
    Path((thread, message)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let input = Input::CancelQueued { message: MessageId::new(message) };
    let answer = hub.thread(&thread)?.put(input).await?;
    let is_done = answer.is_some_and(|answer| answer.status == Status::Ok);
    Ok(json(format!("{{\"success\":{is_done}}}")))
}

/// What the engine decided.
fn answered(answer: Option<Answer>) -> Result<Response, Problem> {
    let answer = answer.ok_or_else(|| Problem::broken("there was no answer"))?;
    let mut out = format!("{{\"status\":\"{}\",\"n\":{}", answer.status.as_str(), answer.n);
    let ids = [
        ("clientId", answer.client.as_ref().map(ClientId::as_str)),
        ("messageId", answer.message.as_ref().map(MessageId::as_str)),
        ("callId", answer.call.as_ref().map(CallId::as_str)),
        ("turnId", answer.turn.as_ref().map(TurnId::as_str)),
    ];
    for (key, id) in ids {
        if let Some(id) = id {
            out.push_str(&format!(",\"{key}\":"));
            encode::string(id, &mut out);
        }
    }
    out.push('}');
    Ok(json(out))
}
