//! Gemini interactions: steps that open, grow and stop.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::scribe::Scribe;
use super::value::{number, text};

/// Reads the interactions of one turn.
#[derive(Debug, Default)]
pub struct Interactions {
    calls: BTreeMap<u64, String>,
    signatures: BTreeMap<u64, String>,
}

impl Interactions {
    /// Reads one event.
    pub fn feed(&mut self, event: &Value, turn: &mut Scribe) {
        let index = number(event, "/index");
        match text(event, "/event_type") {
            "step.start" if text(event, "/step/type") == "function_call" => {
                let call = text(event, "/step/id");
                turn.input_start(call, text(event, "/step/name"));
                self.calls.insert(index, call.to_owned());
            }
            "step.start" => {
                let signature = if text(event, "/step/type") == "thought" { Some(String::new()) } else { None };
                self.signatures.extend(signature.map(|signature| (index, signature)));
            }
            "step.delta" => self.delta(index, &event["delta"], turn),
            "step.stop" => {
                if let Some(call) = self.calls.remove(&index) {
                    turn.input_end(&call);
                }
                if let Some(signature) = self.signatures.remove(&index).filter(|signature| !signature.is_empty()) {
                    let metadata = json!({"signature": signature});
                    if turn.is_reasoning() {
                        turn.reasoning_end(Some(metadata))
                    } else {
                        turn.reasoning_opaque(&metadata)
                    }
                }
            }
            "interaction.created" | "interaction.status_update" | "interaction.completed" => {}
            other => panic!("an event {other} is not read"),
        }
    }

    fn delta(&mut self, index: u64, delta: &Value, turn: &mut Scribe) {
        match text(delta, "/type") {
            "text" => turn.text(text(delta, "/text"), None),
            "arguments_delta" => turn.input_delta(&self.calls[&index], text(delta, "/arguments")),
            "thought_signature" => {
                self.signatures.entry(index).or_default().push_str(text(delta, "/signature"));
            }
            "thought_summary" => turn.reasoning(text(delta, "/content/text"), None),
            other => panic!("a delta {other} is not read"),
        }
    }
}
