//! Vercel AI SDK: recorded streams of providers, one payload a line. A file is one turn, unless [`SERIES`] says more.

use std::path::Path;

use serde_json::{Value, json};

use super::codex::NO_USER;
use super::scribe::Scribe;
use super::value::{parse, some_text};
use super::wires::Wire;
use super::{Folder, RecordedTurn, sse};

/// Files that belong together: the name of the thread, and per turn the files of its responses.
const SERIES: &[(&str, &[&[&str]])] = &[
    (
        "openai__src__responses____fixtures____openai-mcp-tool-approval",
        &[&[".1.chunks.txt", ".2.chunks.txt"], &[".3.chunks.txt", ".4.chunks.txt"]],
    ),
    (
        "openai__src__responses____fixtures____programmatic-tool-calling",
        &[&[".1.chunks.txt", ".2.chunks.txt", ".3.chunks.txt"]],
    ),
    ("openai__src__responses____fixtures____openai-client-tool-search", &[&[".1.chunks.txt", ".2.chunks.txt"]]),
    ("google__src__interactions____fixtures____tool-call-step", &[&["1.chunks.txt", "2.chunks.txt"]]),
    ("google__src__interactions____fixtures____multi-turn-stateful-turn", &[&["1.chunks.txt"], &["2.chunks.txt"]]),
    ("google__src__interactions____fixtures____multi-turn-stateless-turn", &[&["1.chunks.txt"], &["2.chunks.txt"]]),
];

/// The authors of a fixture shortened its deltas.
pub const EDITED: &str =
    "the deltas of a message were shortened by hand, so it ends as something else: the deltas are taken";

/// The folder.
pub fn folder(root: &Path) -> Folder {
    let mut folder = Folder::open(root, "vercel-ai");
    for (name, turns) in SERIES {
        let mut told = Vec::new();
        for (number, files) in turns.iter().enumerate() {
            let responses: Vec<Vec<Value>> =
                files.iter().map(|file| events(root, &mut folder, &format!("{name}{file}"))).collect();
            let (turn, is_edited) = turn(&format!("turn-{}", number + 1), &responses);
            assert!(!is_edited, "{name}");
            told.push(turn);
        }
        folder.push(name, told, vec![NO_USER]);
    }
    for file in folder.wanted() {
        if !folder.read.contains(&file) {
            let response = events(root, &mut folder, &file);
            let (turn, is_edited) = turn("turn-1", &[response]);
            let notes = if is_edited { vec![NO_USER, EDITED] } else { vec![NO_USER] };
            folder.push(&file, vec![turn], notes);
        }
    }
    folder
}

/// Two lines of this file lack their last brace.
const UNCLOSED: &str = "openai__src__responses____fixtures____parallel-tool-call-wrapper.1.chunks.txt";

/// The payloads of a file: one a line, or server-sent events.
fn events(root: &Path, folder: &mut Folder, file: &str) -> Vec<Value> {
    let body = folder.take(root, file);
    if file.ends_with(".sse") {
        return sse::values(&body);
    }
    let is_whole = |line: &str| file != UNCLOSED || serde_json::from_str::<Value>(line).is_ok();
    let lines = body.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| if is_whole(line) { parse(line) } else { parse(&format!("{line}}}")) }).collect()
}

/// One turn out of its responses. The second answer: whether a fixture's deltas were shortened.
fn turn(id: &str, responses: &[Vec<Value>]) -> (RecordedTurn, bool) {
    let mut turn = Scribe::start(id, None);
    let mut wire = Wire::of(&responses[0][0]);
    for response in responses {
        deny(&mut wire, response, &mut turn);
        response.iter().for_each(|event| wire.feed(event, &mut turn));
        wire.finish(&mut turn);
    }
    let is_edited = matches!(&wire, Wire::Responses(reader) if reader.is_edited);
    let turn = match wire.take_failure() {
        Some(reason) => turn.end("error", Some(&reason)),
        None => turn.end("done", None),
    };
    (turn, is_edited)
}

/// A call that waited for a person and does not run in the response that follows was denied.
fn deny(wire: &mut Wire, response: &[Value], turn: &mut Scribe) {
    let Wire::Responses(reader) = wire else { return };
    let runs = |call: &String| response.iter().any(|event| some_text(event, "/item/approval_request_id") == Some(call));
    let denied: Vec<String> = reader.asked.iter().filter(|call| !runs(call)).cloned().collect();
    for call in denied {
        turn.approval_resolved(&call, "denied");
        turn.result(&call, &json!("denied"), true);
        reader.asked.retain(|asked| *asked != call);
    }
}
