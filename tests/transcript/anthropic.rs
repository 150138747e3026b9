//! The rules A1 to A8 of Anthropic, each with the bytes that come out.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::transcript::Vendor;

use super::rows::*;

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
    let arguments = r#"{"z": 1e400, "a":{"y":9007199254740993,"b":"\ud83c\udf0d"}}"#;
    let rows = [user(1, "a", "A"), call_with(2, "a", "c", arguments)];
    assert!(lines(&rows, Vendor::Anthropic)[1].contains(&format!(r#""input":{arguments}}}"#)));
}

#[test]
fn lone_surrogates_which_no_api_takes_are_replaced() {
    let rows = [
        user(1, "a", "A"),
        call_with(2, "a", "c", r#"{"b":"x\ud800"}"#),
        result(3, "a", "c", r#"{"c":"\udc00\\ud800"}"#),
    ];
    for vendor in VENDORS {
        let messages = lines(&rows, vendor).concat();
        assert_eq!(messages.matches('\u{FFFD}').count(), 2, "{messages}");
    }
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
