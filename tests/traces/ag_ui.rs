//! AG-UI: one array of events a run. A turn is one run, or several where it was interrupted for an answer.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::scribe::Scribe;
use super::value::{arguments, each, parse, some, some_text, text};
use super::{Folder, RecordedTurn, sse};

/// Payloads that are no JSON, or no event, in a sample about just that.
pub const MALFORMED: &str = "payloads that are broken on purpose are left out";
/// Whole histories within a run.
pub const HISTORY: &str = "a snapshot of all messages is no event of a turn";

/// The folder.
pub fn folder(root: &Path) -> Folder {
    let mut folder = Folder::open(root, "ag-ui");
    let mut series: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in folder.wanted() {
        match file.split_once("_Turn_") {
            Some((name, _)) => series.entry(name.to_owned()).or_default().push(file),
            None => samples(root, &mut folder, &file),
        }
    }
    for (name, files) in series {
        let mut thread = Runs::default();
        for file in files {
            let body = parse(&folder.take(root, &file));
            if file.contains(".Request.") { thread.request(&body) } else { thread.run(each(&body, "")) }
        }
        let notes = thread.finish();
        folder.push(&name, thread.turns, notes);
    }
    folder
}

/// The hand-written samples: runs without requests.
fn samples(root: &Path, folder: &mut Folder, file: &str) {
    let body = folder.take(root, file);
    if file.ends_with(".json") {
        let all = parse(&body);
        for (name, events) in all.as_object().expect("samples by name") {
            let mut thread = Runs::default();
            thread.run(each(events, ""));
            let notes = thread.finish();
            folder.push(&format!("{file}#{name}"), thread.turns, notes);
        }
        return;
    }
    let mut thread = Runs::default();
    for section in body.split("## ").skip(1) {
        let (name, section) = section.split_once('\n').expect("a section has a title");
        thread.end(None);
        let payloads = sse::payloads(section);
        let events: Vec<Value> = payloads.iter().filter_map(|payload| serde_json::from_str(payload).ok()).collect();
        let is_broken = name.starts_with("Malformed");
        assert!(is_broken || events.len() == payloads.len(), "only the sample {name} may be broken");
        thread.notes.extend(is_broken.then_some(MALFORMED));
        if !is_broken {
            thread.run(&events);
        }
    }
    let notes = thread.finish();
    folder.push(file, thread.turns, notes);
}

/// The runs of one thread, as they become turns.
#[derive(Default)]
struct Runs {
    turns: Vec<RecordedTurn>,
    notes: Vec<&'static str>,
    turn: Option<Scribe>,
    system: BTreeMap<String, String>,
    secret: Option<Value>,
    interrupts: BTreeMap<String, Option<String>>,
    asked: bool,
}

impl Runs {
    /// What the client asks for: a message begins a turn, results and answers go on with the open one.
    fn request(&mut self, request: &Value) {
        self.asked = true;
        let last = each(request, "/messages").last().expect("a request has messages");
        if text(last, "/role") == "user" && some(request, "/resume").is_none() {
            self.begin(Some(&last["content"]));
            self.history(each(request, "/messages"));
            return;
        }
        let Some(turn) = &mut self.turn else { panic!("a request goes on with nothing") };
        for message in each(request, "/messages").iter().rev().take_while(|message| text(message, "/role") == "tool") {
            turn.result(text(message, "/toolCallId"), &message["content"], false);
        }
        for answer in each(request, "/resume") {
            match self.interrupts.remove(text(answer, "/interruptId")).flatten() {
                Some(call) => {
                    let denied = answer["payload"]["approved"] == false;
                    turn.approval_resolved(&call, if denied { "denied" } else { "approved" });
                }
                None => turn.part(&json!({"type": "data", "answer": answer["payload"]})),
            }
        }
    }

    /// A client sends its history back: each answer in it is a row of an earlier turn, word for word.
    fn history(&self, messages: &[Value]) {
        let rows: Vec<Value> = self.turns.iter().flat_map(|turn| &turn.chunks).map(|chunk| parse(chunk)).collect();
        for said in messages.iter().filter(|message| text(message, "/role") == "assistant") {
            let is_said = |row: &Value| row["type"] == "text" && row["data"]["text"] == said["content"];
            assert!(rows.iter().any(is_said), "the history holds an answer that no turn has");
        }
    }

    fn begin(&mut self, user: Option<&Value>) {
        self.end(None);
        self.turn = Some(Scribe::start(&format!("turn-{}", self.turns.len() + 1), user));
    }

    fn end(&mut self, error: Option<&str>) {
        let outcome = if error.is_some() { "error" } else { "done" };
        self.turns.extend(self.turn.take().map(|turn| turn.end(outcome, error)));
    }

    fn finish(&mut self) -> Vec<&'static str> {
        self.end(None);
        self.notes.dedup();
        std::mem::take(&mut self.notes)
    }

    fn run(&mut self, events: &[Value]) {
        for event in events {
            if text(event, "/type") == "RUN_STARTED" && !self.asked {
                self.begin(None);
            }
            if text(event, "/type") == "RUN_ERROR" {
                let turn = self.turn.as_mut().expect("an error ends a turn");
                turn.error(text(event, "/message"), some(event, "/code"));
                self.end(Some(text(event, "/message")));
            } else if self.turn.is_some() || text(event, "/type") != "RUN_FINISHED" {
                self.event(event);
            }
        }
    }

    fn event(&mut self, event: &Value) {
        if self.turn.is_none() {
            self.begin(None);
        }
        let Some(turn) = &mut self.turn else { return };
        let (message, delta) = (text(event, "/messageId"), text(event, "/delta"));
        let call = text(event, "/toolCallId");
        match text(event, "/type") {
            "TEXT_MESSAGE_START" if text(event, "/role") == "system" => {
                self.system.entry(message.to_owned()).or_default();
            }
            "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => match self.system.get_mut(message) {
                Some(line) => line.push_str(delta),
                None => turn.text_in(message, delta),
            },
            "TEXT_MESSAGE_END" => self.system.remove(message).iter().for_each(|line| turn.notice(line)),
            "TOOL_CALL_START" => turn.input_start(call, text(event, "/toolCallName")),
            "TOOL_CALL_ARGS" => turn.input_delta(call, delta),
            "TOOL_CALL_END" => turn.input_end(call),
            "TOOL_CALL_RESULT" => turn.result(call, &arguments(text(event, "/content")), false),
            "REASONING_MESSAGE_CONTENT" | "REASONING_MESSAGE_CHUNK" => {
                turn.reasoning(delta, some_text(event, "/messageId"))
            }
            "THINKING_CONTENT" | "THINKING_TEXT_MESSAGE_CONTENT" => turn.reasoning(delta, None),
            "REASONING_ENCRYPTED_VALUE" => self.secret = Some(json!({"encrypted": event["encryptedValue"]})),
            "REASONING_END" | "THINKING_END" | "THINKING_TEXT_MESSAGE_END" => turn.reasoning_end(self.secret.take()),
            "RUN_FINISHED" => interrupts(turn, &mut self.interrupts, event),
            "MESSAGES_SNAPSHOT" => self.notes.push(HISTORY),
            "RUN_STARTED"
            | "STEP_STARTED"
            | "STEP_FINISHED"
            | "TEXT_MESSAGE_START"
            | "REASONING_START"
            | "THINKING_START"
            | "REASONING_MESSAGE_START"
            | "REASONING_MESSAGE_END"
            | "THINKING_TEXT_MESSAGE_START" => {}
            kind => turn.part(&data(kind, event)),
        }
    }
}

/// State, activities and whatever else is data of the application.
fn data(kind: &str, event: &Value) -> Value {
    match kind {
        "STATE_SNAPSHOT" => json!({"type": "data", "id": "state", "snapshot": event["snapshot"]}),
        "STATE_DELTA" => json!({"type": "data", "patch": event["delta"]}),
        "ACTIVITY_SNAPSHOT" => json!({"type": "data", "id": event["messageId"], "activity": event["content"]}),
        "ACTIVITY_DELTA" => json!({"type": "data", "patch": event["patch"]}),
        "CUSTOM" => json!({"type": "data", "name": event["name"], "value": event["value"]}),
        "RAW" => json!({"type": "data", "raw": event["event"]}),
        other => panic!("an event {other} is not read"),
    }
}

/// A run that ends with questions: each is about a call, or asks for something that the turn goes on with.
fn interrupts(turn: &mut Scribe, open: &mut BTreeMap<String, Option<String>>, event: &Value) {
    for interrupt in each(event, "/outcome/interrupts") {
        let call = some_text(interrupt, "/toolCallId").filter(|call| turn.is_open(call)).map(str::to_owned);
        match &call {
            Some(call) => turn.approval_request(
                call,
                some_text(interrupt, "/message"),
                some(interrupt, "/responseSchema").cloned(),
            ),
            None => turn.part(&json!({"type": "data", "question": interrupt})),
        }
        open.insert(text(interrupt, "/id").to_owned(), call);
    }
}
