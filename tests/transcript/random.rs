//! E63 and E65: whatever the log holds, the messages are valid for every vendor, and their bytes depend on the log alone.

use proptest::prelude::*;
use serde_json::Value;
use turnseal::model::{Chunk, ExecutionId, OpaqueKind, Role};
use turnseal::transcript::{Cause, Options, Projection, Vendor, check, project};

use super::rows::*;

/// One row, its place in the log yet to come: the kind, the turn, the execution, the step, the call.
type Choice = (u8, u8, Option<u8>, Option<u8>, u8);

fn choice() -> impl Strategy<Value = Choice> {
    let none_or = |n: u8| prop_oneof![1 => Just(None), 1 => (0..n).prop_map(Some)];
    (0..24u8, 0..4u8, none_or(3), none_or(3), 0..4u8)
}

const RESULTS: [&str; 7] = [
    "\"ok\"",
    "null",
    r#"{"a":[1]}"#,
    r#"[{"type":"text","text":"t"},{"type":"image","data":"aGk=","mimeType":"image/png"}]"#,
    r#"[{"type":"text","text":" "}]"#,
    "[]",
    "{broken",
];

const METADATA: [Option<&str>; 6] = [
    None,
    Some(r#"{"signature":"s"}"#),
    Some(r#"{"redacted_thinking":"r"}"#),
    Some(r#"{"item_id":"rs_1","encrypted_content":"e"}"#),
    Some(r#"{"reasoning_content":1}"#),
    Some("7"),
];

const IDS: [&str; 4] = ["c", "c_2", "f.x:0", ""];

fn chunk(seq: u64, (kind, turn, execution, step, id): Choice) -> Chunk {
    let turn = format!("t{turn}");
    let turn = turn.as_str();
    let call_id = IDS[usize::from(id)];
    let pick = usize::try_from(seq).unwrap();
    let mut chunk = match kind {
        0..=2 => user(seq, turn, &format!("<user {seq}>")),
        3 | 4 => says(seq, turn, ["text", " ", ""][pick % 3]),
        5 | 6 => thinks(seq, turn, "thought", METADATA[pick % 6]),
        7..=11 => call_with(seq, turn, call_id, ["{}", "[1]", "\"x\"", "{broken", "{\"z\": 1}"][pick % 5]),
        12..=16 => result(seq, turn, call_id, RESULTS[pick % 7]),
        17 => failed(seq, turn, call_id, "\"denied\"", None),
        18 => system(seq, turn, ["stopped", "denied", "superseded", "notice"][pick % 4]),
        19 => unknown(seq, turn, "tool_interrupted", &format!("{{\"callId\":\"{call_id}\",\"started\":false}}")),
        20 => part(seq, turn, Role::User, OpaqueKind::File, r#"{"type":"file","mediaType":"image/png","data":"aGk="}"#),
        21 => part(seq, turn, Role::Assistant, OpaqueKind::File, r#"{"type":"file","filename":"x.zip"}"#),
        22 => part(seq, turn, Role::User, OpaqueKind::Data, "{\"type\":\"data\"}"),
        _ => row(seq, turn, Role::Assistant, turnseal::model::ChunkBody::Usage(turnseal::model::Json::new("{}"))),
    };
    // Users speak outside of executions and steps.
    if chunk.role != Role::User {
        chunk.execution = execution.map(|n| ExecutionId::new(format!("{turn}-e{n}")));
        chunk.step = step.map(u32::from);
    }
    chunk
}

fn log() -> impl Strategy<Value = Vec<Chunk>> {
    prop::collection::vec(choice(), 0..40)
        .prop_map(|rows| rows.into_iter().zip(1..).map(|(choice, seq)| chunk(seq, choice)).collect())
}

fn asking() -> impl Strategy<Value = Option<ExecutionId>> {
    prop_oneof![Just(None), (0..4u8, 0..4u8).prop_map(|(turn, n)| Some(ExecutionId::new(format!("t{turn}-e{n}"))))]
}

fn of(rows: &[Chunk], vendor: Vendor, execution: &Option<ExecutionId>) -> Projection {
    project(rows, &Options { vendor, execution: execution.clone() })
}

/// What a message holds, in the order in which an API reads it.
#[derive(Debug)]
enum Word {
    Call(String),
    Result(String),
    Other,
}

/// The words of all messages, read by this test itself.
fn words(messages: &str, vendor: Vendor) -> Vec<Word> {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let messages: Vec<Value> = serde_json::from_str(messages).unwrap();
    let items = messages.into_iter().flat_map(|message| match vendor {
        Vendor::Anthropic | Vendor::Neutral => list(&message["content"]),
        Vendor::OpenaiResponses => vec![message],
        Vendor::OpenaiChat => {
            let calls = list(&message["tool_calls"]);
            let said = (!message["content"].is_null()).then_some(message);
            said.into_iter().chain(calls).collect()
        }
    });
    items
        .map(|item| match (text(&item, "type").as_str(), text(&item, "role").as_str()) {
            ("tool_use" | "function", _) => Word::Call(text(&item, "id")),
            ("function_call", _) => Word::Call(text(&item, "call_id")),
            ("tool_call", _) => Word::Call(text(&item, "callId")),
            ("tool_result", _) if vendor == Vendor::Anthropic => Word::Result(text(&item, "tool_use_id")),
            ("tool_result", _) => Word::Result(text(&item, "callId")),
            ("function_call_output", _) => Word::Result(text(&item, "call_id")),
            (_, "tool") => Word::Result(text(&item, "tool_call_id")),
            _ => Word::Other,
        })
        .collect()
}

/// L13, without the help of `check`: calls in a row, and right behind them their results in the same order.
fn assert_paired(messages: &str, vendor: Vendor) {
    let mut open: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut answering = false;
    for word in words(messages, vendor) {
        match word {
            Word::Call(id) => {
                assert!(!answering, "a call before the results are whole: {messages}");
                assert!(!id.is_empty() && seen.insert(id.clone()), "{id} twice: {messages}");
                open.push(id);
            }
            Word::Result(id) => {
                assert!(!open.is_empty(), "{id} is an orphan: {messages}");
                assert_eq!(open.remove(0), id, "{messages}");
                answering = !open.is_empty();
            }
            Word::Other => assert!(open.is_empty(), "something between a call and its result: {messages}"),
        }
    }
    assert!(open.is_empty(), "{open:?} have no result: {messages}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn e63_every_log_projects_without_problems(rows in log(), execution in asking()) {
        for vendor in VENDORS {
            let projection = of(&rows, vendor, &execution);
            prop_assert_eq!(&projection.problems, &Vec::<String>::new(), "{}", projection.messages);
            assert_paired(&projection.messages, vendor);
            let messages: Vec<Value> = serde_json::from_str(&projection.messages).unwrap();
            let (made_up, missing): (Vec<_>, Vec<_>) =
                projection.fillers.iter().partition(|filler| filler.cause == Cause::NoCall);
            for filler in &made_up {
                prop_assert!(messages[filler.message].to_string().contains(&filler.wire));
            }
            for filler in &missing {
                let text = filler.cause.text(filler.started);
                prop_assert!(messages[filler.message].to_string().contains(&text), "{:?}", filler);
            }
            // E62: no filler stands unflagged.
            let fillers = projection.messages.matches(" started").count();
            prop_assert_eq!(fillers, missing.len(), "{}", projection.messages);
        }
    }

    #[test]
    fn l13_each_user_message_stands_once(rows in log(), execution in asking()) {
        for vendor in VENDORS {
            let messages = of(&rows, vendor, &execution).messages;
            for row in &rows {
                let word = format!("<user {}>", row.seq.0);
                let said = matches!(&row.body, turnseal::model::ChunkBody::Text { text } if *text == word);
                prop_assert_eq!(messages.matches(&word).count(), usize::from(said), "{} in {}", word, messages);
            }
        }
    }

    #[test]
    fn e65_bytes_depend_on_the_rows_alone(
        (rows, shuffled) in log().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        execution in asking(),
    ) {
        let twice: Vec<Chunk> = shuffled.iter().chain(&rows).cloned().collect();
        for vendor in VENDORS {
            let projection = of(&rows, vendor, &execution);
            prop_assert_eq!(&projection, &of(&rows, vendor, &execution));
            prop_assert_eq!(&projection, &of(&shuffled, vendor, &execution));
            prop_assert_eq!(&projection, &of(&twice, vendor, &execution));
        }
    }

    #[test]
    fn check_reads_anything(text in "[\\[\\]{}\",:a-c0 ]{0,60}", rows in log(), cut in any::<prop::sample::Index>()) {
        for vendor in VENDORS {
            let _ = check(&text, vendor);
            let messages = of(&rows, vendor, &None).messages;
            let cut = messages.char_indices().map(|(at, _)| at).nth(cut.index(messages.chars().count())).unwrap();
            // A cut text is no JSON array, and that is said.
            prop_assert!(!check(&messages[..cut], vendor).is_empty());
        }
    }
}
