//! The rules A1 to A8, O1 to O4 and R1 to R7, each with the bytes that come out.

use turnseal::model::{Chunk, OpaqueKind, Role};
use turnseal::transcript::Vendor;

use super::rows::*;

const PNG: &str = r#"{"type":"image","data":"aGk=","mimeType":"image/png"}"#;

/// A turn with two calls at once, a steer behind them, and an answer.
fn parallel() -> Vec<Chunk> {
    vec![
        user(1, "a", "A"),
        says(2, "a", "I look."),
        call(3, "a", "c1"),
        call(4, "a", "c2"),
        result(5, "a", "c2", "\"two\""),
        result(6, "a", "c1", "{\"one\": 1}"),
        user(7, "a", "steer"),
        says(8, "a", "Done."),
    ]
}

#[test]
fn a1_a2_all_results_open_the_next_user_message_and_text_comes_after() {
    assert_eq!(
        lines(&parallel(), Vendor::Anthropic),
        [
            r#"{"role":"user","content":[{"type":"text","text":"A"}]}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"run","input":{"n":1}},{"type":"tool_use","id":"c2","name":"run","input":{"n":1}}]}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\"one\": 1}"},{"type":"tool_result","tool_use_id":"c2","content":"two"},{"type":"text","text":"steer"}]}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"Done."}]}"#,
        ]
    );
}

#[test]
fn a3_a_result_without_a_call_gets_one() {
    assert_eq!(
        lines(&[user(1, "a", "A"), result(2, "a", "c", "1")], Vendor::Anthropic)[1..],
        [
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"run","input":{}}]}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"1"}]}"#,
        ]
    );
}

#[test]
fn a4_images_in_results_are_blocks() {
    let list = format!(r#"[{{"type":"text","text":"see"}},{PNG},{{"type":"text","text":" "}}]"#);
    let rows = [user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", &list)];
    assert_eq!(
        lines(&rows, Vendor::Anthropic)[2],
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}]}"#
    );
}

#[test]
fn a4_every_common_shape_of_an_image_is_known() {
    let source = r#""source":{"type":"base64","media_type":"image/png","data":"aGk="}"#;
    for shape in [
        format!(r#"[{PNG}]"#),
        format!(r#"{{"content":[{PNG}],"isError":false}}"#),
        format!(r#"[{{"type":"image",{source}}}]"#),
        r#"[{"type":"media","data":"aGk=","mediaType":"image/png"}]"#.into(),
        r#"[{"type":"input_image","image_url":"data:image/png;base64,aGk="}]"#.into(),
        r#"[{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]"#.into(),
        PNG.into(),
    ] {
        let rows = [user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", &shape)];
        let line = &lines(&rows, Vendor::Anthropic)[2];
        assert!(line.contains(&format!(r#"[{{"type":"image",{source}}}]"#)), "{shape} gave {line}");
    }
    // What is no list of blocks stays as it is.
    let rows = [user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", r#"[{"type":"image"}, 1]"#)];
    assert!(lines(&rows, Vendor::Anthropic)[2].contains(r#""content":"[{\"type\":\"image\"}, 1]""#));
}

#[test]
fn a5_signed_thinking_goes_back_whole_before_its_calls() {
    let rows = [
        user(1, "a", "A"),
        thinks(2, "a", "I think", Some(r#"{"signature":"sig=="}"#)),
        thinks(3, "a", "", Some(r#"{"redacted_thinking":"blob"}"#)),
        thinks(4, "a", "again", Some(r#"{"anthropic":{"signature":"s2"}}"#)),
        thinks(5, "a", "", Some(r#"{"type":"redacted_thinking","data":"b2"}"#)),
        call(6, "a", "c"),
        result(7, "a", "c", "1"),
    ];
    assert_eq!(
        lines(&rows, Vendor::Anthropic)[1],
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"I think","signature":"sig=="},{"type":"redacted_thinking","data":"blob"},{"type":"thinking","thinking":"again","signature":"s2"},{"type":"redacted_thinking","data":"b2"},{"type":"tool_use","id":"c","name":"run","input":{"n":1}}]}"#
    );
}

#[test]
fn a6_what_a_running_turn_asks_with_ends_with_the_user() {
    let running = [user(1, "a", "A"), says(2, "a", "x"), call(3, "a", "c"), result(4, "a", "c", "1")];
    let stopped = [user(1, "a", "A"), call(2, "a", "c"), user(3, "b", "B")];
    for rows in [&running[..], &stopped[..]] {
        assert!(lines(rows, Vendor::Anthropic).last().unwrap().starts_with(r#"{"role":"user""#));
    }
}

#[test]
fn a7_unsigned_thinking_of_a_stopped_turn_is_dropped_and_the_call_kept_with_its_filler() {
    let rows = [
        user(1, "a", "A"),
        thinks(2, "a", "half a", None),
        call(3, "a", "c"),
        system(4, "a", "stopped"),
        thinks(5, "b", "null", Some("null")),
        user(6, "b", "B"),
    ];
    assert_eq!(
        lines(&rows, Vendor::Anthropic),
        [
            r#"{"role":"user","content":[{"type":"text","text":"A"}]}"#,
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"run","input":{"n":1}}]}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"The turn was stopped before this tool call had a result. It may have started: it may have had effects.","is_error":true},{"type":"text","text":"B"}]}"#,
        ]
    );
}

#[test]
fn a8_keys_and_opaque_values_keep_their_order_and_bytes() {
    let rows = [user(1, "a", "A"), call_with(2, "a", "c", r#"{"z": 1e400, "a":{"y":9007199254740993,"b":"\ud800"}}"#)];
    assert!(
        lines(&rows, Vendor::Anthropic)[1]
            .contains(r#""input":{"z": 1e400, "a":{"y":9007199254740993,"b":"\ud800"}}}"#)
    );
}

#[test]
fn seven_user_messages_side_by_side_are_blocks_of_one_for_anthropic() {
    assert_eq!(
        lines(&[user(1, "a", "A"), user(2, "b", "B"), user(3, "b", "  ")], Vendor::Anthropic),
        [
            r#"{"role":"user","content":[{"type":"text","text":"A"},{"type":"text","text":"B"},{"type":"text","text":"(empty message)"}]}"#
        ]
    );
    assert_eq!(
        lines(&[user(1, "a", "A"), user(2, "b", "B")], Vendor::OpenaiChat),
        [r#"{"role":"user","content":"A"}"#, r#"{"role":"user","content":"B"}"#]
    );
}

#[test]
fn anthropic_ids_and_names_have_its_letters_and_stay_unique() {
    let rows = [
        user(1, "a", "A"),
        call(2, "a", "f.x:0"),
        call(3, "a", "f_x_0"),
        result(4, "a", "f_x_0", "2"),
        result(5, "a", "f.x:0", "1"),
    ];
    assert_eq!(
        lines(&rows, Vendor::Anthropic)[2],
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"f_x_0","content":"1"},{"type":"tool_result","tool_use_id":"f_x_0_2","content":"2"}]}"#
    );
}

#[test]
fn arguments_that_are_no_object_become_one() {
    for (arguments, told) in [
        (r#""{\"a\":1}""#, r#"{"a":1}"#),
        ("null", "{}"),
        ("\"\"", "{}"),
        ("[1]", r#"{"arguments":[1]}"#),
        ("\"{\\\"a\"", r#"{"arguments":"{\"a"}"#),
        ("{broken", r#"{"arguments":"{broken"}"#),
    ] {
        let rows = [user(1, "a", "A"), call_with(2, "a", "c", arguments)];
        let line = &lines(&rows, Vendor::Anthropic)[1];
        assert!(line.contains(&format!(r#""input":{told}}}"#)), "{arguments} gave {line}");
    }
}

#[test]
fn o1_o2_one_tool_message_for_each_id_directly_behind_and_the_steer_after() {
    assert_eq!(
        lines(&parallel(), Vendor::OpenaiChat),
        [
            r#"{"role":"user","content":"A"}"#,
            r#"{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"run","arguments":"{\"n\":1}"}},{"id":"c2","type":"function","function":{"name":"run","arguments":"{\"n\":1}"}}]}"#,
            r#"{"role":"tool","tool_call_id":"c1","content":"{\"one\": 1}"}"#,
            r#"{"role":"tool","tool_call_id":"c2","content":"two"}"#,
            r#"{"role":"user","content":"steer"}"#,
            r#"{"role":"assistant","content":"Done."}"#,
        ]
    );
}

#[test]
fn o2_neither_orphans_nor_doubles_reach_the_api() {
    let rows = [
        user(1, "a", "A"),
        result(2, "a", "c1", "1"),
        call(3, "a", "c2"),
        result(4, "a", "c2", "2"),
        result(5, "a", "c2", "3"),
        result(6, "b", "c2", "4"),
    ];
    let roles: Vec<String> =
        lines(&rows, Vendor::OpenaiChat).iter().map(|line| line.split('"').nth(3).unwrap().to_owned()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "tool", "assistant", "tool"]);
}

#[test]
fn o3_images_go_in_a_user_message_behind_all_results() {
    let list = format!(r#"[{{"type":"text","text":"see"}},{PNG}]"#);
    let rows = [
        user(1, "a", "A"),
        call(2, "a", "c1"),
        call(3, "a", "c2"),
        result(4, "a", "c1", &list),
        result(5, "a", "c2", "2"),
        user(6, "a", "steer"),
    ];
    assert_eq!(
        lines(&rows, Vendor::OpenaiChat)[2..],
        [
            r#"{"role":"tool","tool_call_id":"c1","content":"see\n[image]"}"#,
            r#"{"role":"tool","tool_call_id":"c2","content":"2"}"#,
            r#"{"role":"user","content":[{"type":"text","text":"From the result of tool call c1:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]}"#,
            r#"{"role":"user","content":"steer"}"#,
        ]
    );
}

#[test]
fn o4_thoughts_go_back_in_turns_with_calls_only() {
    let seek = Some(r#"{"reasoning_content":true}"#);
    let rows = [
        user(1, "a", "A"),
        thinks(2, "a", "t1", seek),
        says(3, "a", "x"),
        user(4, "b", "B"),
        thinks(5, "b", "t2", seek),
        call(6, "b", "c"),
        result(7, "b", "c", "1"),
        thinks(8, "b", "t3", seek),
        says(9, "b", "y"),
    ];
    let lines = lines(&rows, Vendor::OpenaiChat);
    assert_eq!(lines[1], r#"{"role":"assistant","content":"x"}"#);
    assert_eq!(
        lines[3],
        r#"{"role":"assistant","content":null,"reasoning_content":"t2","tool_calls":[{"id":"c","type":"function","function":{"name":"run","arguments":"{\"n\":1}"}}]}"#
    );
    assert_eq!(lines[5], r#"{"role":"assistant","content":"y","reasoning_content":"t3"}"#);
}

#[test]
fn r1_r3_r4_message_then_all_calls_then_all_outputs() {
    assert_eq!(
        lines(&parallel(), Vendor::OpenaiResponses),
        [
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"A"}]}"#,
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]}"#,
            r#"{"type":"function_call","call_id":"c1","name":"run","arguments":"{\"n\":1}"}"#,
            r#"{"type":"function_call","call_id":"c2","name":"run","arguments":"{\"n\":1}"}"#,
            r#"{"type":"function_call_output","call_id":"c1","output":"{\"one\": 1}"}"#,
            r#"{"type":"function_call_output","call_id":"c2","output":"two"}"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"steer"}]}"#,
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}"#,
        ]
    );
}

#[test]
fn r2_r5_a_reasoning_item_comes_first_with_its_encrypted_content() {
    let rows = [
        user(1, "a", "A"),
        thinks(2, "a", "one", Some(r#"{"openai":{"itemId":"rs_1"}}"#)),
        thinks(3, "a", "two", Some(r#"{"openai":{"itemId":"rs_1","reasoningEncryptedContent":"enc"}}"#)),
        thinks(4, "a", "", Some(r#"{"type":"reasoning","id":"x","encrypted_content":"e2"}"#)),
        call(5, "a", "c"),
        result(6, "a", "c", "1"),
        user(7, "b", "B"),
        thinks(8, "b", "leads nowhere", Some(r#"{"id":"rs_2"}"#)),
    ];
    assert_eq!(
        lines(&rows, Vendor::OpenaiResponses)[1..],
        [
            r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"one"},{"type":"summary_text","text":"two"}],"encrypted_content":"enc"}"#,
            r#"{"type":"reasoning","id":"x","summary":[],"encrypted_content":"e2"}"#,
            r#"{"type":"function_call","call_id":"c","name":"run","arguments":"{\"n\":1}"}"#,
            r#"{"type":"function_call_output","call_id":"c","output":"1"}"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"B"}]}"#,
        ]
    );
}

#[test]
fn r6_images_in_outputs_are_blocks() {
    let list = format!(r#"[{{"type":"text","text":"see"}},{PNG}]"#);
    let rows = [user(1, "a", "A"), call(2, "a", "c"), result(3, "a", "c", &list)];
    assert_eq!(
        lines(&rows, Vendor::OpenaiResponses)[2],
        r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:image/png;base64,aGk="}]}"#
    );
}

#[test]
fn r7_nothing_refers_to_an_earlier_response_or_item_after_a_cancelled_call() {
    let rows = [user(1, "a", "A"), call(2, "a", "c"), system(3, "a", "stopped"), user(4, "b", "B")];
    let lines = lines(&rows, Vendor::OpenaiResponses);
    assert_eq!(lines[1], r#"{"type":"function_call","call_id":"c","name":"run","arguments":"{\"n\":1}"}"#);
    assert!(lines[2].starts_with(r#"{"type":"function_call_output","call_id":"c","output":"The turn was stopped"#));
    assert!(!lines.concat().contains("\"id\"") && !lines.concat().contains("previous_response_id"));
}

#[test]
fn neutral_keeps_metadata_arguments_and_results_as_they_came() {
    let rows = [
        user(1, "a", "A"),
        thinks(2, "a", "t", Some(r#"{"signature": "s"}"#)),
        call_with(3, "a", "c", "[1, 2]"),
        result(4, "a", "c", r#"{"z": [1],"a":2}"#),
        says(5, "a", "x"),
    ];
    assert_eq!(
        lines(&rows, Vendor::Neutral),
        [
            r#"{"role":"user","content":[{"type":"text","text":"A"}]}"#,
            r#"{"role":"assistant","content":[{"type":"reasoning","text":"t","metadata":{"signature": "s"}},{"type":"tool_call","callId":"c","name":"run","arguments":[1, 2]}]}"#,
            r#"{"role":"tool","content":[{"type":"tool_result","callId":"c","name":"run","result":{"z": [1],"a":2},"isError":false}]}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"x"}]}"#,
        ]
    );
}

#[test]
fn files_of_users_go_in_each_vendors_shape() {
    let file = |seq, json: &str| part(seq, "a", Role::User, OpaqueKind::File, json).message("m");
    let rows = [
        user(1, "a", "A").message("m"),
        file(2, r#"{"type":"file","mediaType":"image/png","url":"https://x.test/a.png"}"#),
        file(3, r#"{"type":"file","mediaType":"application/pdf","data":"aGk=","filename":"a.pdf"}"#),
        file(4, r#"{"type":"file","mediaType":"text/csv","url":"https://x.test/a.csv","filename":"a.csv"}"#),
    ];
    assert_eq!(
        lines(&rows, Vendor::Anthropic),
        [
            r#"{"role":"user","content":[{"type":"text","text":"A"},{"type":"image","source":{"type":"url","url":"https://x.test/a.png"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"aGk="}},{"type":"text","text":"[file: a.csv, text/csv]"}]}"#
        ]
    );
    assert_eq!(
        lines(&rows, Vendor::OpenaiChat),
        [
            r#"{"role":"user","content":[{"type":"text","text":"A"},{"type":"image_url","image_url":{"url":"https://x.test/a.png"}},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}},{"type":"text","text":"[file: a.csv, text/csv]"}]}"#
        ]
    );
    assert_eq!(
        lines(&rows, Vendor::OpenaiResponses),
        [
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"A"},{"type":"input_image","image_url":"https://x.test/a.png"},{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="},{"type":"input_text","text":"[file: a.csv, text/csv]"}]}"#
        ]
    );
}
