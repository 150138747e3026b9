//! Anthropic Messages: numbered blocks that open, grow and close.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::scribe::Scribe;
use super::value::{arguments, each, number, some, some_text, text};

/// Reads the messages of one turn.
#[derive(Debug, Default)]
pub struct Anthropic {
    message: Option<String>,
    blocks: BTreeMap<u64, Block>,
    /// Why the message failed, once it did.
    pub failed: Option<String>,
}

#[derive(Debug)]
enum Block {
    Text { sources: Vec<Value> },
    Thinking { signature: String },
    Call { id: String, name: String, input: Value, streamed: String },
    Quiet,
}

impl Anthropic {
    /// Reads one event.
    pub fn feed(&mut self, event: &Value, turn: &mut Scribe) {
        let index = number(event, "/index");
        match text(event, "/type") {
            "message_start" => {
                self.start(text(event, "/message/id"), turn);
                // Calls that a program of the model makes come whole, with the start.
                each(event, "/message/content").iter().for_each(|block| open(block, turn).close(turn));
            }
            "content_block_start" => {
                let block = open(&event["content_block"], turn);
                self.blocks.insert(index, block);
            }
            "content_block_delta" => {
                if let Some(block) = self.blocks.get_mut(&index) {
                    block.grow(&event["delta"], turn);
                }
            }
            "content_block_stop" => {
                if let Some(block) = self.blocks.remove(&index) {
                    block.close(turn);
                }
            }
            "message_delta" if text(event, "/delta/stop_reason") == "refusal" => {
                self.failed = Some("refusal".to_owned());
                turn.error("refusal", None);
            }
            "message_stop" => self.message = None,
            "error" => {
                let message = some_text(event, "/error/message").unwrap_or("failed");
                self.failed = Some(message.to_owned());
                turn.error(message, some(event, "/error/type"));
            }
            "message_delta" | "ping" => {}
            other => panic!("a message says {other}, which is not read"),
        }
    }

    /// A second start before the end is the same start again, or a second attempt: the first one broke off.
    fn start(&mut self, id: &str, turn: &mut Scribe) {
        if self.message.as_deref().is_some_and(|open| open != id) {
            self.blocks.clear();
            turn.restart();
        }
        self.message = Some(id.to_owned());
    }

    /// The stream is over; a block that never closed is closed as far as it came, a call stays half.
    pub fn finish(&mut self, turn: &mut Scribe) {
        self.message = None;
        for block in std::mem::take(&mut self.blocks).into_values() {
            if !matches!(block, Block::Call { .. }) {
                block.close(turn);
            }
        }
    }
}

/// A block opens.
fn open(block: &Value, turn: &mut Scribe) -> Block {
    match text(block, "/type") {
        "text" => {
            turn.text(text(block, "/text"), None);
            Block::Text { sources: Vec::new() }
        }
        "thinking" => {
            turn.reasoning_end(None);
            turn.reasoning(text(block, "/thinking"), None);
            Block::Thinking { signature: text(block, "/signature").to_owned() }
        }
        "redacted_thinking" => {
            turn.reasoning_opaque(&json!({"redacted": block["data"]}));
            Block::Quiet
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let (id, name) = (text(block, "/id").to_owned(), text(block, "/name").to_owned());
            turn.input_start(&id, &name);
            Block::Call { id, name, input: block["input"].clone(), streamed: String::new() }
        }
        kind if kind.ends_with("_tool_result") => {
            let is_error = block["is_error"] == true || text(block, "/content/type").ends_with("_error");
            turn.result(text(block, "/tool_use_id"), &block["content"], is_error);
            Block::Quiet
        }
        "fallback" => {
            turn.notice(&format!("another model answers: {}", text(block, "/to/model")));
            Block::Quiet
        }
        "compaction" => Block::Quiet,
        other => panic!("a block {other} is not read"),
    }
}

impl Block {
    fn grow(&mut self, delta: &Value, turn: &mut Scribe) {
        match (text(delta, "/type"), self) {
            ("text_delta", _) => turn.text(text(delta, "/text"), None),
            ("thinking_delta", _) => turn.reasoning(text(delta, "/thinking"), None),
            ("signature_delta", Self::Thinking { signature }) => signature.push_str(text(delta, "/signature")),
            ("citations_delta", Self::Text { sources }) => sources.push(delta["citation"].clone()),
            ("input_json_delta", Self::Call { id, streamed, .. }) => {
                streamed.push_str(text(delta, "/partial_json"));
                turn.input_delta(id, text(delta, "/partial_json"));
            }
            ("compaction_delta", _) => turn.part(&json!({"type": "data", "compaction": delta["content"]})),
            (other, block) => panic!("a delta {other} of {block:?} is not read"),
        }
    }

    fn close(self, turn: &mut Scribe) {
        match self {
            Self::Text { sources } => {
                for source in sources {
                    turn.part(&json!({"type": "source", "citation": source}));
                }
            }
            Self::Thinking { signature } => {
                let metadata = (!signature.is_empty()).then(|| json!({"signature": signature}));
                match (turn.is_reasoning(), metadata) {
                    (false, Some(metadata)) => turn.reasoning_opaque(&metadata),
                    (_, metadata) => turn.reasoning_end(metadata),
                }
            }
            Self::Call { id, name, input, streamed } => {
                let input = if streamed.is_empty() { input } else { arguments(&streamed) };
                turn.call(&id, &name, &input);
            }
            Self::Quiet => {}
        }
    }
}
