//! What stands where, whoever the vendor is.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::model::{ChunkBody, Json, OpaqueKind, Role};
use turnseal::transcript::Vendor;

use super::rows::*;

/// The order in the neutral form, each part as one word.
fn drawn(rows: &[turnseal::model::Chunk]) -> String {
    let mut words = Vec::new();
    for line in lines(rows, Vendor::Neutral) {
        let message: serde_json::Value = serde_json::from_str(&line).unwrap();
        let parts = message["content"].as_array().unwrap().iter().map(|part| match part["type"].as_str().unwrap() {
            "text" | "reasoning" => part["text"].as_str().unwrap().to_owned(),
            "tool_call" => format!("{}()", part["callId"].as_str().unwrap()),
            "tool_result" => format!("{}={}", part["callId"].as_str().unwrap(), part["result"]),
            other => other.to_owned(),
        });
        words.push(format!("{}: {}", message["role"].as_str().unwrap(), parts.collect::<Vec<_>>().join(" ")));
    }
    words.join(" | ")
}

#[test]
fn one_turns_stand_by_their_first_seq_and_never_mix() {
    let rows = [
        user(1, "a", "A"),
        says(2, "a", "a1"),
        user(3, "b", "B"),
        says(4, "b", "b1"),
        call(5, "a", "c"),
        result(6, "a", "c", "1"),
    ];
    assert_eq!(drawn(&rows), "user: A | assistant: a1 c() | tool: c=1 | user: B | assistant: b1");
}

#[test]
fn one_of_two_rows_with_one_seq_the_later_counts() {
    assert_eq!(drawn(&[user(1, "a", "old"), user(1, "a", "new")]), "user: new");
}

#[test]
fn two_a_step_is_thinking_then_text_then_calls_then_outputs_in_call_order() {
    let rows = [
        user(1, "a", "A"),
        call(2, "a", "c1"),
        call(3, "a", "c2"),
        says(4, "a", "text"),
        thinks(5, "a", "thought", Some("{\"signature\":\"s\"}")),
        result(6, "a", "c2", "2"),
        result(7, "a", "c1", "1"),
        says(8, "a", "done"),
    ];
    assert_eq!(drawn(&rows), "user: A | assistant: thought text c1() c2() | tool: c1=1 c2=2 | assistant: done");
}

#[test]
fn two_without_labels_a_step_ends_when_all_its_calls_are_answered() {
    let rows = [
        user(1, "a", "A"),
        call(2, "a", "c1"),
        call(3, "a", "c2"),
        result(4, "a", "c1", "1"),
        call(5, "a", "c3"),
        result(6, "a", "c2", "2"),
        result(7, "a", "c3", "3"),
        call(8, "a", "c4"),
        result(9, "a", "c4", "4"),
    ];
    let steps = "assistant: c1() c2() c3() | tool: c1=1 c2=2 c3=3 | assistant: c4() | tool: c4=4";
    assert_eq!(drawn(&rows), format!("user: A | {steps}"));
}

#[test]
fn two_labels_decide_where_they_are_given() {
    let rows = [
        user(1, "a", "A"),
        call(2, "a", "c1").step(0),
        result(3, "a", "c1", "1"),
        call(4, "a", "c2").step(0),
        result(5, "a", "c2", "2"),
        says(6, "a", "x").step(1),
        says(7, "a", "y").step(2),
    ];
    assert_eq!(drawn(&rows), "user: A | assistant: c1() c2() | tool: c1=1 c2=2 | assistant: x | assistant: y");
}

#[test]
fn rule_44_results_bind_by_step_and_id_where_ids_repeat() {
    let rows = [
        user(1, "a", "A"),
        call(2, "a", "c").step(0),
        call(3, "a", "c").step(1),
        result(4, "a", "c", "0").step(0),
        result(5, "a", "c", "1").step(1),
    ];
    assert_eq!(drawn(&rows), "user: A | assistant: c() | tool: c=0 | assistant: c_2() | tool: c_2=1");
}

#[test]
fn ids_that_repeat_get_a_suffix_that_the_log_does_not_have() {
    let mut rows = vec![user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", "1")];
    rows.extend([call(4, "a", "c"), result(5, "a", "c", "2"), user(6, "b", "B")]);
    rows.extend([call(7, "b", "c_2"), result(8, "b", "c_2", "3"), call(9, "b", "c"), result(10, "b", "c", "4")]);
    let a = "user: A | assistant: c() | tool: c=1 | assistant: c_3() | tool: c_3=2";
    let b = "user: B | assistant: c_2() | tool: c_2=3 | assistant: c_4() | tool: c_4=4";
    assert_eq!(drawn(&rows), format!("{a} | {b}"));
    for vendor in VENDORS {
        lines(&rows, vendor);
    }
}

#[test]
fn four_a_result_without_a_call_gets_one_right_before_it() {
    let rows = [user(1, "a", "A"), result(2, "a", "c", "1"), result(3, "a", "c", "2"), says(4, "a", "x")];
    assert_eq!(drawn(&rows), "user: A | assistant: c() | tool: c=1 | assistant: x");
}

#[test]
fn a_result_before_its_call_is_kept_for_it() {
    let rows = [user(1, "a", "A"), result(2, "a", "c", "1"), call(3, "a", "c"), result(4, "a", "c", "2")];
    assert_eq!(drawn(&rows), "user: A | assistant: c() | tool: c=1");
}

#[test]
fn a_result_in_a_later_turn_goes_to_the_open_call_of_the_earlier_one() {
    let rows = [user(1, "a", "A"), call(2, "a", "c"), result(3, "b", "c", "1"), says(4, "b", "x")];
    assert_eq!(drawn(&rows), "user: A | assistant: c() | tool: c=1 | assistant: x");
}

#[test]
fn five_of_two_results_the_first_wins() {
    let rows = [user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", "1"), result(4, "a", "c", "2")];
    assert_eq!(drawn(&rows), "user: A | assistant: c() | tool: c=1");
}

#[test]
fn six_a_steer_goes_after_the_results() {
    let rows = [
        user(1, "a", "A"),
        call(2, "a", "c1"),
        call(3, "a", "c2"),
        result(4, "a", "c1", "1"),
        user(5, "a", "steer"),
        result(6, "a", "c2", "2"),
        says(7, "a", "x"),
    ];
    assert_eq!(drawn(&rows), "user: A | assistant: c1() c2() | tool: c1=1 c2=2 | user: steer | assistant: x");
}

#[test]
fn six_a_steer_inside_a_labelled_step_goes_after_the_step() {
    let rows = [
        user(1, "a", "A"),
        says(2, "a", "x").step(0),
        user(3, "a", "steer"),
        call(4, "a", "c").step(0),
        result(5, "a", "c", "1"),
    ];
    assert_eq!(drawn(&rows), "user: A | assistant: x c() | tool: c=1 | user: steer");
}

#[test]
fn seven_user_messages_side_by_side_are_all_kept() {
    assert_eq!(drawn(&[user(1, "a", "A"), user(2, "a", "B"), user(3, "b", "B")]), "user: A | user: B | user: B");
}

#[test]
fn rows_of_one_message_are_one_message() {
    let file = "{\"type\":\"file\",\"name\":\"x\"}";
    let rows = [
        user(1, "a", "A").message("m"),
        user(2, "a", "B").message("m"),
        user(3, "a", "C").message("n"),
        part(4, "a", Role::User, OpaqueKind::File, file).message("n"),
        user(5, "a", "D"),
        part(6, "a", Role::User, OpaqueKind::File, file),
    ];
    assert_eq!(drawn(&rows), "user: A B | user: C file | user: D file");
}

#[test]
fn eight_an_answer_without_words_is_left_out() {
    let rows = [
        user(1, "a", "A"),
        says(2, "a", " \n"),
        thinks(3, "a", "thought", Some("{\"signature\":\"s\"}")),
        user(4, "b", "B"),
    ];
    assert_eq!(drawn(&rows), "user: A | user: B");
    assert_eq!(lines(&rows, Vendor::OpenaiChat).len(), 2);
}

#[test]
fn nine_rows_for_readers_are_left_out() {
    let rows = [
        user(1, "a", "A"),
        system(2, "a", "notice"),
        row(3, "a", Role::Assistant, ChunkBody::Error { message: "boom".into(), status_code: None }),
        row(4, "a", Role::Assistant, ChunkBody::Usage(Json::new("{}"))),
        unknown(5, "a", "mystery", "{}"),
        part(6, "a", Role::Assistant, OpaqueKind::Source, "{\"type\":\"source\"}"),
        part(7, "a", Role::Assistant, OpaqueKind::Data, "{\"type\":\"data\"}"),
        row(8, "a", Role::System, ChunkBody::Text { text: "sys".into() }),
        says(9, "a", "x"),
    ];
    assert_eq!(drawn(&rows), "user: A | assistant: x");
}

#[test]
fn e5_a_queued_message_is_told_once_after_the_reply_before_it() {
    // Its row is written when its turn starts, so the log has it behind the reply.
    let rows =
        [user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", "1"), says(4, "a", "reply"), user(5, "b", "B")];
    assert_eq!(drawn(&rows), "user: A | assistant: c() | tool: c=1 | assistant: reply | user: B");
}

#[test]
fn e4_an_auto_approved_call_is_paired_in_the_next_turn() {
    let rows = [user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", "\"ok\""), user(4, "b", "B")];
    assert_eq!(
        lines(&rows, Vendor::OpenaiChat)[1..3],
        [
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"run","arguments":"{\"n\":1}"}}]}"#,
            r#"{"role":"tool","tool_call_id":"c","content":"ok"}"#,
        ]
    );
}
