//! Messages of any vendor read as beats: the one thing that the order rules are about.

use super::Vendor;
use super::json::{self, Fields, Shape};

/// One thing in the order in which an API reads it.
pub(super) struct Beat {
    /// The index of its message.
    pub(super) at: usize,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    User,
    Assistant,
    Reasoning,
    Call(String),
    Result(String),
    /// Instructions of the host; they stand wherever the host wants.
    System,
}

/// Reads messages into beats. What has the wrong shape is told and left out.
pub(super) fn read(messages: &str, vendor: Vendor) -> (Vec<Beat>, Vec<String>) {
    let Some(list) = json::list(messages) else {
        return (Vec::new(), vec!["json: the messages are not one JSON array".to_owned()]);
    };
    let mut reader = Reader { at: 0, beats: Vec::new(), problems: Vec::new() };
    for (at, raw) in list.into_iter().enumerate() {
        reader.at = at;
        let Some(fields) = json::object(raw) else {
            reader.shape("is not an object");
            continue;
        };
        match vendor {
            Vendor::Anthropic => reader.anthropic(&fields),
            Vendor::OpenaiChat => reader.chat(&fields),
            Vendor::OpenaiResponses => reader.responses(&fields),
            Vendor::Neutral => reader.neutral(&fields),
        }
    }
    (reader.beats, reader.problems)
}

struct Reader {
    at: usize,
    beats: Vec<Beat>,
    problems: Vec<String>,
}

impl Reader {
    fn beat(&mut self, kind: Kind) {
        self.beats.push(Beat { at: self.at, kind });
    }

    fn shape(&mut self, what: &str) {
        self.rule("shape", what);
    }

    fn rule(&mut self, rule: &str, what: &str) {
        self.problems.push(format!("{rule}: message {} {what}", self.at));
    }

    /// A call or result under its id.
    fn named(&mut self, fields: &Fields<'_>, key: &str, kind: fn(String) -> Kind) {
        match json::text_of(fields, key) {
            Some(id) => self.beat(kind(id)),
            None => self.shape(&format!("lacks the string `{key}`")),
        }
    }

    fn needs_text(&mut self, fields: &Fields<'_>, keys: &[&str]) {
        for key in keys {
            if json::text_of(fields, key).is_none() {
                self.shape(&format!("lacks the string `{key}`"));
            }
        }
    }

    fn anthropic(&mut self, fields: &Fields<'_>) {
        let role = json::text_of(fields, "role").unwrap_or_default();
        let said: fn() -> Kind = match role.as_str() {
            "user" => || Kind::User,
            "assistant" => || Kind::Assistant,
            _ => return self.shape("has neither the role user nor assistant"),
        };
        let blocks = match fields.get("content").and_then(|raw| json::read(raw)) {
            Some(Shape::Text(text)) => {
                self.not_blank(&text);
                return self.beat(said());
            }
            Some(Shape::List(blocks)) if !blocks.is_empty() => blocks,
            Some(Shape::List(_) | Shape::Object(_) | Shape::Word(_)) | None => {
                return self.shape("has no content");
            }
        };
        for block in blocks {
            match json::object(block) {
                Some(block) => self.anthropic_block(&block, &role, said),
                None => self.shape("has a block that is not an object"),
            }
        }
    }

    fn anthropic_block(&mut self, block: &Fields<'_>, role: &str, said: fn() -> Kind) {
        let kind = json::text_of(block, "type").unwrap_or_default();
        match (kind.as_str(), role) {
            ("tool_use", "assistant") => self.anthropic_call(block),
            ("tool_result", "user") => self.named(block, "tool_use_id", Kind::Result),
            ("thinking", "assistant") => {
                self.needs_text(block, &["thinking"]);
                if json::text_of(block, "signature").is_none_or(|text| text.is_empty()) {
                    self.rule("A5 unsigned_thinking", "has thinking without a signature");
                }
                self.beat(Kind::Reasoning);
            }
            ("redacted_thinking", "assistant") => {
                self.needs_text(block, &["data"]);
                self.beat(Kind::Reasoning);
            }
            ("text", _) => {
                self.not_blank(&json::text_of(block, "text").unwrap_or_default());
                self.beat(said());
            }
            ("image" | "document" | "search_result", "user") => self.beat(said()),
            (other, _) => self.shape(&format!("has a block of type `{other}` in the role {role}")),
        }
    }

    fn anthropic_call(&mut self, block: &Fields<'_>) {
        self.needs_text(block, &["name"]);
        if block.get("input").and_then(|raw| json::object(raw)).is_none() {
            self.shape("has a call whose `input` is not an object");
        }
        self.named(block, "id", Kind::Call);
    }

    fn not_blank(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.shape("has a blank text");
        }
    }

    fn chat(&mut self, fields: &Fields<'_>) {
        let role = json::text_of(fields, "role").unwrap_or_default();
        let content = fields.get("content").and_then(|raw| json::read(raw));
        let has_content = match &content {
            Some(Shape::Text(_)) => true,
            Some(Shape::List(list)) => !list.is_empty(),
            Some(Shape::Object(_) | Shape::Word(_)) | None => false,
        };
        match role.as_str() {
            "system" | "developer" => self.beat(Kind::System),
            "user" if has_content => self.beat(Kind::User),
            "assistant" => self.chat_assistant(fields, has_content),
            "tool" => {
                let is_text = match &content {
                    Some(Shape::Text(_)) => true,
                    Some(Shape::List(list)) => list.iter().all(|raw| is_text_part(raw)),
                    Some(Shape::Object(_) | Shape::Word(_)) | None => false,
                };
                if !is_text {
                    self.rule("O3 tool_content_not_text", "has a result that is not text");
                }
                self.named(fields, "tool_call_id", Kind::Result);
            }
            _ => self.shape("has no known role, or no content"),
        }
    }

    fn chat_assistant(&mut self, fields: &Fields<'_>, has_content: bool) {
        let calls = match fields.get("tool_calls").map(|raw| json::list(raw)) {
            None => Vec::new(),
            Some(Some(calls)) if !calls.is_empty() => calls,
            Some(_) => return self.shape("has `tool_calls` that is no list of calls"),
        };
        if has_content {
            self.beat(Kind::Assistant);
        } else if calls.is_empty() {
            self.shape("is an assistant message with neither content nor calls");
        }
        for call in calls {
            let call = json::object(call).unwrap_or_default();
            let function = call.get("function").and_then(|raw| json::object(raw)).unwrap_or_default();
            self.needs_text(&function, &["name", "arguments"]);
            self.named(&call, "id", Kind::Call);
        }
    }

    fn responses(&mut self, fields: &Fields<'_>) {
        let kind = json::text_of(fields, "type").unwrap_or_else(|| "message".to_owned());
        match kind.as_str() {
            "message" => {
                let role = json::text_of(fields, "role").unwrap_or_default();
                if !fields.contains_key("content") {
                    self.shape("has no content");
                }
                match role.as_str() {
                    "user" => self.beat(Kind::User),
                    "assistant" => self.beat(Kind::Assistant),
                    "system" | "developer" => self.beat(Kind::System),
                    _ => self.shape("has no known role"),
                }
            }
            "reasoning" => self.beat(Kind::Reasoning),
            "function_call" => {
                self.needs_text(fields, &["name", "arguments"]);
                self.named(fields, "call_id", Kind::Call);
            }
            "function_call_output" => {
                match fields.get("output").and_then(|raw| json::read(raw)) {
                    Some(Shape::Text(_) | Shape::List(_)) => {}
                    Some(Shape::Object(_) | Shape::Word(_)) | None => {
                        self.rule("R6 output_shape", "has an output that is neither a string nor a list");
                    }
                }
                self.named(fields, "call_id", Kind::Result);
            }
            other => self.shape(&format!("is an item of unknown type `{other}`")),
        }
    }

    fn neutral(&mut self, fields: &Fields<'_>) {
        let role = json::text_of(fields, "role").unwrap_or_default();
        let Some(parts) = fields.get("content").and_then(|raw| json::list(raw)).filter(|list| !list.is_empty()) else {
            return self.shape("has no content");
        };
        for part in parts {
            let part = json::object(part).unwrap_or_default();
            let kind = json::text_of(&part, "type").unwrap_or_default();
            match (role.as_str(), kind.as_str()) {
                ("assistant", "tool_call") => {
                    self.needs_text(&part, &["name"]);
                    self.named(&part, "callId", Kind::Call);
                }
                ("tool", "tool_result") => self.named(&part, "callId", Kind::Result),
                ("assistant", "reasoning") => self.beat(Kind::Reasoning),
                ("assistant", "text" | "file") => self.beat(Kind::Assistant),
                ("user", "text" | "file") => self.beat(Kind::User),
                (_, other) => self.shape(&format!("has a part of type `{other}` in the role `{role}`")),
            }
        }
    }
}

fn is_text_part(raw: &str) -> bool {
    json::object(raw).and_then(|part| json::text_of(&part, "type")).is_some_and(|kind| kind == "text")
}
