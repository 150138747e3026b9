//! The rules O1 to O4 of chat completions, each with the bytes that come out.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::transcript::Vendor;

use super::rows::*;

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
