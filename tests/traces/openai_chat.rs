//! OpenAI chat completions, and the many that speak it: deltas without any sealed form.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::scribe::Scribe;
use super::value::{each, number, some, some_text, text};

/// Reads the responses of one turn.
#[derive(Debug, Default)]
pub struct Chat {
    calls: BTreeMap<u64, String>,
    order: Vec<String>,
    cited: bool,
    /// Why the response failed, once it did.
    pub failed: Option<String>,
}

impl Chat {
    /// Reads one chunk.
    pub fn feed(&mut self, chunk: &Value, turn: &mut Scribe) {
        for choice in each(chunk, "/choices").iter().filter(|choice| number(choice, "/index") == 0) {
            let delta = &choice["delta"];
            for key in ["/reasoning_content", "/reasoning"] {
                turn.reasoning(text(delta, key), None);
            }
            match &delta["content"] {
                Value::Array(parts) => parts.iter().for_each(|part| content(part, turn)),
                content => turn.text(content.as_str().unwrap_or_default(), None),
            }
            turn.text(text(delta, "/refusal"), None);
            turn.text(text(choice, "/text"), None);
            each(delta, "/tool_calls").iter().for_each(|call| self.call(call, turn));
            if some_text(choice, "/finish_reason").is_some() {
                self.finish(turn);
            }
        }
        let sources = each(chunk, "/citations");
        if !self.cited
            && !sources.is_empty()
            && each(chunk, "/choices").iter().any(|choice| some_text(choice, "/finish_reason").is_some())
        {
            self.cited = true;
            sources.iter().for_each(|url| turn.part(&json!({"type": "source", "id": url, "url": url})));
        }
        if let Some(error) = some(chunk, "/error") {
            let message = some_text(error, "/message").unwrap_or("failed");
            self.failed = Some(message.to_owned());
            turn.error(message, some(error, "/code").filter(|code| code.is_number() || code.is_string()));
        }
    }

    /// The response is over. After a failure, calls whose arguments still stream stay halves.
    pub fn finish(&mut self, turn: &mut Scribe) {
        let order = std::mem::take(&mut self.order);
        if self.failed.is_none() {
            turn.inputs_end(&order);
        }
        self.calls.clear();
        turn.reasoning_end(None);
    }

    fn call(&mut self, call: &Value, turn: &mut Scribe) {
        let index = some(call, "/index").and_then(Value::as_u64).unwrap_or(self.order.len() as u64);
        if !self.calls.contains_key(&index) {
            let id = some_text(call, "/id").map_or_else(|| format!("call-{}", turn.told()), str::to_owned);
            turn.input_start(&id, text(call, "/function/name"));
            self.order.push(id.clone());
            self.calls.insert(index, id);
        }
        turn.input_delta(&self.calls[&index], text(call, "/function/arguments"));
    }
}

/// One part of a content that is a list: text, or thinking that is a list again.
fn content(part: &Value, turn: &mut Scribe) {
    match text(part, "/type") {
        "thinking" => each(part, "/thinking").iter().for_each(|part| turn.reasoning(text(part, "/text"), None)),
        "text" => turn.text(text(part, "/text"), None),
        other => panic!("a content part {other} is not read"),
    }
}
