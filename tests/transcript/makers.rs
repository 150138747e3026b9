//! Whose rows are told: of which execution, and reasoning to which vendor.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::model::{ChunkBody, ExecutionId, Role};
use turnseal::transcript::{Options, Vendor, project};

use super::rows::*;

fn as_asked_by(execution: Option<&str>) -> Vec<String> {
    let rows = [
        user(1, "a", "A"),
        row(2, "a", Role::Assistant, ChunkBody::Error { message: "boom".into(), status_code: None }).by("a2"),
        says(3, "a", "first").by("a1"),
        says(4, "a", "second").by("a2"),
        user(5, "b", "B"),
        call(6, "b", "c").by("b1"),
        call(7, "b", "c").by("b2"),
        result(8, "b", "c", "2").by("b2"),
        result(9, "b", "c", "1").by("b1"),
        user(10, "b", "steer").by("b1"),
    ];
    let options = Options { vendor: Vendor::OpenaiChat, execution: execution.map(ExecutionId::new) };
    lines_of(&project(&rows, &options))
        .iter()
        .map(|line| line.chars().filter(|c| !"{}\"\\".contains(*c)).collect())
        .collect()
}

#[test]
fn of_the_running_turn_this_executions_rows_of_earlier_ones_the_first_executions() {
    let first = as_asked_by(Some("b1"));
    assert_eq!(first, as_asked_by(None));
    assert_eq!(first.len(), 6, "{first:?}");
    assert_eq!(first[1], "role:assistant,content:first");
    assert_eq!(first[4], "role:tool,tool_call_id:c,content:1");
    assert_eq!(first[5], "role:user,content:steer");
    let second = as_asked_by(Some("b2"));
    assert_eq!(second[1], "role:assistant,content:first");
    assert_eq!(second[4], "role:tool,tool_call_id:c,content:2");
    // An execution that is about to ask for the first time has no rows yet.
    assert_eq!(as_asked_by(Some("b3")), [&first[..3], &first[5..]].concat());
}

#[test]
fn ten_a_vendor_switch_reprojects_and_signatures_stay_with_their_maker() {
    let rows = [
        user(1, "a", "A"),
        thinks(2, "a", "claude", Some("{\"signature\":\"s\"}")),
        thinks(3, "a", "gpt", Some("{\"item_id\":\"rs_1\",\"encrypted_content\":\"e\"}")),
        thinks(4, "a", "seek", Some("{\"reasoning_content\":true}")),
        thinks(5, "a", "partial", None),
        call(6, "a", "c"),
        result(7, "a", "c", "1"),
    ];
    let has = |vendor, word: &str| told(&rows, vendor).messages.contains(word);
    let words = ["claude", "gpt", "seek", "partial"];
    let of = |vendor| words.map(|word| has(vendor, word));
    assert_eq!(of(Vendor::Anthropic), [true, false, false, false]);
    assert_eq!(of(Vendor::OpenaiResponses), [false, true, false, false]);
    assert_eq!(of(Vendor::OpenaiChat), [false, false, true, false]);
    assert_eq!(of(Vendor::Neutral), [true, true, true, false]);
}
