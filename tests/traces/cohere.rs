//! Cohere chat v2. Its plan for tools is text of the answer.

use std::collections::BTreeMap;

use serde_json::Value;

use super::scribe::Scribe;
use super::value::{number, text};

/// Reads the messages of one turn.
#[derive(Debug, Default)]
pub struct Cohere {
    calls: BTreeMap<u64, String>,
}

impl Cohere {
    /// Reads one event.
    pub fn feed(&mut self, event: &Value, turn: &mut Scribe) {
        let message = &event["delta"]["message"];
        let index = number(event, "/index");
        match text(event, "/type") {
            "tool-plan-delta" => turn.text(text(message, "/tool_plan"), None),
            "content-start" | "content-delta" => {
                turn.reasoning(text(message, "/content/thinking"), None);
                turn.text(text(message, "/content/text"), None);
            }
            "content-end" => turn.reasoning_end(None),
            "tool-call-start" => {
                let call = text(message, "/tool_calls/id");
                turn.input_start(call, text(message, "/tool_calls/function/name"));
                self.calls.insert(index, call.to_owned());
            }
            "tool-call-delta" => turn.input_delta(&self.calls[&index], text(message, "/tool_calls/function/arguments")),
            "tool-call-end" => turn.input_end(&self.calls[&index]),
            "message-start" | "message-end" => {}
            other => panic!("an event {other} is not read"),
        }
    }
}
