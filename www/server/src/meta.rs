//! What stands beside the rows of a thread, as JSON: the queue, the answers, the counters.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use turnseal::engine::{Answer, Answered, Message, Meta, Status};
use turnseal::model::{ClientId, Intent, MessageId, TurnId};
use turnseal::wire;

#[derive(Serialize, Deserialize)]
struct Kept {
    started: u64,
    n: u64,
    version: u64,
    open: Vec<String>,
    queue: Vec<KeptMessage>,
    answered: Vec<KeptAnswer>,
}

#[derive(Serialize, Deserialize)]
struct KeptMessage {
    id: String,
    client: Option<String>,
    /// An array of parts, as on the wire.
    body: Box<RawValue>,
    steer: bool,
    models: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    client: Option<String>,
    message: Option<String>,
    queued: bool,
    turn: Option<String>,
    n: u64,
}

/// As text for the log.
pub(crate) fn encode(meta: &Meta) -> Result<String, String> {
    let queue: Result<Vec<_>, _> = meta.queue.iter().map(kept_message).collect();
    let kept = Kept {
        started: meta.started,
        n: meta.n,
        version: meta.version,
        open: meta.open.iter().map(ToString::to_string).collect(),
        queue: queue?,
        answered: meta.answered.iter().map(|Answered(answer)| kept_answer(answer)).collect(),
    };
    serde_json::to_string(&kept).map_err(|error| error.to_string())
}

/// From the text of the log.
pub(crate) fn decode(text: &str) -> Result<Meta, String> {
    let kept: Kept = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let queue: Result<Vec<_>, _> = kept.queue.into_iter().map(message).collect();
    Ok(Meta {
        started: kept.started,
        n: kept.n,
        version: kept.version,
        open: kept.open.into_iter().map(TurnId::new).collect(),
        queue: queue?,
        answered: kept.answered.into_iter().map(answer).collect(),
    })
}

fn kept_message(message: &Message) -> Result<KeptMessage, String> {
    let mut body = String::new();
    wire::encode::parts(&message.body.parts, &mut body);
    Ok(KeptMessage {
        id: message.id.to_string(),
        client: message.client.as_ref().map(ToString::to_string),
        body: RawValue::from_string(body).map_err(|error| error.to_string())?,
        steer: message.intent == Intent::Steer,
        models: message.models.clone(),
    })
}

fn message(kept: KeptMessage) -> Result<Message, String> {
    let body = wire::body(kept.body.get()).map_err(|refused| refused.detail)?;
    Ok(Message {
        id: MessageId::new(kept.id),
        client: kept.client.map(ClientId::new),
        body,
        intent: if kept.steer { Intent::Steer } else { Intent::Queue },
        models: kept.models,
    })
}

fn kept_answer(answer: &Answer) -> KeptAnswer {
    KeptAnswer {
        client: answer.client.as_ref().map(ToString::to_string),
        message: answer.message.as_ref().map(ToString::to_string),
        queued: answer.status == Status::Queued,
        turn: answer.turn.as_ref().map(ToString::to_string),
        n: answer.n,
    }
}

fn answer(kept: KeptAnswer) -> Answered {
    Answered(Answer {
        to: "send",
        client: kept.client.map(ClientId::new),
        message: kept.message.map(MessageId::new),
        call: None,
        status: if kept.queued { Status::Queued } else { Status::Ok },
        turn: kept.turn.map(TurnId::new),
        n: kept.n,
    })
}
