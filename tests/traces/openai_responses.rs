//! OpenAI Responses: streamed items; the whole item at its end is the sealed form.

use std::collections::BTreeMap;

use serde_json::Value;

use super::openai_items::{self, Item};
use super::scribe::{Scribe, Seal};
use super::value::{number, some_text, text};

/// Reads the responses of one turn.
#[derive(Debug, Default)]
pub struct Responses {
    response: String,
    last: Option<u64>,
    items: BTreeMap<u64, Item>,
    /// The newest search for tools: its output does not name it.
    pub search: Option<String>,
    /// Calls that a person had to decide on.
    pub asked: Vec<String>,
    /// True where a message ends as something else than it streamed.
    pub is_edited: bool,
    /// Why the response failed, once it did.
    pub failed: Option<String>,
}

impl Responses {
    /// Reads one event. Events that a resumed response repeats are known by their number and say nothing again.
    pub fn feed(&mut self, event: &Value, turn: &mut Scribe) {
        let kind = text(event, "/type");
        if let Some(id) = some_text(event, "/response/id")
            && id != self.response
        {
            self.response = id.to_owned();
            self.last = None;
            self.items.clear();
        }
        let sequence = event.get("sequence_number").and_then(Value::as_u64);
        if sequence.is_some() && sequence <= self.last {
            return;
        }
        self.last = sequence.or(self.last);
        turn.seal = Seal::FromRecording;
        self.event(kind, event, turn);
        turn.seal = Seal::FromEvents;
    }

    fn event(&mut self, kind: &str, event: &Value, turn: &mut Scribe) {
        let index = number(event, "/output_index");
        let delta = text(event, "/delta");
        match kind {
            "response.output_item.added" => {
                self.items.insert(index, Item::open(&event["item"], &self.asked, turn));
            }
            "response.output_text.delta" | "response.refusal.delta" => {
                self.items.entry(index).or_default().streamed.push_str(delta);
                turn.text(delta, some_text(event, "/item_id"));
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.items.entry(index).or_default().streamed.push_str(delta);
                turn.reasoning(delta, some_text(event, "/item_id"));
            }
            "response.reasoning_summary_part.added" if number(event, "/summary_index") > 0 => {
                let item = self.items.entry(index).or_default();
                item.streamed.push_str(openai_items::BETWEEN);
                turn.reasoning(openai_items::BETWEEN, some_text(event, "/item_id"));
            }
            "response.function_call_arguments.delta"
            | "response.mcp_call_arguments.delta"
            | "response.custom_tool_call_input.delta"
            | "response.code_interpreter_call_code.delta"
            | "response.apply_patch_call_operation_diff.delta"
            | "response.shell_call_command.delta" => {
                let item = self.items.entry(index).or_default();
                item.streamed.push_str(delta);
                if let Some(call) = item.call.clone() {
                    turn.input_delta(&call, delta);
                }
            }
            "response.output_item.done" => {
                let item = self.items.remove(&index).unwrap_or_default();
                openai_items::seal(self, item, &event["item"], turn);
            }
            "error" | "response.failed" | "response.incomplete" => self.fail(event, turn),
            _ => assert!(is_quiet(kind), "a response says {kind}, which is not read"),
        }
    }

    /// A failure may be told twice: as an error, and as the end of the response.
    fn fail(&mut self, event: &Value, turn: &mut Scribe) {
        if self.failed.is_some() {
            return;
        }
        let reasons = ["/error/message", "/message", "/response/error/message", "/response/incomplete_details/reason"];
        let reason = reasons.iter().find_map(|at| some_text(event, at)).unwrap_or("failed");
        self.failed = Some(reason.to_owned());
        turn.seal = Seal::FromEvents;
        turn.error(reason, event.pointer("/error/code").or_else(|| event.pointer("/response/error/code")));
    }

    /// The stream is over. Text of an item that never ended is written as far as it came.
    pub fn finish(&mut self, turn: &mut Scribe) {
        for item in std::mem::take(&mut self.items).into_values() {
            if let Some(at) = item.row {
                turn.rows.fill(at, &item.streamed, None);
            }
        }
        turn.reasoning_end(None);
    }
}

/// Events that say again what others said, or that only tell the time.
fn is_quiet(kind: &str) -> bool {
    let ends =
        [".done", ".created", ".in_progress", ".completed", ".searching", ".interpreting", ".queued", "part.added"];
    let more = ["response.output_text.annotation.added", "response.shell_call_command.added", "keepalive"];
    ends.iter().any(|end| kind.ends_with(end))
        || more.contains(&kind)
        || kind == "response.shell_call_output_content.delta"
}
