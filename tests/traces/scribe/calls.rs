//! Calls: their arguments, their output, the questions about them, their results.

use serde_json::{Value, json};

use super::{Scribe, Seal, with};
use crate::traces::value::arguments;

impl Scribe {
    /// The arguments of a call begin to stream.
    pub fn input_start(&mut self, call: &str, name: &str) {
        self.reasoning_closes();
        self.inputs.insert(call.to_owned(), (name.to_owned(), String::new()));
        let step = self.rows.step;
        self.tell(with(
            json!({"type": "tool-input-start", "callId": call, "name": name}),
            "step",
            step.map(Value::from),
        ));
        if self.seal == Seal::FromEvents {
            self.rows.call_place(call, name);
        }
    }

    /// The arguments of a call grow.
    pub fn input_delta(&mut self, call: &str, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if let Some((_, text)) = self.inputs.get_mut(call) {
            text.push_str(delta);
        }
        self.tell(json!({"type": "tool-input-delta", "callId": call, "delta": delta}));
    }

    /// The arguments that a call has streamed so far.
    pub fn input_text(&self, call: &str) -> &str {
        self.inputs.get(call).map_or("", |(_, text)| text)
    }

    /// The streamed arguments of a call are whole.
    pub fn input_end(&mut self, call: &str) {
        if let Some((name, text)) = self.inputs.remove(call) {
            self.call(call, &name, &arguments(&text));
        }
    }

    /// The calls whose arguments still stream are whole: the response is over.
    pub fn inputs_end(&mut self, order: &[String]) {
        for call in order {
            self.input_end(call);
        }
    }

    /// A call is whole.
    pub fn call(&mut self, call: &str, name: &str, arguments: &Value) {
        self.reasoning_closes();
        self.inputs.remove(call);
        self.open.push(call.to_owned());
        let step = self.rows.step;
        let tool = json!({"id": call, "name": name, "arguments": arguments});
        self.tell(with(json!({"type": "tool-call", "toolCall": tool}), "step", step.map(Value::from)));
        if self.seal == Seal::FromEvents {
            self.rows.call(call, name, arguments);
        }
    }

    /// A tool printed something.
    pub fn output(&mut self, call: &str, stream: &str, data: &str) {
        let known = self.outputs.entry(call.to_owned()).or_default();
        if stream == "stderr" {
            known.1.push_str(data)
        } else {
            known.0.push_str(data)
        }
        self.tell(json!({"type": "tool-output", "callId": call, "stream": stream, "data": data}));
    }

    /// A tool has answered.
    pub fn result(&mut self, call: &str, result: &Value, is_error: bool) {
        self.open.retain(|open| open != call);
        let mut event = json!({"type": "tool-result"});
        event["toolResult"] = json!({"toolCallId": call, "result": result, "isError": is_error});
        self.tell(event);
        let output = self.outputs.remove(call);
        if self.seal == Seal::FromEvents {
            let output = output.as_ref().map(|(stdout, stderr)| (stdout.as_str(), stderr.as_str()));
            self.rows.result(call, result, is_error, output);
        }
    }

    /// True while a whole call of that id has no result.
    pub fn is_open(&self, call: &str) -> bool {
        self.open.iter().any(|open| open == call)
    }

    /// A call waits for a person.
    pub fn approval_request(&mut self, call: &str, prompt: Option<&str>, options: Option<Value>) {
        let event = json!({"type": "approval-request", "callId": call});
        self.tell(with(with(event, "prompt", prompt.map(Value::from)), "options", options));
    }

    /// A call was decided.
    pub fn approval_resolved(&mut self, call: &str, decision: &str) {
        self.tell(json!({"type": "approval-resolved", "callId": call, "decision": decision}));
    }
}
