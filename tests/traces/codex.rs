//! Codex: whole sessions of a coding agent, with the answers of its user.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::scribe::{Scribe, Seal};
use super::value::{each, parse, text};
use super::wires::Wire;
use super::{Folder, RecordedTurn, sse};

/// The recorder left the person's messages out: turns start without one.
pub const NO_USER: &str = "the recording does not hold what the person wrote";

/// The folder.
pub fn folder(root: &Path) -> Folder {
    let mut folder = Folder::open(root, "codex");
    for file in folder.wanted() {
        let body = folder.take(root, &file);
        if file.ends_with(".sse") {
            let mut turn = Scribe::start("turn-1", None);
            let events = sse::values(&body);
            let mut wire = Wire::of(&events[0]);
            events.iter().for_each(|event| wire.feed(event, &mut turn));
            wire.finish(&mut turn);
            folder.push(&file, vec![turn.end("done", None)], vec![NO_USER]);
            continue;
        }
        for (number, session) in sessions(&body).into_iter().enumerate() {
            folder.push(&format!("{file}#{}", number + 1), session, vec![NO_USER]);
        }
    }
    folder
}

/// The sessions of a file: `session_configured` begins one.
fn sessions(body: &str) -> Vec<Vec<RecordedTurn>> {
    let mut sessions: Vec<Vec<RecordedTurn>> = Vec::new();
    let mut session = Session::default();
    for line in body.lines().map(parse) {
        match text(&line, "/kind") {
            "codex_event" if text(&line, "/payload/msg/type") == "session_configured" => {
                sessions.extend(Some(std::mem::take(&mut session).turns).filter(|turns| !turns.is_empty()));
            }
            "codex_event" => session.event(text(&line, "/payload/id"), &line["payload"]["msg"]),
            "op" => session.op(&line["payload"]),
            "key_event" | "slash_command" | "session_start" | "session_end" => {}
            other => panic!("a line {other} is not read"),
        }
    }
    sessions.extend(Some(session.turns).filter(|turns| !turns.is_empty()));
    sessions
}

#[derive(Default)]
struct Session {
    turns: Vec<RecordedTurn>,
    turn: Option<Scribe>,
    /// What of a character each output has, until the rest of it comes.
    bytes: BTreeMap<(String, String), Vec<u8>>,
    asked: Option<String>,
}

impl Session {
    /// What the user did: answers of approvals. They name the turn; one question is open at a time.
    fn op(&mut self, op: &Value) {
        if let (Some(call), Some(turn)) = (self.asked.take(), &mut self.turn) {
            let approved = text(op, "/decision").starts_with("approved");
            turn.approval_resolved(&call, if approved { "approved" } else { "denied" });
        }
    }

    fn event(&mut self, id: &str, message: &Value) {
        let kind = text(message, "/type");
        if kind == "task_started" {
            self.turn = Some(Scribe::start(&format!("turn-{id}"), None));
        }
        let Some(turn) = &mut self.turn else {
            assert_eq!(kind, "shutdown_complete", "outside of a turn");
            return;
        };
        match kind {
            "agent_message_delta" => turn.sealed(|turn| turn.text(text(message, "/delta"), None)),
            "agent_reasoning_delta" => turn.sealed(|turn| turn.reasoning(text(message, "/delta"), None)),
            "agent_reasoning_raw_content_delta" => turn.reasoning(text(message, "/delta"), None),
            "agent_reasoning_section_break" => turn.sealed(|turn| turn.reasoning_end(None)),
            // The whole texts come behind their deltas: the rows are theirs, so live and sealed are two sources.
            "agent_reasoning" => {
                turn.sealed(|turn| turn.reasoning_end(None));
                turn.rows.reasoning(text(message, "/text"));
                turn.rows.reasoning_end(None);
            }
            "agent_message" => turn.rows.text(text(message, "/message")),
            "turn_diff" => turn.part(&json!({"type": "data", "id": "turn-diff", "diff": message["unified_diff"]})),
            "task_complete" => {
                let turn = self.turn.take().map(|turn| turn.end("done", None));
                self.turns.extend(turn);
            }
            "task_started" | "token_count" => {}
            kind => self.tool(kind, message),
        }
    }

    /// What concerns a call.
    fn tool(&mut self, kind: &str, message: &Value) {
        let Some(turn) = &mut self.turn else { return };
        let call = text(message, "/call_id");
        match kind {
            "exec_approval_request" => {
                turn.call(call, "shell", &json!({"command": message["command"], "cwd": message["cwd"]}));
                turn.approval_request(call, Some(text(message, "/reason")), None);
                self.asked = Some(call.to_owned());
            }
            "exec_command_begin" if turn.is_open(call) => {}
            "exec_command_begin" => {
                turn.call(call, "shell", &json!({"command": message["command"], "cwd": message["cwd"]}))
            }
            "patch_apply_begin" => turn.call(call, "apply_patch", &json!({"changes": message["changes"]})),
            "exec_command_output_delta" => {
                let stream = text(message, "/stream").to_owned();
                let held = self.bytes.entry((call.to_owned(), stream.clone())).or_default();
                held.extend(each(message, "/chunk").iter().filter_map(Value::as_u64).map(|byte| byte as u8));
                let whole = whole_characters(held);
                if !whole.is_empty() {
                    turn.output(call, &stream, &whole);
                }
            }
            "exec_command_end" | "patch_apply_end" => {
                // The end carries what the model is told: the output as far as its limit.
                let is_error = message["success"] == false || message.get("exit_code").is_some_and(|code| *code != 0);
                let told =
                    json!({"stdout": message["stdout"], "stderr": message["stderr"], "exitCode": message["exit_code"]});
                turn.result(call, &told, is_error);
            }
            other => panic!("an event {other} is not read"),
        }
    }
}

/// Takes the whole characters out of the bytes; what may be the begin of one stays.
fn whole_characters(held: &mut Vec<u8>) -> String {
    let end = match std::str::from_utf8(held) {
        Ok(_) => held.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => held.len(),
    };
    String::from_utf8_lossy(&held.drain(..end).collect::<Vec<u8>>()).into_owned()
}

impl Scribe {
    /// Tells something of which the recording has a sealed form of its own: no row follows from it.
    pub fn sealed(&mut self, tell: impl FnOnce(&mut Self)) {
        self.seal = Seal::FromRecording;
        tell(self);
        self.seal = Seal::FromEvents;
    }
}
