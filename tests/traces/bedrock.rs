//! Amazon Bedrock Converse: blocks as in Anthropic, of which only those of tools say that they open.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::scribe::Scribe;
use super::value::{number, some, some_text, text};

/// Reads the messages of one turn.
#[derive(Debug, Default)]
pub struct Bedrock {
    calls: BTreeMap<u64, String>,
    signature: String,
}

impl Bedrock {
    /// Reads one event.
    pub fn feed(&mut self, event: &Value, turn: &mut Scribe) {
        if let Some(start) = some(event, "/contentBlockStart") {
            if let Some(id) = some_text(start, "/start/toolUse/toolUseId") {
                turn.input_start(id, text(start, "/start/toolUse/name"));
                self.calls.insert(number(start, "/contentBlockIndex"), id.to_owned());
            }
        } else if let Some(grown) = some(event, "/contentBlockDelta") {
            let delta = &grown["delta"];
            turn.text(text(delta, "/text"), None);
            turn.reasoning(text(delta, "/reasoningContent/text"), None);
            self.signature.push_str(text(delta, "/reasoningContent/signature"));
            if let (Some(input), Some(call)) =
                (some_text(delta, "/toolUse/input"), self.calls.get(&number(grown, "/contentBlockIndex")))
            {
                turn.input_delta(call, input);
            }
        } else if let Some(stop) = some(event, "/contentBlockStop") {
            if let Some(call) = self.calls.remove(&number(stop, "/contentBlockIndex")) {
                turn.input_end(&call);
            }
            let signature = std::mem::take(&mut self.signature);
            turn.reasoning_end((!signature.is_empty()).then(|| json!({"signature": signature})));
        } else {
            let known = ["messageStart", "messageStop", "metadata"];
            assert!(known.iter().any(|key| event.get(key).is_some()), "an event of Bedrock is not read: {event}");
        }
    }
}
