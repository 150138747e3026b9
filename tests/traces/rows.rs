//! The rows that a server writes for a turn. Written by the rule of SPEC section 4, apart from the crate's own.

use serde_json::{Value, json};

/// The rows of one turn, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    list: Vec<Value>,
    /// Which execution writes, where the turn has several.
    pub execution: Option<String>,
    /// Which step is written, where the recording tells.
    pub step: Option<u64>,
}

impl Rows {
    /// A row of the user, all with one message id.
    pub fn user(&mut self, message: &str, kind: &str, data: Value) {
        self.list.push(json!({"role": "user", "type": kind, "data": data, "messageId": message}));
    }

    /// Text: it goes on in the last row of the answer, if that is text.
    pub fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.last("text") {
            Some(row) => extend(row, text),
            None => self.push("assistant", "text", json!({"text": text})),
        }
    }

    /// Text of a named message: it goes on in that message's text.
    pub fn text_in(&mut self, message: &str, text: &str) {
        let of_message = |row: &&mut Value| row["role"] == "assistant" && row["messageId"] == message;
        if let Some(row) = self.list.iter_mut().rev().find(of_message) {
            extend(row, text);
            return;
        }
        self.push("assistant", "text", json!({"text": text}));
        if let Some(row) = self.list.last_mut() {
            row["messageId"] = json!(message);
        }
    }

    /// Keeps the place of an item of text or reasoning, which may end behind items that began later.
    pub fn item(&mut self, kind: &str) -> usize {
        self.push("assistant", kind, json!({"text": ""}));
        let at = self.list.len() - 1;
        self.list[at]["item"] = json!(true);
        at
    }

    /// What an item ended as.
    pub fn fill(&mut self, at: usize, text: &str, metadata: Option<&Value>) {
        self.list[at]["data"]["text"] = json!(text);
        if let Some(metadata) = metadata {
            self.list[at]["data"]["metadata"] = metadata.clone();
        }
    }

    /// Reasoning: it goes on in the last row of the answer, if that is reasoning and not closed.
    pub fn reasoning(&mut self, text: &str) {
        match self.last("reasoning").filter(|row| row.get("closed").is_none()) {
            Some(row) => extend(row, text),
            None => self.push("assistant", "reasoning", json!({"text": text})),
        }
    }

    /// Closes the last reasoning, if it is open.
    pub fn reasoning_end(&mut self, metadata: Option<&Value>) {
        let Some(row) = self.list.iter_mut().rev().find(|row| row["type"] == "reasoning") else { return };
        if row.get("closed").is_some() {
            return;
        }
        row["closed"] = json!(true);
        if let Some(metadata) = metadata {
            row["data"]["metadata"] = metadata.clone();
        }
    }

    /// Keeps the place of a call whose arguments are not whole yet.
    pub fn call_place(&mut self, call: &str, name: &str) {
        if self.open_call(call).is_none() {
            self.push("assistant", "tool_call", json!({"callId": call, "name": name}));
        }
    }

    /// A whole call, in its place or at the end.
    pub fn call(&mut self, call: &str, name: &str, arguments: &Value) {
        self.call_place(call, name);
        if let Some(row) = self.open_call(call) {
            row["data"]["name"] = json!(name);
            row["data"]["arguments"] = arguments.clone();
        }
    }

    /// A result, with what the tool printed.
    pub fn result(&mut self, call: &str, result: &Value, is_error: bool, output: Option<(&str, &str)>) {
        let mut data = json!({"callId": call, "result": result, "isError": is_error});
        if let Some(row) = self.open_call(call) {
            row["answered"] = json!(true);
            data["name"] = row["data"]["name"].clone();
        }
        if let Some((stdout, stderr)) = output {
            data["output"] = json!({"stdout": stdout, "stderr": stderr});
        }
        self.push("tool", "tool_result", data);
    }

    /// A file, a source or data; the same id takes the place of the one before.
    pub fn part(&mut self, part: &Value) {
        let same = |row: &&mut Value| {
            part.get("id").is_some() && row["data"].get("id") == part.get("id") && row["type"] == part["type"]
        };
        match self.list.iter_mut().find(same) {
            Some(row) => row["data"] = part.clone(),
            None => self.push("assistant", part["type"].as_str().unwrap_or_default(), part.clone()),
        }
    }

    /// An error of the answer.
    pub fn error(&mut self, message: &str, code: Option<&Value>) {
        let mut data = json!({"message": message});
        if let Some(code) = code {
            data["statusCode"] = code.clone();
        }
        self.push("assistant", "error", data);
    }

    /// A line of the system.
    pub fn notice(&mut self, text: &str) {
        self.push("system", "system", json!({"kind": "notice", "text": text}));
    }

    /// The rows as chunks without `seq`. A call whose arguments never became whole is none.
    pub fn into_chunks(self, turn: &str) -> Vec<String> {
        let half = |row: &Value| row["type"] == "tool_call" && row["data"].get("arguments").is_none();
        let unfilled = |row: &Value| {
            row.get("item").is_some() && row["data"]["text"] == "" && row["data"].get("metadata").is_none()
        };
        let mut rows: Vec<Value> = Vec::new();
        for row in self.list.into_iter().filter(|row| !half(row) && !unfilled(row)) {
            // Two items of text one after the other are one text, as their deltas are.
            let is_text = |row: &Value| row["type"] == "text" && row.get("item").is_some();
            match rows.last_mut().filter(|last| is_text(last) && is_text(&row)) {
                Some(last) => extend(last, row["data"]["text"].as_str().unwrap_or_default()),
                None => rows.push(row),
            }
        }
        let finished = rows.into_iter().map(|mut row| {
            row["turnId"] = json!(turn);
            if let Some(row) = row.as_object_mut() {
                row.remove("closed");
                row.remove("answered");
                row.remove("item");
            }
            row.to_string()
        });
        finished.collect()
    }

    /// Names an execution in the rows so far that name none.
    pub fn name_execution(&mut self, execution: &str) {
        for row in self.list.iter_mut().filter(|row| row["role"] != "user" && row.get("executionId").is_none()) {
            row["executionId"] = json!(execution);
        }
    }

    /// The last row of the running execution that a part is made of, if it is of that type. A result is no part of its own.
    fn last(&mut self, kind: &str) -> Option<&mut Value> {
        let execution = self.execution.clone();
        let of_answer =
            |row: &&mut Value| row["role"] == "assistant" && row["executionId"].as_str() == execution.as_deref();
        self.list.iter_mut().rev().find(of_answer).filter(|row| row["type"] == kind)
    }

    /// The newest call of that id without a result.
    fn open_call(&mut self, call: &str) -> Option<&mut Value> {
        let open = |row: &&mut Value| {
            row["type"] == "tool_call" && row["data"]["callId"] == call && row.get("answered").is_none()
        };
        self.list.iter_mut().rev().find(open)
    }

    fn push(&mut self, role: &str, kind: &str, data: Value) {
        let mut row = json!({"role": role, "type": kind, "data": data});
        if let Some(execution) = &self.execution {
            row["executionId"] = json!(execution);
        }
        if let Some(step) = self.step.filter(|_| kind.starts_with("tool_")) {
            row["step"] = json!(step);
        }
        self.list.push(row);
    }
}

fn extend(row: &mut Value, more: &str) {
    let text = row["data"]["text"].as_str().unwrap_or_default().to_owned();
    row["data"]["text"] = json!(text + more);
}
