//! Writes one turn twice: as the events that a server publishes, and as the rows that it writes.

mod calls;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::traces::RecordedTurn;
use crate::traces::rows::Rows;

/// A turn that is being told.
#[derive(Clone, Debug)]
pub struct Scribe {
    turn: String,
    events: Vec<Value>,
    /// What the server writes.
    pub rows: Rows,
    /// Who makes the rows.
    pub seal: Seal,
    inputs: BTreeMap<String, (String, String)>,
    outputs: BTreeMap<String, (String, String)>,
    attempt: u32,
    reasons: bool,
    open: Vec<String>,
}

/// Who makes the rows of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seal {
    /// The recording has no sealed form: the rows follow the events, by [`Rows`].
    FromEvents,
    /// The recording has one: its reader writes the rows from that.
    FromRecording,
}

impl Scribe {
    /// Starts a turn. `user`: what the person said, as text or as an array of parts, if the recording holds it.
    pub fn start(turn: &str, user: Option<&Value>) -> Self {
        let mut start = json!({"type": "turn-start"});
        let mut rows = Rows::default();
        if let Some(said) = user {
            let message = format!("{turn}-m");
            start["user"] = json!({"messageId": message});
            match said.as_array() {
                Some(parts) => {
                    start["user"]["parts"] = said.clone();
                    for part in parts {
                        let kind = part["type"].as_str().unwrap_or_default();
                        let data = if kind == "text" { json!({"text": part["text"]}) } else { part.clone() };
                        rows.user(&message, kind, data);
                    }
                }
                None => {
                    start["user"]["text"] = said.clone();
                    rows.user(&message, "text", json!({"text": said}));
                }
            }
        }
        let mut scribe = Self {
            turn: turn.to_owned(),
            events: Vec::new(),
            rows,
            seal: Seal::FromEvents,
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            attempt: 1,
            reasons: false,
            open: Vec::new(),
        };
        scribe.tell(start);
        scribe
    }

    /// The answer starts anew in the same turn, as a further execution.
    pub fn restart(&mut self) {
        if self.attempt == 1 {
            let first = format!("{}.1.1", self.turn);
            self.rows.name_execution(&first);
            for event in self.events.iter_mut().filter(|event| event["type"] != "turn-start") {
                event["executionId"] = json!(first);
            }
        }
        self.attempt += 1;
        self.rows.execution = Some(format!("{}.1.{}", self.turn, self.attempt));
        self.inputs.clear();
        self.reasons = false;
    }

    /// Text grows. An empty delta says nothing and is not told.
    pub fn text(&mut self, delta: &str, part: Option<&str>) {
        if delta.is_empty() {
            return;
        }
        self.reasoning_closes();
        self.tell(with(json!({"type": "text-delta", "delta": delta}), "partId", part.map(Value::from)));
        if self.seal == Seal::FromEvents {
            self.rows.text(delta);
        }
    }

    /// Text of a named message grows: several may grow at a time.
    pub fn text_in(&mut self, message: &str, delta: &str) {
        if delta.is_empty() {
            return;
        }
        self.reasoning_closes();
        self.tell(json!({"type": "text-delta", "delta": delta, "messageId": message}));
        self.rows.text_in(message, delta);
    }

    /// Reasoning grows. An empty delta says nothing and is not told.
    pub fn reasoning(&mut self, delta: &str, part: Option<&str>) {
        if !delta.is_empty() {
            self.reasoning_opens(delta, part);
        }
    }

    /// Reasoning of which only opaque data is told: an empty delta opens the part that will carry it.
    pub fn reasoning_opaque(&mut self, metadata: &Value) {
        self.reasoning_closes();
        self.reasoning_opens("", None);
        self.reasoning_end(Some(metadata.clone()));
    }

    fn reasoning_opens(&mut self, delta: &str, part: Option<&str>) {
        self.reasons = true;
        self.tell(with(json!({"type": "reasoning-delta", "delta": delta}), "partId", part.map(Value::from)));
        if self.seal == Seal::FromEvents {
            self.rows.reasoning(delta);
        }
    }

    /// Reasoning is whole, if it is open.
    pub fn reasoning_end(&mut self, metadata: Option<Value>) {
        if !self.reasons {
            return;
        }
        self.reasons = false;
        if self.seal == Seal::FromEvents {
            self.rows.reasoning_end(metadata.as_ref());
        }
        self.tell(with(json!({"type": "reasoning-end"}), "metadata", metadata));
    }

    /// True while a reasoning part is open.
    pub fn is_reasoning(&self) -> bool {
        self.reasons
    }

    /// Providers that do not say where reasoning ends end it by going on with something else. Those that have a sealed
    /// form say it, maybe later.
    fn reasoning_closes(&mut self) {
        if self.seal == Seal::FromEvents {
            self.reasoning_end(None);
        }
    }

    /// A file, a source or data.
    pub fn part(&mut self, part: &Value) {
        self.tell(json!({"type": "part", "part": part}));
        if self.seal == Seal::FromEvents {
            self.rows.part(part);
        }
    }

    /// A line for the reader, in the turn.
    pub fn notice(&mut self, text: &str) {
        self.tell(json!({"type": "notice", "message": text}));
        if self.seal == Seal::FromEvents {
            self.rows.notice(text);
        }
    }

    /// An error for the reader, in the turn.
    pub fn error(&mut self, message: &str, code: Option<&Value>) {
        self.tell(with(json!({"type": "error", "error": message}), "statusCode", code.cloned()));
        if self.seal == Seal::FromEvents {
            self.rows.error(message, code);
        }
    }

    /// How many events were told so far.
    pub fn told(&self) -> usize {
        self.events.len()
    }

    /// Takes events back: those for which `keep` says no, by their place.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut place = 0;
        self.events.retain(|_| {
            place += 1;
            keep(place - 1)
        });
    }

    /// Ends the turn.
    pub fn end(mut self, outcome: &str, error: Option<&str>) -> RecordedTurn {
        // The end is the turn's, not one execution's.
        self.rows.execution = None;
        self.tell(with(json!({"type": "turn-end", "outcome": outcome}), "error", error.map(Value::from)));
        RecordedTurn {
            events: self.events.iter().map(Value::to_string).collect(),
            chunks: self.rows.into_chunks(&self.turn),
            turn_id: self.turn,
        }
    }

    fn tell(&mut self, mut event: Value) {
        event["turnId"] = json!(self.turn);
        if let Some(execution) = &self.rows.execution {
            event["executionId"] = json!(execution);
        }
        self.events.push(event);
    }
}

/// The object with one more field, if there is a value for it.
fn with(mut object: Value, field: &str, value: Option<Value>) -> Value {
    if let Some(value) = value {
        object[field] = value;
    }
    object
}
