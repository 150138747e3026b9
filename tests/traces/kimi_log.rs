//! Kimi: the sealed log of a session, `context.jsonl`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::rows::Rows;
use super::value::{arguments, each, parse, some, some_text, text};

/// One turn of the log.
#[derive(Clone, Debug)]
pub struct LogTurn {
    /// What the person said.
    pub user: Value,
    /// Its rows.
    pub units: Vec<Unit>,
}

/// One row of the log, under the name by which the stream knows it too.
#[derive(Clone, Debug)]
pub struct Unit {
    /// `think:0`, `text:0`: the place among its kind in the turn; `call:c`, `result:c`: the call.
    pub key: String,
    /// The step.
    pub step: u64,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Think { text: String, metadata: Option<Value> },
    Text { text: String },
    Call { id: String, name: String, arguments: Value },
    Result { id: String, result: Value, is_error: bool },
}

/// Reads a log. The second answer: how many lines the harness wrote in the person's name.
pub fn turns(body: &str) -> (Vec<LogTurn>, usize) {
    let mut turns: Vec<LogTurn> = Vec::new();
    let (mut reminders, mut step) = (0, 0);
    for line in body.lines().filter(|line| !line.trim().is_empty()).map(parse) {
        match text(&line, "/role") {
            "user" if content_text(&line["content"]).starts_with("<system-reminder>") => reminders += 1,
            "user" => {
                step = 0;
                turns.push(LogTurn { user: said(&line["content"]), units: Vec::new() });
            }
            "assistant" => {
                let turn = turns.last_mut().expect("an answer follows a message");
                answer(turn, &line, step);
                step += 1;
            }
            "tool" => {
                let turn = turns.last_mut().expect("a result follows a message");
                let id = text(&line, "/tool_call_id").to_owned();
                let result = flat(&line["content"]);
                let is_error = content_text(&line["content"]).starts_with("<system>ERROR: ");
                turn.units.push(Unit {
                    key: format!("result:{id}"),
                    step: step - 1,
                    body: Body::Result { id, result, is_error },
                });
            }
            "_system_prompt" | "_checkpoint" | "_usage" => {}
            other => panic!("a row of {other} is not read"),
        }
    }
    (turns, reminders)
}

fn answer(turn: &mut LogTurn, line: &Value, step: u64) {
    for part in each(line, "/content") {
        let kind = text(part, "/type");
        let place = turn.units.iter().filter(|unit| unit.key.starts_with(kind)).count();
        let body = match kind {
            "think" => Body::Think { text: text(part, "/think").to_owned(), metadata: encrypted(part) },
            "text" => Body::Text { text: text(part, "/text").to_owned() },
            other => panic!("a part {other} is not read"),
        };
        turn.units.push(Unit { key: format!("{kind}:{place}"), step, body });
    }
    if let Some(text) = line["content"].as_str() {
        let place = turn.units.iter().filter(|unit| unit.key.starts_with("text")).count();
        turn.units.push(Unit { key: format!("text:{place}"), step, body: Body::Text { text: text.to_owned() } });
    }
    for call in each(line, "/tool_calls") {
        let id = text(call, "/id").to_owned();
        let (name, arguments) = (text(call, "/function/name").to_owned(), arguments(text(call, "/function/arguments")));
        turn.units.push(Unit { key: format!("call:{id}"), step, body: Body::Call { id, name, arguments } });
    }
}

impl Unit {
    /// Writes the row.
    pub fn write(&self, rows: &mut Rows) {
        rows.step = Some(self.step);
        match &self.body {
            Body::Think { text, metadata } => {
                rows.reasoning(text);
                rows.reasoning_end(metadata.as_ref());
            }
            Body::Text { text } => rows.text(text),
            Body::Call { id, name, arguments } => rows.call(id, name, arguments),
            Body::Result { id, result, is_error } => rows.result(id, result, *is_error, None),
        }
    }
}

/// What the authors of a fixture put at the end of a text that they shortened.
const SHORT: &str = "... [truncated]";

impl Unit {
    /// Gives a shortened text back what is missing, if the stream's begins like it. Says whether it did.
    pub fn lengthen(&mut self, streamed: &BTreeMap<String, Value>) -> bool {
        let Some(streamed) = streamed.get(&self.key) else { return false };
        match &mut self.body {
            Body::Think { text, .. } | Body::Text { text } => {
                let mut value = json!(text);
                let did = lengthen(&mut value, streamed);
                *text = value.as_str().unwrap_or_default().to_owned();
                did
            }
            Body::Call { arguments: told, .. } => {
                let did = lengthen(told, streamed);
                *told = if did { arguments(streamed.as_str().unwrap_or_default()) } else { told.clone() };
                did
            }
            Body::Result { result, .. } => {
                let mut did = lengthen(result, streamed);
                if let (Some(parts), Some(whole)) = (result.as_array_mut(), streamed.as_array()) {
                    for (part, whole) in parts.iter_mut().zip(whole) {
                        did |= lengthen(&mut part["text"], &whole["text"]);
                    }
                }
                did
            }
        }
    }
}

fn lengthen(text: &mut Value, whole: &Value) -> bool {
    let begins = |start: &str| whole.as_str().is_some_and(|whole| whole.starts_with(start.trim_end()));
    let is_short = text.as_str().and_then(|text| text.strip_suffix(SHORT)).is_some_and(begins);
    if is_short {
        *text = whole.clone();
    }
    is_short
}

/// What seals a thought, if there is something.
pub fn encrypted(part: &Value) -> Option<Value> {
    some(part, "/encrypted").map(|secret| json!({"encrypted": secret}))
}

/// What a person said: text, or parts where there is more than text. The stream and the log name a picture differently.
pub fn said(content: &Value) -> Value {
    let Some(parts) = content.as_array() else { return content.clone() };
    if let [only] = parts.as_slice()
        && text(only, "/type") == "text"
    {
        return only["text"].clone();
    }
    let part = |part: &Value| match text(part, "/type") {
        "text" => json!({"type": "text", "text": part["text"]}),
        kind => {
            let kind = kind.trim_end_matches("_url");
            let url =
                some(part, "/url").or_else(|| some(part, &format!("/{kind}_url/url"))).expect("a file has its url");
            json!({"type": "file", "kind": kind, "url": url})
        }
    };
    parts.iter().map(part).collect()
}

/// Content of one text is that text.
pub fn flat(content: &Value) -> Value {
    match content.as_array().map(Vec::as_slice) {
        Some([only]) if text(only, "/type") == "text" => only["text"].clone(),
        Some(_) | None => content.clone(),
    }
}

fn content_text(content: &Value) -> &str {
    content.as_str().unwrap_or_else(|| text(content, "/0/text"))
}

/// The text that the harness makes of a tool's answer.
pub fn told_to_the_model(value: &Value) -> Value {
    let error = if value["is_error"] == true { "ERROR: " } else { "" };
    let message = some_text(value, "/message").map(|message| format!("<system>{error}{message}</system>"));
    let mut parts: Vec<Value> = message.iter().map(|text| json!({"type": "text", "text": text})).collect();
    match &value["output"] {
        Value::String(output) if output.is_empty() => {}
        Value::String(output) => parts.push(json!({"type": "text", "text": output})),
        output => parts.extend(each(output, "").iter().cloned()),
    }
    flat(&Value::Array(parts))
}
