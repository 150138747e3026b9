//! The rules R1 to R7 of OpenAI Responses, the neutral form, and files in each, with the bytes that come out.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::model::{OpaqueKind, Role};
use turnseal::transcript::Vendor;

use super::rows::*;

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
