//! What stands beside the rows of a thread, as JSON: the queue, the answers, the counters.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use turnseal::engine::{Answer, Answered, Message, Meta, OpenTurn, Status};
use turnseal::model::{Chunk, ClientId, Intent, MessageId, Outcome, TurnId};
use turnseal::wire;

#[derive(Serialize, Deserialize)]
struct Kept {
    started: u64,
    n: u64,
    version: u64,
    open: Vec<KeptTurn>,
    queue: Vec<KeptMessage>,
    answered: Vec<KeptAnswer>,
}

#[derive(Serialize, Deserialize)]
struct KeptTurn {
    id: String,
    /// How it ended, as on the wire.
    outcome: Option<String>,
    /// Rows that the log may lack, by their places in the turn.
    rows: Vec<(usize, Box<RawValue>)>,
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
    let open: Result<Vec<_>, _> = meta.open.iter().map(kept_turn).collect();
    let kept = Kept {
        started: meta.started,
        n: meta.n,
        version: meta.version,
        open: open?,
        queue: queue?,
        answered: meta.answered.iter().map(|Answered(answer)| kept_answer(answer)).collect(),
    };
    serde_json::to_string(&kept).map_err(|error| error.to_string())
}

/// From the text of the log.
pub(crate) fn decode(text: &str) -> Result<Meta, String> {
    let kept: Kept = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let queue: Result<Vec<_>, _> = kept.queue.into_iter().map(message).collect();
    let open: Result<Vec<_>, _> = kept.open.into_iter().map(turn).collect();
    Ok(Meta {
        started: kept.started,
        n: kept.n,
        version: kept.version,
        open: open?,
        queue: queue?,
        answered: kept.answered.into_iter().map(answer).collect(),
    })
}

fn kept_turn(open: &OpenTurn) -> Result<KeptTurn, String> {
    let row = |(at, row): &(usize, Chunk)| {
        let mut json = String::new();
        wire::encode::chunk(row, &mut json);
        RawValue::from_string(json).map(|json| (*at, json)).map_err(|error| error.to_string())
    };
    let outcome = open.outcome.map(|outcome| match outcome {
        Outcome::Done => "done",
        Outcome::Aborted => "aborted",
        Outcome::Error => "error",
    });
    let rows: Result<Vec<_>, _> = open.rows.iter().map(row).collect();
    Ok(KeptTurn { id: open.turn.to_string(), outcome: outcome.map(str::to_owned), rows: rows? })
}

fn turn(kept: KeptTurn) -> Result<OpenTurn, String> {
    let row = |(at, json): (usize, Box<RawValue>)| match wire::chunk(json.get()) {
        Ok(row) => Ok((at, row)),
        Err(refused) => Err(refused.detail),
    };
    let outcome = match kept.outcome.as_deref() {
        None => None,
        Some("done") => Some(Outcome::Done),
        Some("aborted") => Some(Outcome::Aborted),
        Some("error") => Some(Outcome::Error),
        Some(other) => return Err(format!("an outcome {other}")),
    };
    let rows: Result<Vec<_>, _> = kept.rows.into_iter().map(row).collect();
    Ok(OpenTurn { turn: TurnId::new(kept.id), outcome, rows: rows? })
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
