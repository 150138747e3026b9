//! Gemini generateContent streams: whole parts, calls without ids, arguments that may come path by path.

use serde_json::{Map, Value, json};

use super::scribe::Scribe;
use super::value::{each, some, some_text, text};

/// Reads the responses of one turn.
#[derive(Debug, Default)]
pub struct Gemini {
    made: usize,
    open: Option<Open>,
    signature: Option<String>,
    /// The calls without a result: id and name.
    pub asked: Vec<(String, String)>,
    /// Why the response failed, once it did.
    pub failed: Option<String>,
}

/// A call whose arguments stream.
#[derive(Debug)]
struct Open {
    id: String,
    name: String,
    arguments: Value,
}

impl Gemini {
    /// Reads one chunk of a response.
    pub fn feed(&mut self, chunk: &Value, turn: &mut Scribe) {
        let Some(candidate) = each(chunk, "/candidates").first() else { return };
        for part in each(candidate, "/content/parts") {
            self.part(part, turn);
        }
        if let Some(reason) = some_text(candidate, "/finishReason") {
            self.finish(turn);
            if !["STOP", "MAX_TOKENS"].contains(&reason) {
                self.failed = Some(reason.to_owned());
                turn.error(reason, None);
            }
        }
    }

    /// The response is over.
    pub fn finish(&mut self, turn: &mut Scribe) {
        self.close(turn);
        self.thought_ends(turn);
    }

    fn part(&mut self, part: &Value, turn: &mut Scribe) {
        let signature = some_text(part, "/thoughtSignature").map(str::to_owned);
        if let Some(call) = some(part, "/functionCall") {
            self.thought_ends(turn);
            self.call(call, turn);
            if let Some(signature) = signature {
                turn.part(&json!({"type": "data", "thoughtSignature": signature}));
            }
        } else if let Some(code) = some(part, "/executableCode") {
            self.thought_ends(turn);
            let id = self.next(some_text(code, "/id"));
            turn.call(&id, "code_execution", code);
            self.asked.push((id, "code_execution".to_owned()));
        } else if let Some(result) = some(part, "/codeExecutionResult") {
            if let Some(at) = self.asked.iter().rposition(|(_, name)| name == "code_execution") {
                let (id, _) = self.asked.remove(at);
                turn.result(&id, result, text(result, "/outcome") != "OUTCOME_OK");
            }
        } else if part["thought"] == true {
            self.signature = signature.or(self.signature.take());
            turn.reasoning(text(part, "/text"), None);
        } else {
            self.signature = signature.or(self.signature.take());
            if some_text(part, "/text").is_some() {
                self.thought_ends(turn);
            }
            turn.text(text(part, "/text"), None);
        }
    }

    /// The signature comes with the last thought, or with what follows it.
    fn thought_ends(&mut self, turn: &mut Scribe) {
        let signature = self.signature.take().map(|signature| json!({"signature": signature}));
        turn.reasoning_end(signature);
    }

    /// A whole call, or a piece of one: a name opens, paths grow, nothing at all closes.
    fn call(&mut self, call: &Value, turn: &mut Scribe) {
        let goes_on = call["willContinue"] == true;
        if let Some(name) = some_text(call, "/name") {
            self.close(turn);
            let id = self.next(some_text(call, "/id"));
            self.asked.push((id.clone(), name.to_owned()));
            let arguments = some(call, "/args").cloned().unwrap_or_else(|| Value::Object(Map::new()));
            if !goes_on {
                turn.call(&id, name, &arguments);
                return;
            }
            turn.input_start(&id, name);
            self.open = Some(Open { id, name: name.to_owned(), arguments });
        }
        for piece in each(call, "/partialArgs") {
            let Some(open) = &mut self.open else { break };
            let Some(object) = piece.as_object() else { continue };
            let value =
                object.iter().find(|(key, _)| key.ends_with("Value")).map_or(Value::Null, |(_, value)| value.clone());
            // The pieces are no JSON text: the piece itself is what a person may watch.
            turn.input_delta(&open.id, &piece.to_string());
            set(&mut open.arguments, text(piece, "/jsonPath"), value);
        }
        if !goes_on {
            self.close(turn);
        }
    }

    fn close(&mut self, turn: &mut Scribe) {
        if let Some(open) = self.open.take() {
            turn.call(&open.id, &open.name, &open.arguments);
        }
    }

    fn next(&mut self, id: Option<&str>) -> String {
        self.made += 1;
        id.map_or_else(|| format!("call-{}", self.made), str::to_owned)
    }
}

/// Puts a value at a path like `$.a.b[0].c`; text is added to the text that is there.
fn set(root: &mut Value, path: &str, value: Value) {
    let path = path.trim_start_matches('$').replace('[', ".").replace(']', "").replace(['\'', '"'], "");
    let mut at = root;
    for key in path.split('.').filter(|key| !key.is_empty()) {
        at = match key.parse::<usize>() {
            Ok(index) => {
                if !at.is_array() {
                    *at = json!([]);
                }
                let list = at.as_array_mut().expect("an array was just put here");
                while list.len() <= index {
                    list.push(Value::Null);
                }
                &mut list[index]
            }
            Err(_) => {
                if !at.is_object() {
                    *at = json!({});
                }
                &mut at[key]
            }
        };
    }
    *at = match (&*at, value) {
        (Value::String(known), Value::String(more)) => Value::String(known.clone() + &more),
        (_, value) => value,
    };
}
