//! E64: what the APIs refuse is refused here first, by name.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::transcript::{Vendor, check};

use super::rows::VENDORS;

/// One beat of a case: `u` a user, `a` an assistant, `c:x,y` calls in one message, `r:x` a result.
fn message(vendor: Vendor, beat: &str) -> Vec<String> {
    let (kind, ids) = beat.split_once(':').unwrap_or((beat, ""));
    let each = |each: fn(Vendor, &str) -> String| ids.split(',').map(|id| each(vendor, id)).collect::<Vec<_>>();
    match (kind, vendor) {
        ("u" | "a", _) => {
            let role = if kind == "u" { "user" } else { "assistant" };
            let text = match vendor {
                Vendor::Anthropic | Vendor::OpenaiChat => r#""hi""#,
                Vendor::OpenaiResponses | Vendor::Neutral => r#"[{"type":"text","text":"hi"}]"#,
            };
            vec![format!(r#"{{"role":"{role}","content":{text}}}"#)]
        }
        ("c", Vendor::OpenaiResponses) => each(one_call),
        ("c", Vendor::OpenaiChat) => {
            vec![format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, each(one_call).join(","))]
        }
        ("c", _) => vec![format!(r#"{{"role":"assistant","content":[{}]}}"#, each(one_call).join(","))],
        ("r", Vendor::OpenaiChat | Vendor::OpenaiResponses) => each(one_result),
        ("r", Vendor::Anthropic) => vec![format!(r#"{{"role":"user","content":[{}]}}"#, each(one_result).join(","))],
        ("r", Vendor::Neutral) => vec![format!(r#"{{"role":"tool","content":[{}]}}"#, each(one_result).join(","))],
        _ => panic!("{beat}"),
    }
}

fn one_call(vendor: Vendor, id: &str) -> String {
    match vendor {
        Vendor::Anthropic => format!(r#"{{"type":"tool_use","id":"{id}","name":"run","input":{{}}}}"#),
        Vendor::OpenaiChat => {
            format!(r#"{{"id":"{id}","type":"function","function":{{"name":"run","arguments":"{{}}"}}}}"#)
        }
        Vendor::OpenaiResponses => {
            format!(r#"{{"type":"function_call","call_id":"{id}","name":"run","arguments":"{{}}"}}"#)
        }
        Vendor::Neutral => format!(r#"{{"type":"tool_call","callId":"{id}","name":"run","arguments":{{}}}}"#),
    }
}

fn one_result(vendor: Vendor, id: &str) -> String {
    match vendor {
        Vendor::Anthropic => format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}"#),
        Vendor::OpenaiChat => format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"x"}}"#),
        Vendor::OpenaiResponses => format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"x"}}"#),
        Vendor::Neutral => format!(r#"{{"type":"tool_result","callId":"{id}","result":1}}"#),
    }
}

/// The names of the rules that a case breaks.
fn broken(vendor: Vendor, case: &str) -> Vec<String> {
    let messages: Vec<String> = case.split(' ').flat_map(|beat| message(vendor, beat)).collect();
    let problems = check(&format!("[{}]", messages.join(",")), vendor);
    problems.iter().map(|problem| problem.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn e64_each_case_is_rejected_by_name() {
    for (case, rule) in [
        ("u c:x u", "a01 unmatched_tool_use"),
        ("u c:x", "a01 unmatched_tool_use"),
        ("u a r:x", "a02 unmatched_tool_result"),
        ("u r:x", "a02 unmatched_tool_result"),
        ("u c:x u r:x", "a03 interleaved_user_message"),
        ("u c:x a r:x", "a04 interleaved_assistant_message"),
        ("u c:x r:x u a u r:x", "a05 duplicate_tool_call_id"),
        ("u c:x r:x r:x u", "a05 duplicate_tool_call_id"),
        ("u c:x r:x c:x r:x", "a05 duplicate_tool_call_id"),
        ("u c:x r:x c:y r:x", "a06 wrong_tool_call_id"),
        ("u c:x r:z", "a06 wrong_tool_call_id"),
        ("u c:x,y,z r:x,y u", "a07 parallel_missing_result"),
        ("u r:x,y c:x,y", "a08 parallel_wrong_order"),
        ("u c:x,y r:y,x", "a08 parallel_wrong_order"),
    ] {
        for vendor in VENDORS {
            let broken = broken(vendor, case);
            assert!(broken.iter().any(|name| name == rule), "{case} for {vendor:?}: {broken:?}");
            assert!(broken.iter().all(|name| name == rule), "{case} for {vendor:?}: {broken:?}");
        }
    }
}

#[test]
fn what_is_right_has_no_problems() {
    for case in ["u", "u a u", "u c:x r:x", "u a c:x,y r:x,y u a", "u c:x r:x c:y r:y a u u", "a u"] {
        for vendor in VENDORS {
            assert_eq!(broken(vendor, case), Vec::<String>::new(), "{case} for {vendor:?}");
        }
    }
}

fn says(vendor: Vendor, messages: &str) -> Vec<String> {
    check(messages, vendor)
}

#[test]
fn what_is_no_message_is_a_problem_and_no_panic() {
    for vendor in VENDORS {
        assert_eq!(says(vendor, "[]"), Vec::<String>::new());
        for text in ["", "x", "{}", "[1", "null", "\"a\""] {
            assert_eq!(says(vendor, text), ["json: the messages are not one JSON array"], "{text}");
        }
        for text in ["[1]", "[{}]", r#"[{"role":1}]"#, r#"[{"role":"user"}]"#, r#"[{"type":"what","role":"x"}]"#] {
            let problems = says(vendor, text);
            assert!(!problems.is_empty() && problems.iter().all(|problem| problem.starts_with("shape: ")), "{text}");
        }
    }
}

#[test]
fn a1_results_of_one_message_stand_in_one_message() {
    assert_eq!(broken(Vendor::Anthropic, "u c:x,y r:x r:y"), ["A1 results_split"]);
    assert_eq!(broken(Vendor::OpenaiChat, "u c:x,y r:x r:y"), Vec::<String>::new());
}

#[test]
fn a2_text_before_a_result_is_rejected() {
    let result = one_result(Vendor::Anthropic, "x");
    let messages = format!(
        r#"[{},{{"role":"user","content":[{{"type":"text","text":"t"}},{result}]}}]"#,
        message(Vendor::Anthropic, "c:x").concat()
    );
    let problems = says(Vendor::Anthropic, &messages);
    assert!(problems.len() == 1 && problems[0].starts_with("A2 text_before_result: "), "{problems:?}");
}

#[test]
fn a5_thinking_without_a_signature_is_rejected() {
    let messages =
        r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}]}]"#;
    assert!(says(Vendor::Anthropic, messages)[0].starts_with("A5 unsigned_thinking: "));
}

#[test]
fn o3_a_result_that_is_not_text_is_rejected() {
    let messages = format!(
        r#"[{},{{"role":"tool","tool_call_id":"x","content":[{{"type":"image_url","image_url":{{"url":"u"}}}}]}}]"#,
        message(Vendor::OpenaiChat, "c:x").concat()
    );
    assert!(says(Vendor::OpenaiChat, &messages)[0].starts_with("O3 tool_content_not_text: "));
}

#[test]
fn r2_reasoning_that_leads_nowhere_is_rejected() {
    let item = r#"{"type":"reasoning","id":"rs_1","summary":[]}"#;
    let user = message(Vendor::OpenaiResponses, "u").concat();
    for messages in [format!("[{item}]"), format!("[{item},{user}]")] {
        assert!(says(Vendor::OpenaiResponses, &messages)[0].starts_with("R2 reasoning_without_follower: "));
    }
}

#[test]
fn r6_an_output_that_is_neither_text_nor_blocks_is_rejected() {
    let messages = format!(
        r#"[{},{{"type":"function_call_output","call_id":"x","output":{{"a":1}}}}]"#,
        message(Vendor::OpenaiResponses, "c:x").concat()
    );
    assert!(says(Vendor::OpenaiResponses, &messages)[0].starts_with("R6 output_shape: "));
}

#[test]
fn instructions_of_the_host_may_stand_in_front() {
    let messages = format!(r#"[{{"role":"system","content":"s"}},{}]"#, message(Vendor::OpenaiChat, "u").concat());
    assert_eq!(says(Vendor::OpenaiChat, &messages), Vec::<String>::new());
}
