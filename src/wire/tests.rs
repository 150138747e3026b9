//! Each type of event: what it gives, and what it is refused for.

use super::{Decoded, Refused, body, chunk, decode, encode, event, page};
use crate::model::{
    Body, CallId, ChunkBody, Consumed, Cut, DeltaKind, Envelope, Event, Intent, Json, Outcome, Part, Role, Seq,
    StatusKind, Stream, ToolState, TurnId,
};

/// The event of a text that must be good.
fn good(json: &str) -> Event {
    match event(json) {
        (Some(envelope), None) => envelope.event,
        (_, refused) => panic!("{json}: {refused:?}"),
    }
}

/// Code and field of a text that must be refused; with a number, it must still count.
fn bad(json: &str) -> (&'static str, String) {
    let (envelope, refused) = event(json);
    let refused = refused.unwrap_or_else(|| panic!("{json}: {envelope:?}"));
    if let Some(envelope) = envelope {
        assert_eq!(envelope.event, Event::Nothing, "{json}");
        assert!(envelope.n.is_some(), "{json}");
    }
    (refused.code, refused.field.unwrap_or_default())
}

/// Each type with all its fields good; dropping a required one and spoiling any one is refused by name.
const EVENTS: &[(&str, &[&str], &[&str])] = &[
    // A good event; its required fields; its optional fields that have a type.
    (
        r#"{"type":"turn-start","turnId":"t","user":{"text":"hi"},"messageIds":["m"]}"#,
        &["turnId"],
        &["user", "messageIds"],
    ),
    (
        r#"{"type":"text-delta","delta":"a","turnId":"t","messageId":"m","partId":"p"}"#,
        &["delta"],
        &["turnId", "messageId", "partId"],
    ),
    (
        r#"{"type":"reasoning-delta","delta":"a","turnId":"t","messageId":"m","partId":"p"}"#,
        &["delta"],
        &["turnId", "messageId", "partId"],
    ),
    (r#"{"type":"reasoning-end","metadata":[1],"turnId":"t"}"#, &[], &["turnId"]),
    (
        r#"{"type":"tool-input-start","callId":"c","name":"ls","turnId":"t","step":2}"#,
        &["callId", "name"],
        &["turnId", "step"],
    ),
    (r#"{"type":"tool-input-delta","callId":"c","delta":"{","turnId":"t"}"#, &["callId", "delta"], &["turnId"]),
    (
        r#"{"type":"tool-call","toolCall":{"id":"c","name":"ls","arguments":{}},"turnId":"t","step":2}"#,
        &["toolCall"],
        &["turnId", "step"],
    ),
    (
        r#"{"type":"tool-output","data":"a","stream":"stderr","callId":"c","turnId":"t"}"#,
        &["data"],
        &["stream", "callId", "turnId"],
    ),
    (r#"{"type":"shell-output","data":"a","stream":"stderr"}"#, &["data"], &["stream"]),
    (
        r#"{"type":"tool-result","toolResult":{"toolCallId":"c","result":"x","isError":true},"turnId":"t"}"#,
        &["toolResult"],
        &["turnId"],
    ),
    (
        r#"{"type":"approval-request","callId":"c","turnId":"t","prompt":"ok?","options":[1]}"#,
        &["callId"],
        &["turnId", "prompt"],
    ),
    (
        r#"{"type":"approval-resolved","callId":"c","turnId":"t","decision":"denied","reason":"no"}"#,
        &["callId", "decision"],
        &["turnId", "reason"],
    ),
    (r#"{"type":"part","part":{"type":"file","id":"f","url":"u"},"turnId":"t"}"#, &["part"], &["turnId"]),
    (
        r#"{"type":"message-queued","messageId":"m","message":"hi","clientId":"k","intent":"steer"}"#,
        &["messageId", "message"],
        &["clientId", "intent"],
    ),
    (
        r#"{"type":"message-consumed","messageIds":["m"],"reason":"continuation","turnId":"t"}"#,
        &["messageIds"],
        &["reason", "turnId"],
    ),
    (r#"{"type":"message-cancelled","messageId":"m"}"#, &["messageId"], &[]),
    (r#"{"type":"message-edited","messageId":"m","message":"ho","rev":3}"#, &["messageId", "message"], &["rev"]),
    (
        r#"{"type":"queue-snapshot","items":[{"messageId":"m","message":"a"}],"held":true,"version":1}"#,
        &["items", "held", "version"],
        &[],
    ),
    (r#"{"type":"turn-end","turnId":"t","outcome":"error","error":"no"}"#, &["turnId", "outcome"], &["error"]),
    (r#"{"type":"status","status":"idle"}"#, &["status"], &[]),
    (
        r#"{"type":"turn-sealed","turnId":"t","firstSeq":1,"lastSeq":2,"prevSeq":0,"chunks":[]}"#,
        &["turnId"],
        &["firstSeq", "lastSeq", "prevSeq", "chunks"],
    ),
    (r#"{"type":"notice","message":"a","turnId":"t"}"#, &["message"], &["turnId"]),
    (r#"{"type":"error","error":"a","statusCode":500,"turnId":"t"}"#, &["error"], &["statusCode", "turnId"]),
    (
        r#"{"type":"snapshot","epoch":"e","lastSeq":4,"turns":[],"queue":[],"held":false,"approvals":[]}"#,
        &["turns"],
        &["epoch", "lastSeq", "queue", "held", "approvals"],
    ),
    (r#"{"type":"statuses","statuses":{}}"#, &["statuses"], &[]),
    (
        r#"{"type":"chunks-loaded","chunks":[],"total":1,"oldestSeq":1,"prevSeq":0,"limit":5,"epoch":"e"}"#,
        &["chunks"],
        &["total", "oldestSeq", "prevSeq", "limit", "epoch"],
    ),
    (r#"{"type":"log-truncated","fromSeq":7,"epoch":"e"}"#, &["fromSeq"], &["epoch"]),
    (r#"{"type":"log-reset","epoch":"e"}"#, &["epoch"], &[]),
    (r#"{"type":"chunks-updated","chunks":[]}"#, &["chunks"], &[]),
    (r#"{"type":"thread-renamed","from":"a","to":"b"}"#, &["from", "to"], &[]),
];

/// The event with one field replaced by a value, or dropped.
fn with(json: &str, field: &str, value: Option<&str>) -> String {
    let mut object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).unwrap();
    assert!(object.remove(field).is_some(), "{json} has no {field}");
    if let Some(value) = value {
        object.insert(field.into(), serde_json::from_str(value).unwrap());
    }
    object.insert("n".into(), 9.into());
    serde_json::to_string(&object).unwrap()
}

#[test]
fn each_type_is_read_and_refused_by_field() {
    for (json, required, optional) in EVENTS {
        assert_ne!(good(json), Event::Nothing);
        for field in *required {
            assert_eq!(bad(&with(json, field, None)), ("missing-field", (*field).to_owned()), "{json}");
            assert_eq!(bad(&with(json, field, Some("null"))), ("missing-field", (*field).to_owned()), "{json}");
        }
        for field in required.iter().chain(*optional) {
            let (code, at) = bad(&with(json, field, Some("[[]]")));
            assert_eq!((code, at.split('[').next().unwrap()), ("bad-field", *field), "{json}");
        }
        for field in *optional {
            good(&with(json, field, None));
            good(&with(json, field, Some("null")));
        }
    }
}

#[test]
fn a_refused_number_still_counts() {
    let (envelope, refused) = event(r#"{"type":"text-delta","n":7,"tabId":"x"}"#);
    let envelope = envelope.unwrap();
    assert_eq!((envelope.thread.as_str(), envelope.n, envelope.event), ("x", Some(7), Event::Nothing));
    let refused = refused.unwrap();
    assert_eq!((refused.code, refused.field.as_deref()), ("missing-field", Some("delta")));
    assert_eq!((refused.kind.as_deref(), refused.thread.unwrap().as_str()), (Some("text-delta"), "x"));
    assert_eq!(event(r#"{"type":"text-delta"}"#).0, None);
    assert_eq!(bad(r#"{"type":"new-thing","n":1}"#), ("unknown-type", "type".into()));
    assert_eq!(bad(r#"{"n":1}"#), ("missing-field", "type".into()));
    assert_eq!(bad(r#"{"n":1,"type":4}"#), ("bad-field", "type".into()));
    assert_eq!(bad(r#"{"type":"status","status":"idle","n":-1}"#), ("bad-field", "n".into()));
    assert_eq!(bad(r#"{"type":"status","status":"idle","threadId":{}}"#), ("bad-field", "threadId".into()));
    assert_eq!(bad(r#"{"type":"status","status":"idle","executionId":{},"n":1}"#), ("bad-field", "executionId".into()));
}

#[test]
fn the_address_is_read() {
    let (envelope, _) = event(r#"{"type":"ping","n":5.0,"threadId":"a","tabId":"b","executionId":7}"#);
    let envelope = envelope.unwrap();
    assert_eq!((envelope.thread.as_str(), envelope.n, envelope.event), ("a", Some(5), Event::Ping));
    assert_eq!(envelope.execution.unwrap().as_str(), "7");
    assert_eq!(event(r#"{"type":"ping","n":1}"#).0.unwrap().thread.as_str(), "main");
    assert_eq!(bad(r#"{"type":"ping"}"#), ("missing-field", "n".into()));
}

#[test]
fn numbers_are_whole_however_written() {
    let number = |raw: &str| event(&format!(r#"{{"type":"ping","n":{raw}}}"#)).0.and_then(|envelope| envelope.n);
    for (raw, is) in [
        ("0", 0),
        ("-0", 0),
        ("5.0", 5),
        ("5e0", 5),
        ("50E-1", 5),
        ("0.05e+2", 5),
        ("0e999999999999999999999", 0),
        ("9007199254740991", (1 << 53) - 1),
        ("9007199254740991.0", (1 << 53) - 1),
    ] {
        assert_eq!(number(raw), Some(is), "{raw}");
    }
    for raw in
        ["-1", "5.5", "9007199254740992", "1e16", "1e400", "5e-1", "1e99999999999999999999", "\"5\"", "true", "1e-400"]
    {
        assert_eq!(number(raw), None, "{raw}");
    }
}

#[test]
fn ids_are_texts_or_numbers() {
    let turn = |raw: &str| match event(&format!(r#"{{"type":"turn-end","outcome":"done","turnId":{raw}}}"#)).0 {
        Some(Envelope { event: Event::TurnEnd { turn, .. }, .. }) => Some(turn),
        _ => None,
    };
    assert_eq!(turn("12"), Some(TurnId::from("12")));
    assert_eq!(turn("5.0"), Some(TurnId::from("5")));
    assert_eq!(turn("123456789012345678901"), Some(TurnId::from("123456789012345678901")));
    assert_eq!(turn(r#""\ud83d\ude00""#), Some(TurnId::from("\u{1F600}")));
    assert_eq!(turn(r#""a\udc00b""#), Some(TurnId::from("a\u{FFFD}b")));
    assert_eq!(bad(r#"{"type":"turn-end","outcome":"done","turnId":""}"#), ("missing-field", "turnId".into()));
    assert_eq!(bad(r#"{"type":"message-consumed","messageIds":["a",""]}"#), ("bad-field", "messageIds[1]".into()));
    let Event::Delta { turn, .. } = good(r#"{"type":"text-delta","delta":"","turnId":""}"#) else { panic!() };
    assert_eq!(turn, None);
}

#[test]
fn text_may_be_cut_inside_a_pair() {
    let delta = |raw: &str| match good(&format!(r#"{{"type":"text-delta","delta":{raw}}}"#)) {
        Event::Delta { kind: DeltaKind::Text, delta, .. } => delta,
        other => panic!("{other:?}"),
    };
    assert_eq!(delta(r#""a\"\\\/\b\f\n\r\tz\u00e9""#), Cut::whole("a\"\\/\u{8}\u{c}\n\r\tz\u{e9}"));
    assert_eq!(delta(r#""\udf0dx\ud83c""#), Cut { head: Some(0xDF0D), text: "x".into(), tail: Some(0xD83C) });
    assert_eq!(delta(r#""\ud83c""#), Cut { head: None, text: String::new(), tail: Some(0xD83C) });
    assert_eq!(delta(r#""\udf0d\ud83c""#), Cut { head: Some(0xDF0D), text: String::new(), tail: Some(0xD83C) });
    assert_eq!(delta(r#""\ud83cx\udf0dy\ud83c\udf0d""#), Cut::whole("\u{FFFD}x\u{FFFD}y\u{1F30D}"));
    assert_eq!(delta(r#""\ud83c\ud83c\udf0d""#), Cut::whole("\u{FFFD}\u{1F30D}"));
    assert_eq!(delta(r#""\udf0d\udf0d""#), Cut { head: Some(0xDF0D), text: "\u{FFFD}".into(), tail: None });
    assert_eq!(delta(r#""\ud83c\n""#), Cut::whole("\u{FFFD}\n"));
}

#[test]
fn calls_and_results_come_nested_or_flat() {
    let call = |json: &str| match good(json) {
        Event::ToolCall { call, name, arguments, .. } => (call, name, arguments),
        other => panic!("{other:?}"),
    };
    let is = (CallId::from("c"), "ls".to_owned(), Json::new("{ \"a\" : 1 }"));
    assert_eq!(call(r#"{"type":"tool-call","toolCall":{"id":"c","name":"ls","arguments":{ "a" : 1 }}}"#), is);
    assert_eq!(call(r#"{"type":"tool-call","callId":"c","name":"ls","arguments":{ "a" : 1 }}"#), is);
    assert_eq!(bad(r#"{"type":"tool-call","toolCall":{"id":"c","name":1}}"#), ("bad-field", "toolCall.name".into()));
    assert_eq!(bad(r#"{"type":"tool-call","callId":"c","name":"x"}"#), ("missing-field", "arguments".into()));
    let result = |json: &str| match good(json) {
        Event::ToolResult { call, result, is_error, .. } => (call, result, is_error),
        other => panic!("{other:?}"),
    };
    let is = (CallId::from("c"), Json::new("null"), true);
    assert_eq!(result(r#"{"type":"tool-result","toolResult":{"toolCallId":"c","result":null,"isError":true}}"#), is);
    assert_eq!(result(r#"{"type":"tool-result","callId":"c","result":null,"isError":true}"#), is);
    let json = r#"{"type":"tool-result","toolResult":{"result":1}}"#;
    assert_eq!(bad(json), ("missing-field", "toolResult.toolCallId".into()));
    let Event::ToolOutput { stream, .. } = good(r#"{"type":"shell-output","data":"x"}"#) else { panic!() };
    assert_eq!(stream, Stream::Stdout);
}

#[test]
fn messages_are_text_or_parts() {
    let queued = |json: &str| match good(json) {
        Event::MessageQueued { body, intent, .. } => (body, intent),
        other => panic!("{other:?}"),
    };
    let (plain, intent) = queued(r#"{"type":"message-queued","messageId":"m","message":"hi"}"#);
    assert_eq!((plain, intent), (Body::text("hi"), Intent::Queue));
    let parts = r#"[{"type":"text","text":"hi"},{"type":"file","url":"u"}]"#;
    let (in_parts, _) = queued(&format!(r#"{{"type":"message-queued","messageId":"m","parts":{parts}}}"#));
    assert_eq!(in_parts, body(parts).unwrap());
    assert_eq!(queued(&format!(r#"{{"type":"message-queued","messageId":"m","message":{parts}}}"#)).0, in_parts);
    let field = |raw: &str| body(raw).unwrap_err().field.unwrap_or_default();
    assert_eq!(field(r#"[{"type":"notice","text":"x"}]"#), "[0].type");
    assert_eq!(field("7"), "");
    assert_eq!(body("[").unwrap_err().code, "bad-json");
    let json = r#"{"type":"turn-start","turnId":"t","user":{"clientIds":["k"],"text":7}}"#;
    assert_eq!(bad(json), ("bad-field", "user.text".into()));
    let Event::MessageConsumed { reason, .. } = good(r#"{"type":"message-consumed","messageIds":[]}"#) else {
        panic!()
    };
    assert_eq!(reason, Consumed::Interrupt);
}

#[test]
fn chunks_are_checked_by_role_and_type() {
    let row = |role: &str, kind: &str, data: &str| {
        chunk(&format!(r#"{{"seq":1,"turnId":"t","role":"{role}","type":"{kind}","data":{data}}}"#))
    };
    let text = |text: &str| ChunkBody::Text { text: text.into() };
    assert_eq!(row("user", "text", r#"{"text":"a"}"#).unwrap().body, text("a"));
    let thinking = ChunkBody::Reasoning { text: "a".into(), metadata: Some(Json::new("{}")) };
    assert_eq!(row("assistant", "thinking", r#"{"text":"a","metadata":{}}"#).unwrap().body, thinking);
    let shell = r#"{"callId":"c","name":"ls","result":"r","isError":false,"shellOutput":{"stdout":"o","stderr":""}}"#;
    let ChunkBody::ToolResult { output, .. } = row("tool", "tool_result", shell).unwrap().body else { panic!() };
    assert_eq!(output.unwrap().stdout, "o");
    let ChunkBody::Part(part) = row("user", "file", r#"{ "url":"u" }"#).unwrap().body else { panic!() };
    assert_eq!(part.json.as_str(), r#"{ "url":"u","type":"file"}"#);
    let unknown = ChunkBody::Unknown { kind: "poem".into(), data: Json::new("[1]") };
    assert_eq!(row("assistant", "poem", "[1]").unwrap().body, unknown);
    assert!(matches!(row("system", "text", r#"{"text":"a"}"#).unwrap().body, ChunkBody::Unknown { .. }));
    let refused = |it: Result<_, Refused>| it.map(|_: crate::model::Chunk| ()).unwrap_err().field.unwrap_or_default();
    assert_eq!(refused(row("robot", "text", "{}")), "role");
    assert_eq!(refused(row("user", "text", "{}")), "data.text");
    assert_eq!(refused(row("user", "text", "7")), "data");
    assert_eq!(refused(row("user", "file", r#"{"type":"data"}"#)), "data.type");
    assert_eq!(refused(row("assistant", "error", r#"{"message":"m","statusCode":[]}"#)), "data.statusCode");
}

#[test]
fn older_rows_and_pages_are_read() {
    let row = r#"{"id":"r","tabId":"x","seq":4,"turnId":"t","step":0,"role":"user","type":"text","data":{"text":"a"},"createdAt":17}"#;
    let read = page(&format!(r#"{{"chunks":[{row}],"total":9,"oldestSeq":null,"prevSeq":3}}"#)).unwrap();
    assert_eq!((read.total, read.oldest, read.prev), (Some(9), None, Some(Seq(3))));
    let first = read.chunks.first().unwrap();
    assert_eq!((first.role, first.step, first.created_at.clone()), (Role::User, Some(0), Some(Json::new("17"))));
    let refused = page(&format!(r#"{{"chunks":[{row},{row},{{"seq":"1"}}]}}"#)).unwrap_err();
    assert_eq!((refused.code, refused.field.as_deref()), ("missing-field", Some("chunks[2].role")));
    assert_eq!(page(r#"{"chunks":[7]}"#).unwrap_err().field.as_deref(), Some("chunks[0]"));
    assert_eq!(page("[]").unwrap_err().code, "not-an-object");
}

#[test]
fn a_snapshot_is_read_whole() {
    let json = r#"{"type":"snapshot","n":3,"turns":[{"turnId":"t","phase":"awaiting-tool","rows":[
        {"role":"user","messageId":"m","text":"hi"},
        {"role":"assistant","parts":[{"type":"tool","callId":"c","name":"ls","step":1,"state":"done","arguments":null,
          "result":1,"isError":true,"approval":{"state":"open"}},{"type":"data","id":"d"}]}]}],
        "approvals":[{"callId":"c","turnId":"t","name":"ls"}]}"#;
    let Event::Snapshot(snapshot) = good(json) else { panic!() };
    assert_eq!((snapshot.queue, snapshot.held, snapshot.approvals.map(|list| list.len())), (None, None, Some(1)));
    let rows = &snapshot.turns.first().unwrap().rows;
    assert_eq!(rows.first().unwrap().parts, [Part::Text { text: "hi".into() }]);
    let Some(Part::Tool(tool)) = rows.last().unwrap().parts.first() else { panic!() };
    assert_eq!((tool.state, tool.arguments.clone(), tool.is_error), (ToolState::Done, Some(Json::new("null")), true));
    let row = |row: &str| {
        bad(&format!(r#"{{"type":"snapshot","n":1,"turns":[{{"turnId":"t","phase":"ended","rows":[{row}]}}]}}"#)).1
    };
    assert_eq!(row(r#"{"role":"user"}"#), "turns[0].rows[0].parts");
    assert_eq!(row(r#"{"role":"user","parts":[{"type":"tool","callId":"c"}]}"#), "turns[0].rows[0].parts[0].state");
    assert_eq!(row(r#"{"role":"user","parts":[{"type":"hologram"}]}"#), "turns[0].rows[0].parts[0].type");
}

#[test]
fn older_statuses_become_parts() {
    let json = r#"{"type":"statuses","statuses":{"a":{"status":"idle"},"b":{"status":"running","currentTurnId":"t",
        "currentAssistantId":"m","tasks":[],"currentChunks":[{"type":"thinking","text":"h","metadata":{"s":1}},
        {"type":"text","text":"x"},
        {"type":"tool-batch","calls":[{"id":"c","name":"ls","arguments":{},"result":"r","isError":true,
          "shellOutput":{"stdout":"o","stderr":"e"}},{"id":"d","name":"ls","arguments":{}}]},
        {"type":"tool-batch","calls":[{"id":"e","name":"ls","arguments":{}}]},
        {"type":"error","message":"no","statusCode":429},{"type":"system","kind":"notice","text":"n"},
        {"type":"system","kind":"cancelled","text":"n"},{"type":"later"}]}}}"#;
    let Event::Statuses(threads) = good(json) else { panic!() };
    let [(_, idle), (name, running)] = threads.as_slice() else { panic!() };
    assert_eq!((idle.status, name.as_str(), running.status), (StatusKind::Idle, "b", StatusKind::Running));
    assert_eq!(idle.parts, None);
    let parts = running.parts.as_deref().unwrap();
    let metadata = Some(Json::new(r#"{"s":1}"#));
    assert_eq!(parts[0], Part::Reasoning { text: "h".into(), metadata, sealed: true });
    let tools: Vec<_> =
        parts.iter().filter_map(|it| if let Part::Tool(tool) = it { Some(tool) } else { None }).collect();
    assert_eq!(tools.iter().map(|tool| tool.step).collect::<Vec<_>>(), [0, 0, 1]);
    assert_eq!((tools[0].state, tools[0].output.clone().unwrap().stderr), (ToolState::Error, "e".into()));
    assert_eq!((tools[1].state, tools[1].result.clone()), (ToolState::Running, None));
    assert_eq!(parts[5], Part::Error { text: "no".into(), code: Some(Json::new("429")) });
    assert_eq!(parts[6], Part::Notice { text: "n".into(), code: None });
    assert_eq!(parts[7], Part::Notice { text: "n".into(), code: Some(Json::new("\"cancelled\"")) });
    let json = r#"{"type":"statuses","statuses":{"b":{"status":"running","currentChunks":[{"type":"text"}]}}}"#;
    assert_eq!(bad(json), ("missing-field", "statuses.b.currentChunks[0].text".into()));
}

#[test]
fn kept_events_keep_their_bytes() {
    for kind in
        ["usage", "task-list-update", "model-changed", "permission-prompt", "tab-created", "done", "config-reload"]
    {
        let json = format!(r#"{{ "type" : "{kind}", "tabId":"x", "u": 1.50 }}"#);
        let envelope = event(&json).0.unwrap();
        assert_eq!(envelope.event, Event::Meta { kind: kind.into(), json: Json::new(json.as_str()) });
        assert_eq!(encode::event(&envelope), json);
        let numbered = Envelope { n: Some(4), ..envelope };
        let again = event(&encode::event(&numbered)).0.unwrap();
        assert_eq!((again.thread, again.n), (numbered.thread, Some(4)));
    }
}

#[test]
fn of_repeated_fields_the_last_counts() {
    let Event::TurnEnd { outcome, .. } =
        good(r#"{"type":"status","turnId":"t","outcome":7,"outcome":"aborted","t\u0079pe":"turn-end","x\ud800":1}"#)
    else {
        panic!()
    };
    assert_eq!(outcome, Outcome::Aborted);
}

/// Types or codes of a frame, in short.
fn frame(bytes: &[u8]) -> (usize, Vec<&'static str>) {
    let Decoded { events, refused } = decode(bytes);
    (events.len(), refused.into_iter().map(|refused| refused.code).collect())
}

const IDLE: &str = r#"{"type":"status","status":"idle"}"#;

#[test]
fn a_frame_is_one_or_many() {
    assert_eq!(frame(IDLE.as_bytes()), (1, vec![]));
    assert_eq!(frame(format!("[{IDLE}, {IDLE}]").as_bytes()), (2, vec![]));
    assert_eq!(frame(format!("\u{FEFF}\r\n{IDLE}\r\n\r\n{IDLE}\n[{IDLE}]\n").as_bytes()), (3, vec![]));
    assert_eq!(
        frame(b"{\n \"type\": \"status\",\n \"status\": \"idle\"\n}\n{\"type\":\n\"ping\",\"n\":1}"),
        (2, vec![])
    );
    assert_eq!(frame(b""), (0, vec![]));
    assert_eq!(frame(b" \n "), (0, vec![]));
    assert_eq!(frame(b"[]"), (0, vec![]));
    assert_eq!(
        frame(format!("[{IDLE},7,[],{{}}]").as_bytes()),
        (1, vec!["not-an-object", "not-an-object", "missing-field"])
    );
}

#[test]
fn a_broken_line_is_refused_alone() {
    for broken in [&IDLE[..20], "nonsense", "{", "[", "}", "[1,", "{\"a\":\"x", &format!("{IDLE}x"), "\"\\x\""] {
        assert_eq!(frame(format!("{IDLE}\n{broken}\n{IDLE}\n{IDLE}").as_bytes()), (3, vec!["bad-json"]), "{broken}");
    }
    assert_eq!(frame(format!("{IDLE}\n7\n{IDLE}").as_bytes()), (2, vec!["not-an-object"]));
    let mut bytes = format!("{IDLE}\n").into_bytes();
    bytes.extend_from_slice(b"{\"type\":\"notice\",\"message\":\"\xFF\"}\r\n");
    bytes.extend_from_slice(IDLE.as_bytes());
    bytes.extend_from_slice(b"\n\xC3\n");
    assert_eq!(frame(&bytes), (2, vec!["bad-json", "bad-json"]));
}

#[test]
fn endless_beginnings_do_not_multiply() {
    for line in ["[\n", "{\"a\":\n", "[[],\n", "x\n", "{\n"] {
        let mut text = line.repeat(100_000);
        text.push_str(IDLE);
        let (events, refused) = frame(text.as_bytes());
        assert_eq!((events, refused.len()), (1, 1_000), "{line}");
    }
}

#[test]
fn nesting_has_a_limit() {
    let nested = |levels: usize| ["[".repeat(levels), "]".repeat(levels)].concat();
    let event_of = |levels: usize| format!(r#"{{"n":1,"type":"reasoning-end","metadata":{}}}"#, nested(levels));
    good(&event_of(63));
    assert_eq!(bad(&event_of(64)), ("too-deep", "metadata".into()));
    assert_eq!(bad(&event_of(100_000)), ("too-deep", "metadata".into()));
    assert_eq!(page(&format!(r#"{{"chunks":{}}}"#, nested(64))).unwrap_err().code, "too-deep");
    assert_eq!(body(&nested(65)).unwrap_err().code, "too-deep");
    assert_eq!(frame(nested(100_000).as_bytes()), (0, vec!["not-an-object"]));
    assert_eq!(frame("{\"a\":".repeat(100_000).as_bytes()), (0, vec!["bad-json"]));
    good(r#"{"type":"text-delta","delta":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}"#);
}

#[test]
fn a_large_delta_is_read() {
    for (piece, len) in [("a", 10 << 20), ("\\ud83d\\ude00", 1 << 20)] {
        let json = format!(r#"{{"type":"text-delta","delta":"{}"}}"#, piece.repeat(len / piece.len()));
        let Event::Delta { delta, .. } = good(&json) else { panic!() };
        assert_eq!(delta.text.chars().count(), len / piece.len());
    }
}

#[test]
fn strings_are_escaped() {
    let mut out = String::new();
    encode::string("a\"b\\c\n\r\t\u{1}\u{7f}\u{2028}\u{1F30D}", &mut out);
    assert_eq!(out, "\"a\\\"b\\\\c\\n\\r\\t\\u0001\u{7f}\u{2028}\u{1F30D}\"");
}
