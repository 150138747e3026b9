//! Kimi: the stream of a session (`wire.jsonl`) beside its sealed log (`context.jsonl`).
//!
//! The events are told from the stream, the chunks from the log. They are two files of two writers, so their agreement is
//! a real proof. Where the two differ on purpose, the thread has a note:
//! - [`REMINDERS`]: the harness writes lines in the person's name into the log. They are no messages.
//! - [`CUT`]: both files were shortened to their first lines. Of the last turn that either holds, only that counts which
//!   both hold, by its name (the place among its kind, the id of the call), never by its content.
//! - [`EDITED`]: the authors of the fixture wrote another message into one of the files. The stream's is taken.
//! - [`SUBAGENT`]: what a subagent streams belongs to a thread of its own.
//! - [`COMPACTED`]: a compaction rewrites the log; here its turns stand as they were.
//! - [`SHORTENED`]: the authors of the fixture shortened long texts of the log. Where the text of the stream begins with
//!   what is left, it takes its place.
//! - A result: the log holds the text that the model is told, made of the tool's message and its output by a fixed rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::kimi_log::{self, LogTurn, encrypted, said};
use super::scribe::{Scribe, Seal};
use super::value::{each, number, parse, some, some_text, text};
use super::{Folder, RecordedTurn};

/// Lines that the harness wrote in the person's name are left out of the chunks.
pub const REMINDERS: &str = "lines of the harness in the person's name are no messages";
/// The files were shortened.
pub const CUT: &str = "log and stream were shortened to different lengths: the last turn is what both hold";
/// The fixture was edited.
pub const EDITED: &str = "the fixture's log has another message of the person than its stream: the stream's is taken";
/// The log was shortened.
pub const SHORTENED: &str =
    "long texts of the log were shortened by hand: where the stream begins the same, its text is taken";
/// A subagent streams.
pub const SUBAGENT: &str = "events of a subagent belong to its own thread";
/// The log was compacted.
pub const COMPACTED: &str = "a compaction rewrites the log: the turns stand as they were";

/// The folder.
pub fn folder(root: &Path) -> Folder {
    let mut folder = Folder::open(root, "kimi-code");
    for file in folder.wanted() {
        let Some(session) = file.strip_suffix("__wire.jsonl") else { continue };
        let wire: Vec<Value> = folder.take(root, &file).lines().map(parse).collect();
        let log = format!("{session}__context.jsonl");
        if !folder.files.contains(&log) {
            let (turns, notes) = newer(&wire);
            folder.push(session, turns, notes);
            continue;
        }
        let (log, reminders) = kimi_log::turns(&folder.take(root, &log));
        let (turns, mut notes) = session_turns(&wire, &log);
        notes.extend((reminders > 0).then_some(REMINDERS));
        folder.push(session, turns, notes);
    }
    folder
}

/// The turns of a stream, sealed by a log.
fn session_turns(wire: &[Value], log: &[LogTurn]) -> (Vec<RecordedTurn>, Vec<&'static str>) {
    let begins = |line: &&Value| text(line, "/message/type") == "TurnBegin";
    let first = wire.iter().position(|line| begins(&line)).expect("a turn");
    let turns: Vec<&[Value]> = split(&wire[first..], begins);
    let (mut told, mut notes) = (Vec::new(), Vec::new());
    let last = turns.len().min(log.len()) - 1;
    notes.extend((turns.len() != log.len()).then_some(CUT));
    for (place, (lines, sealed)) in turns.iter().zip(log).enumerate() {
        let mut turn = Turn::start(place, &lines[0], sealed, &mut notes);
        lines[1..].iter().enumerate().for_each(|(at, line)| turn.line(line, &lines[at + 2..], &mut notes));
        let ended = text(lines.last().expect("a line"), "/message/type") == "TurnEnd";
        told.push(turn.end(sealed, place == last, ended, &mut notes));
    }
    notes.sort_unstable();
    notes.dedup();
    (told, notes)
}

/// The lines by turn: each begins where `begins` says so.
fn split(lines: &[Value], begins: impl Fn(&&Value) -> bool) -> Vec<&[Value]> {
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| begins(&&lines[at])).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &lines[start..end]).collect()
}

/// A turn of a stream, with the name of the row that each event makes.
struct Turn {
    scribe: Scribe,
    keys: Vec<Option<String>>,
    last_call: String,
    /// The texts of the stream, by the name of their row.
    texts: BTreeMap<String, Value>,
    /// Calls whose arguments are not whole yet.
    halves: BTreeSet<String>,
}

impl Turn {
    fn start(place: usize, begin: &Value, sealed: &LogTurn, notes: &mut Vec<&'static str>) -> Self {
        let user = said(&begin["message"]["payload"]["user_input"]);
        notes.extend((user != sealed.user).then_some(EDITED));
        let mut scribe = Scribe::start(&format!("turn-{}", place + 1), Some(&user));
        scribe.seal = Seal::FromRecording;
        Self { scribe, keys: vec![None], last_call: String::new(), texts: BTreeMap::new(), halves: BTreeSet::new() }
    }

    /// One line; `rest` is what follows in the turn.
    fn line(&mut self, line: &Value, rest: &[Value], notes: &mut Vec<&'static str>) {
        let payload = &line["message"]["payload"];
        match text(line, "/message/type") {
            "StepBegin" => self.scribe.rows.step = Some(number(payload, "/n") - 1),
            "ContentPart" => self.content(payload),
            "ToolCall" => {
                let id = text(payload, "/id").to_owned();
                self.scribe.input_start(&id, text(payload, "/function/name"));
                self.scribe.input_delta(&id, text(payload, "/function/arguments"));
                self.last_call = id;
                self.whole(rest);
            }
            "ToolCallPart" => {
                let id = self.last_call.clone();
                self.scribe.input_delta(&id, text(payload, "/arguments_part"));
                self.whole(rest);
            }
            "ApprovalRequest" => {
                let id = text(payload, "/tool_call_id").to_owned();
                let options = Some(payload["display"].clone());
                self.scribe.approval_request(&id, some_text(payload, "/description"), options);
                self.note(format!("call:{id}"));
                self.last_call = id;
            }
            "ApprovalResponse" => {
                let approved = text(payload, "/response").starts_with("approve");
                let id = self.last_call.clone();
                self.scribe.approval_resolved(&id, if approved { "approved" } else { "denied" });
                self.note(format!("call:{id}"));
            }
            "ToolResult" => self.result(payload),
            "SubagentEvent" => notes.push(SUBAGENT),
            "StatusUpdate" | "HookTriggered" | "HookResolved" | "TurnEnd" => {}
            other => panic!("an event {other} is not read"),
        }
    }

    fn result(&mut self, payload: &Value) {
        let id = text(payload, "/tool_call_id").to_owned();
        let value = &payload["return_value"];
        let result = kimi_log::told_to_the_model(value);
        self.scribe.result(&id, &result, value["is_error"] == true);
        self.texts.insert(format!("result:{id}"), result);
        self.note(format!("result:{id}"));
    }

    fn content(&mut self, part: &Value) {
        let kind = text(part, "/type");
        let place = self.keys.iter().flatten().filter(|key| key.starts_with(kind)).collect::<BTreeSet<_>>().len();
        match kind {
            "think" => {
                self.scribe.reasoning(text(part, "/think"), None);
                self.scribe.reasoning_end(encrypted(part));
            }
            "text" => self.scribe.text(text(part, "/text"), None),
            other => panic!("a part {other} is not read"),
        }
        let key = format!("{kind}:{place}");
        self.texts.insert(key.clone(), part[kind].clone());
        self.note(key);
    }

    /// The last call is whole if nothing more of it follows.
    fn whole(&mut self, rest: &[Value]) {
        let names = ["ToolCall", "ToolCallPart", "StepBegin", "TurnEnd"];
        let next = rest.iter().map(|line| text(line, "/message/type")).find(|kind| names.contains(kind));
        let id = self.last_call.clone();
        let is_whole = match next {
            Some("ToolCallPart") => false,
            Some(_) => true,
            // The file ends here, maybe within the arguments.
            None => serde_json::from_str::<Value>(self.scribe.input_text(&id)).is_ok(),
        };
        let key = format!("call:{id}");
        if is_whole {
            self.texts.insert(key.clone(), json!(self.scribe.input_text(&id)));
            self.scribe.input_end(&id);
            self.halves.remove(&key);
        } else {
            self.halves.insert(key.clone());
        }
        self.note(key);
    }

    /// The events told since the last name make the row of this name.
    fn note(&mut self, key: String) {
        self.keys.resize(self.scribe.told(), Some(key));
    }

    fn end(mut self, sealed: &LogTurn, is_last: bool, ended: bool, notes: &mut Vec<&'static str>) -> RecordedTurn {
        let live: Vec<&String> = self.keys.iter().flatten().filter(|key| !self.halves.contains(*key)).collect();
        let in_log = |key: &String| sealed.units.iter().any(|unit| unit.key == *key);
        let differ = live.iter().any(|key| !in_log(key)) || sealed.units.iter().any(|unit| !live.contains(&&unit.key));
        assert!(is_last || !differ, "only the last turn may be shortened: {live:?}, {:?}", sealed.units);
        notes.extend(differ.then_some(CUT));
        let mut rows = self.scribe.rows.clone();
        for unit in sealed.units.iter().filter(|unit| live.contains(&&unit.key)) {
            let mut unit = unit.clone();
            notes.extend(unit.lengthen(&self.texts).then_some(SHORTENED));
            unit.write(&mut rows);
        }
        let kept: Vec<bool> = self.keys.iter().map(|key| key.as_ref().is_none_or(in_log)).collect();
        self.scribe.retain(|place| kept[place]);
        self.scribe.rows = rows;
        self.scribe.end(if ended { "done" } else { "aborted" }, None)
    }
}

/// The newer format: one file that is stream and log.
fn newer(lines: &[Value]) -> (Vec<RecordedTurn>, Vec<&'static str>) {
    let (mut turns, mut notes, mut open) = (Vec::new(), Vec::new(), None::<Scribe>);
    for line in lines {
        match (text(line, "/type"), &mut open) {
            ("context.append_message", _) if text(line, "/message/role") == "user" => {
                turns.extend(open.take().map(|turn| turn.end("done", None)));
                open =
                    Some(Scribe::start(&format!("turn-{}", turns.len() + 1), Some(&said(&line["message"]["content"]))));
            }
            ("context.append_message", Some(turn)) => {
                each(line, "/message/content").iter().for_each(|part| turn.text(text(part, "/text"), None));
            }
            ("context.append_loop_event", Some(turn)) => {
                if let Some(part) = some(line, "/event/part") {
                    turn.text(text(part, "/text"), None);
                }
            }
            ("context.apply_compaction", _) => notes.push(COMPACTED),
            _ => {}
        }
    }
    // A file ends with its last turn open where no answer was recorded.
    turns.extend(open.map(|turn| if turn.told() > 1 { turn.end("done", None) } else { turn.end("aborted", None) }));
    (turns, notes)
}
