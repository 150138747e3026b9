//! Inputs of the engine with every field missing or of a wrong kind: answered, never a panic, and the state is whole.

use turnseal::wasm::EngineCore;

const INPUTS: &[&str] = &[
    r#"{"type":"send","messageId":"m1","clientId":"k1","text":"2+2?","intent":"steer","models":["a","b"]}"#,
    r#"{"type":"send","messageId":"m2","parts":[{"type":"text","text":"x"},{"type":"file","id":"f"}]}"#,
    r#"{"type":"stop","turnId":"t:1"}"#,
    r#"{"type":"delta","executionId":"t:1.1","kind":"text","delta":"a"}"#,
    r#"{"type":"reasoning-end","executionId":"t:1.1","metadata":{"a":1}}"#,
    r#"{"type":"tool-input","executionId":"t:1.1","callId":"c","name":"rm","delta":"{"}"#,
    r#"{"type":"part","executionId":"t:1.1","part":{"type":"data","id":"p"}}"#,
    r#"{"type":"usage","executionId":"t:1.1","usage":{}}"#,
    r#"{"type":"tool-call","executionId":"t:1.1","callId":"c","name":"rm","arguments":{},"approval":true,"prompt":"?"}"#,
    r#"{"type":"tool-output","turnId":"t:1","callId":"c","data":"x","stream":"stderr"}"#,
    r#"{"type":"tool-result","turnId":"t:1","executionId":"t:1.1","callId":"c","result":"x","isError":true}"#,
    r#"{"type":"step-end","executionId":"t:1.1"}"#,
    r#"{"type":"execution-end","executionId":"t:1.1","outcome":"error","error":"x"}"#,
    r#"{"type":"approve","callId":"c","turnId":"t:1","reason":"x"}"#,
    r#"{"type":"deny","callId":"c"}"#,
    r#"{"type":"persisted","turnId":"t:1","chunks":[]}"#,
    r#"{"type":"persist-failed","turnId":"t:1","from":0,"error":"x"}"#,
    r#"{"type":"retry","turnId":"t:1","executionId":"t:1.1"}"#,
    r#"{"type":"watchers","count":0}"#,
    r#"{"type":"cancel-queued","messageId":"m1"}"#,
    r#"{"type":"edit-queued","messageId":"m1","text":"x"}"#,
    r#"{"type":"move-queued","messageId":"m1","index":2}"#,
    r#"{"type":"send-now","messageId":"m1"}"#,
    r#"{"type":"resume-queue"}"#,
    r#"{"type":"timer-fired","timer":1}"#,
];

const WRONG: &[&str] = &["null", "true", "-1", "1e300", "9007199254740993", "\"\"", "\"\\ud83d\"", "[]", "[{}]", "{}"];

/// The input with each of its fields left out, then with each of a wrong kind.
fn wrongs(input: &str) -> Vec<String> {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(input).unwrap();
    let mut all = vec![input.to_owned()];
    for name in fields.keys() {
        let mut less = fields.clone();
        less.remove(name);
        all.push(serde_json::Value::Object(less).to_string());
        let own = format!("{}:{}", serde_json::Value::from(name.as_str()), fields[name]);
        let sorted = serde_json::Value::Object(fields.clone()).to_string();
        all.extend(
            WRONG
                .iter()
                .map(|wrong| sorted.replacen(&own, &format!("{}:{wrong}", serde_json::Value::from(name.as_str())), 1)),
        );
    }
    all
}

#[test]
fn a_wrong_input_is_answered_in_every_state() {
    let mut core = EngineCore::new(r#"{"models":["a","b"]}"#);
    let mut count = 0;
    for input in INPUTS {
        for wrong in wrongs(input) {
            let before = core.snapshot("t");
            let said = core.apply("t", &wrong);
            let effects: Vec<serde_json::Value> = serde_json::from_str(&said).unwrap();
            let refused = effects.iter().any(|effect| effect["field"].is_string() || effect["code"] == "unknown-type");
            assert!(!refused || effects.len() == 1 && before == core.snapshot("t"), "{wrong}: {said}");
            serde_json::from_str::<serde_json::Value>(&core.meta("t")).unwrap();
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}
