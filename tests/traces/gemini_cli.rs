//! Gemini CLI: the recorded responses of a model to a session, one a line.

use std::path::Path;

use serde_json::Value;

use super::codex::NO_USER;
use super::gemini::Gemini;
use super::scribe::Scribe;
use super::value::{each, parse, text};
use super::{Folder, RecordedTurn};

/// Requests beside the conversation.
pub const BESIDE: &str = "responses that were not streamed (routing, summaries, token counts) are no part of a turn";
/// What the tools said is not recorded.
pub const NO_RESULTS: &str =
    "results of tools are not recorded: the next response shows that the call is over, not how";

/// The folder.
pub fn folder(root: &Path) -> Folder {
    let mut folder = Folder::open(root, "gemini-cli");
    for file in folder.wanted() {
        let body = folder.take(root, &file);
        let lines: Vec<Value> = body.lines().filter(|line| !line.trim().is_empty()).map(parse).collect();
        let (streams, beside): (Vec<&Value>, Vec<&Value>) =
            lines.iter().partition(|line| text(line, "/method") == "generateContentStream");
        let (turns, calls) = turns(&streams);
        let mut notes = vec![NO_USER];
        notes.extend((!beside.is_empty()).then_some(BESIDE));
        notes.extend(calls.then_some(NO_RESULTS));
        folder.push(&file, turns, notes);
    }
    folder
}

/// The responses as turns: one that called tools goes on with the next response. The second answer: whether any did.
fn turns(streams: &[&Value]) -> (Vec<RecordedTurn>, bool) {
    let (mut turns, mut open, mut calls) = (Vec::new(), None::<(Scribe, Gemini, u64)>, false);
    for stream in streams {
        let (mut turn, mut reader, step) = open
            .take()
            .unwrap_or_else(|| (Scribe::start(&format!("turn-{}", turns.len() + 1), None), Gemini::default(), 0));
        turn.rows.step = Some(step);
        let before = reader.asked.len();
        each(stream, "/response").iter().for_each(|chunk| reader.feed(chunk, &mut turn));
        reader.finish(&mut turn);
        if let Some(reason) = reader.failed.take() {
            turns.push(turn.end("error", Some(&reason)));
        } else if reader.asked.len() > before {
            calls = true;
            open = Some((turn, reader, step + 1));
        } else {
            turns.push(turn.end("done", None));
        }
    }
    turns.extend(open.map(|(turn, _, _)| turn.end("aborted", None)));
    (turns, calls)
}
