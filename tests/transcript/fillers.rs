//! Calls without results, and the words in their place.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::model::{Chunk, Output};
use turnseal::transcript::{Cause, Vendor};

use super::rows::*;

/// The one filler of a thread: its cause, whether its call may have started, and what a chat model is told.
fn filler(rows: &[Chunk]) -> (Cause, bool, String) {
    let projection = told(rows, Vendor::OpenaiChat);
    let [filler] = projection.fillers.as_slice() else { panic!("{:?}", projection.fillers) };
    let line = lines_of(&projection).swap_remove(filler.message);
    let message: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(message["tool_call_id"].as_str(), Some(filler.wire.as_str()));
    (filler.cause, filler.started, message["content"].as_str().unwrap().to_owned())
}

#[test]
fn e11_the_filler_stands_right_behind_its_call() {
    let rows = [user(1, "a", "A"), call(2, "a", "c"), user(3, "b", "B"), says(4, "b", "x"), user(5, "d", "D")];
    let projection = told(&rows, Vendor::OpenaiChat);
    let lines = lines_of(&projection);
    let text = "The turn was stopped before this tool call had a result. It may have started: it may have had effects.";
    assert_eq!(lines[2], format!(r#"{{"role":"tool","tool_call_id":"c","content":"{text}"}}"#));
    assert_eq!(lines[3], r#"{"role":"user","content":"B"}"#);
    assert_eq!(projection.fillers.len(), 1);
    assert_eq!((projection.fillers[0].message, projection.fillers[0].call.as_str()), (2, "c"));
}

const WORDS: [(&str, Cause, bool, &str); 5] = [
    ("stopped", Cause::Stopped, true, "The turn was stopped before this tool call had a result. It may have started"),
    (
        "denied",
        Cause::Denied,
        false,
        "The user did not allow this tool call. It never started: assume no side effects.",
    ),
    (
        "superseded",
        Cause::Superseded,
        false,
        "A newer message of the user took the place of this tool call. It never started",
    ),
    ("timed out", Cause::TimedOut, true, "This tool call was given up because it took too long. It may have started"),
    ("restarted", Cause::Restarted, true, "The application was restarted before this tool call had a result. It may"),
];

#[test]
fn three_each_cause_has_its_words() {
    for (kind, cause, started, text) in WORDS {
        let rows = [user(1, "a", "A"), call(2, "a", "c"), system(3, "a", kind), user(4, "b", "B")];
        let (told, may, words) = filler(&rows);
        assert_eq!((told, may), (cause, started), "{kind}");
        assert!(words.starts_with(text), "{words}");
    }
}

#[test]
fn three_a_row_about_one_call_beats_the_word_on_the_turn() {
    let data = "{\"callId\":\"c\",\"cause\":\"restarted\",\"started\":false}";
    let rows =
        [user(1, "a", "A"), call(2, "a", "c"), unknown(3, "a", "tool_interrupted", data), system(4, "a", "stopped")];
    let (cause, started, text) = filler(&rows);
    assert_eq!((cause, started), (Cause::Restarted, false));
    assert!(text.ends_with("It never started: assume no side effects."), "{text}");
    let started = [
        user(1, "a", "A"),
        call(2, "a", "c"),
        system(3, "a", "denied"),
        unknown(4, "a", "tool_interrupted", "{\"callId\":\"c\",\"started\":true}"),
    ];
    assert!(filler(&started).2.ends_with("it may have had effects."));
}

#[test]
fn three_the_word_on_one_turn_says_nothing_about_another() {
    let rows = [user(1, "a", "A"), call(2, "a", "c"), user(3, "b", "B"), system(4, "b", "denied")];
    assert_eq!(filler(&rows).0, Cause::Stopped);
}

#[test]
fn three_a_filler_is_flagged_as_an_error_where_the_form_has_errors() {
    let rows = [user(1, "a", "A"), call(2, "a", "c1"), call(3, "a", "c2"), result(4, "a", "c1", "\"ok\"")];
    let text = "The turn was stopped before this tool call had a result. It may have started: it may have had effects.";
    assert_eq!(
        lines(&rows, Vendor::Anthropic)[2],
        format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":"ok"}},{{"type":"tool_result","tool_use_id":"c2","content":"{text}","is_error":true}}]}}"#
        )
    );
    assert_eq!(
        lines(&rows, Vendor::Neutral)[2],
        format!(
            r#"{{"role":"tool","content":[{{"type":"tool_result","callId":"c1","name":"run","result":"ok","isError":false}},{{"type":"tool_result","callId":"c2","name":"run","result":"{text}","isError":true,"filler":"stopped"}}]}}"#
        )
    );
    let items = told(&rows, Vendor::OpenaiResponses);
    assert_eq!(items.fillers.iter().map(|filler| filler.message).collect::<Vec<_>>(), [4]);
}

#[test]
fn four_a_made_up_call_is_flagged_too() {
    let rows = [user(1, "a", "A"), failed(2, "a", "c", "\"no\"", None), says(3, "a", "x")];
    let projection = told(&rows, Vendor::Anthropic);
    assert_eq!(
        lines_of(&projection)[1..3],
        [
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"unknown_tool","input":{}}]}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"no","is_error":true}]}"#,
        ]
    );
    assert_eq!((projection.fillers[0].message, projection.fillers[0].cause), (1, Cause::NoCall));
    assert_eq!(
        lines(&rows, Vendor::Neutral)[1],
        r#"{"role":"assistant","content":[{"type":"tool_call","callId":"c","name":"unknown_tool","arguments":{},"filler":"no-call"}]}"#
    );
}

#[test]
fn rule_43_a_denied_call_with_its_result_needs_no_filler() {
    let denied = failed(3, "a", "c", "\"The user denied this.\"", None);
    let projection = told(&[user(1, "a", "A"), call(2, "a", "c"), denied, system(4, "a", "denied")], Vendor::Neutral);
    assert_eq!(projection.fillers, []);
}

#[test]
fn a_result_of_null_is_told_as_what_the_tool_printed() {
    let output = Output { stdout: "out".into(), stderr: "err".into() };
    let rows = [user(1, "a", "A"), call(2, "a", "c"), failed(3, "a", "c", "null", Some(output))];
    assert_eq!(lines(&rows, Vendor::OpenaiChat)[2], r#"{"role":"tool","tool_call_id":"c","content":"outerr"}"#);
}
