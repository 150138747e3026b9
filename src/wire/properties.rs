//! What comes out goes in again, and nothing that comes in panics.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::words::{APPROVAL_STATES, CONSUMED, DECISIONS, INTENTS, OUTCOMES, PHASES, ROLES, STREAMS, TOOL_STATES};
use super::{chunk, decode, encode, event, page};
use crate::model::{
    Approval, Body, Chunk, ChunkBody, Cut, DeltaKind, Envelope, Event, Json, Opaque, OpaqueKind, OpenApproval, Output,
    Page, Part, QueueItem, Role, Seq, Snapshot, SnapshotRow, SnapshotTurn, StatusKind, ThreadStatus, Tool, UserMessage,
};

type Any<T> = BoxedStrategy<T>;

fn text() -> Any<String> {
    let chars = prop_oneof![
        4 => any::<char>(),
        4 => select(vec!['a', ' ', '"', '\\', '\n', '\u{0}', '\u{7f}', '\u{FFFD}', '\u{FEFF}', '{', '[', '\u{1F30D}']),
    ];
    vec(chars, 0..8).prop_map(|chars| chars.into_iter().collect()).boxed()
}

fn id<T: for<'a> From<&'a str> + std::fmt::Debug + 'static>() -> Any<T> {
    let texts = prop_oneof![select(vec!["a", "b", "12", "main"]).prop_map(str::to_owned), text()];
    texts.prop_filter("an id", |text| !text.is_empty()).prop_map(|text| T::from(&text)).boxed()
}

/// JSON in all its spellings.
fn json() -> Any<Json> {
    let leaf = prop_oneof![
        select(vec!["true", "false", "-0", "1.50", "2E+7", r#""\ud83c""#, r#""\/\u0041""#, "\"\"", "[]", "{ }", "[ ]"])
            .prop_map(str::to_owned),
        text().prop_map(quote),
    ];
    let tree = leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[ {}]", items.join(" ,\t"))),
            vec((text(), inner), 0..4).prop_map(|fields| {
                let fields: Vec<_> =
                    fields.into_iter().map(|(key, value)| format!("{} : {value}", quote(key))).collect();
                format!("{{{}\r\n}}", fields.join(","))
            }),
        ]
    });
    tree.prop_map(Json::new).boxed()
}

/// JSON that may also be `null`, where that is a value.
fn value() -> Any<Json> {
    prop_oneof![4 => json(), 1 => Just(Json::new("null"))].boxed()
}

fn code() -> Any<Option<Json>> {
    of(prop_oneof![
        any::<u16>().prop_map(|code| Json::new(code.to_string())),
        text().prop_map(|text| Json::new(quote(text)))
    ])
    .boxed()
}

fn quote(text: String) -> String {
    let mut out = String::new();
    encode::string(&text, &mut out);
    out
}

fn number() -> Any<u64> {
    prop_oneof![0..9_u64, 0..=(1_u64 << 53) - 1].boxed()
}

fn seq() -> Any<Seq> {
    number().prop_map(Seq).boxed()
}

fn word<T: Copy + std::fmt::Debug + 'static>(words: super::words::Words<T>) -> Any<T> {
    select(words.iter().map(|(_, value)| *value).collect::<Vec<_>>()).boxed()
}

fn cut() -> Any<Cut> {
    (of(0xDC00..0xE000_u16), text(), of(0xD800..0xDC00_u16))
        .prop_map(|(head, text, tail)| Cut { head, text, tail })
        .boxed()
}

fn output() -> Any<Output> {
    (text(), text()).prop_map(|(stdout, stderr)| Output { stdout, stderr }).boxed()
}

fn opaque() -> Any<Opaque> {
    let kinds = select(vec![("file", OpaqueKind::File), ("source", OpaqueKind::Source), ("data", OpaqueKind::Data)]);
    (kinds, of(id()), text(), value())
        .prop_map(|((name, kind), id, key, more)| {
            let id_field = id.as_ref().map(|id: &crate::model::PartId| format!(r#""id" : {},"#, quote(id.to_string())));
            let more = format!("{}:{}", quote(format!("x-{key}")), more.as_str());
            let json = format!(r#"{{ {}{more}, "type":"{name}"}}"#, id_field.unwrap_or_default());
            Opaque { kind, id, json: Json::new(json) }
        })
        .boxed()
}

fn tool() -> Any<Tool> {
    let approval = (of(text()), of(json()), word(APPROVAL_STATES), of(text()))
        .prop_map(|(prompt, options, state, reason)| Approval { prompt, options, state, reason });
    let call = (id(), text(), any::<u32>(), word(TOOL_STATES), of(value()), of(text()));
    (call, of(output()), of((value(), any::<bool>())), of(approval))
        .prop_map(|((call, name, step, state, arguments, arguments_text), output, result, approval)| {
            let (result, is_error) = result.map_or((None, false), |(result, is_error)| (Some(result), is_error));
            Tool { call, name, step, state, arguments, arguments_text, output, result, is_error, approval }
        })
        .boxed()
}

fn part() -> Any<Part> {
    prop_oneof![
        text().prop_map(|text| Part::Text { text }),
        (text(), of(json()), any::<bool>()).prop_map(|(text, metadata, sealed)| Part::Reasoning {
            text,
            metadata,
            sealed
        }),
        tool().prop_map(|tool| Part::Tool(Box::new(tool))),
        opaque().prop_map(Part::Opaque),
        (text(), code()).prop_map(|(text, code)| Part::Notice { text, code }),
        (text(), code()).prop_map(|(text, code)| Part::Error { text, code }),
    ]
    .boxed()
}

fn body() -> Any<Body> {
    let part = prop_oneof![text().prop_map(|text| Part::Text { text }), opaque().prop_map(Part::Opaque)];
    prop_oneof![text().prop_map(Body::text), vec(part, 0..3).prop_map(|parts| Body { parts })].boxed()
}

fn chunk_body() -> Any<(Role, ChunkBody)> {
    let spoken = || select(vec![Role::User, Role::Assistant]);
    prop_oneof![
        (spoken(), text()).prop_map(|(role, text)| (role, ChunkBody::Text { text })),
        (text(), of(json())).prop_map(|(text, metadata)| (Role::Assistant, ChunkBody::Reasoning { text, metadata })),
        (id(), text(), value())
            .prop_map(|(call, name, arguments)| (Role::Assistant, ChunkBody::ToolCall { call, name, arguments })),
        (id(), of(text()), value(), any::<bool>(), of(output())).prop_map(|(call, name, result, is_error, output)| {
            (Role::Tool, ChunkBody::ToolResult { call, name, result, is_error, output })
        }),
        (text(), code())
            .prop_map(|(message, status_code)| (Role::Assistant, ChunkBody::Error { message, status_code })),
        (spoken(), opaque()).prop_map(|(role, part)| (role, ChunkBody::Part(part))),
        (text(), text()).prop_map(|(kind, text)| (Role::System, ChunkBody::System { kind, text })),
        (word(ROLES), value()).prop_map(|(role, usage)| (role, ChunkBody::Usage(usage))),
        (word(ROLES), text(), value())
            .prop_map(|(role, kind, data)| (role, ChunkBody::Unknown { kind: format!("x-{kind}"), data })),
    ]
    .boxed()
}

fn row() -> Any<Chunk> {
    let ids = (of(id()), vec(id(), 0..3), vec(id(), 0..3));
    (seq(), id(), of(id()), chunk_body(), of(any::<u32>()), ids, of(json()))
        .prop_map(|(seq, turn, execution, (role, body), step, (message, messages, clients), created_at)| Chunk {
            seq,
            turn,
            execution,
            role,
            body,
            step,
            message,
            messages,
            clients,
            created_at,
        })
        .boxed()
}

fn name() -> Any<String> {
    text().prop_map(|text| format!("e{text}")).boxed()
}

fn log_page() -> Any<Page> {
    (vec(row(), 0..4), of(number()), of(seq()), of(seq()), of(any::<u32>()), of(name()))
        .prop_map(|(chunks, total, oldest, prev, limit, epoch)| Page { chunks, total, oldest, prev, limit, epoch })
        .boxed()
}

fn item() -> Any<QueueItem> {
    (id(), body(), of(id()), word(INTENTS))
        .prop_map(|(message, body, client, intent)| QueueItem { message, body, client, intent })
        .boxed()
}

fn snapshot() -> Any<Snapshot> {
    let row = (word(ROLES), of(id()), of(id()), vec(id(), 0..3), vec(id(), 0..3), vec(part(), 0..3)).prop_map(
        |(role, execution, message, messages, clients, parts)| SnapshotRow {
            role,
            execution,
            message,
            messages,
            clients,
            parts,
        },
    );
    let turn = (id(), word(PHASES), of(word(OUTCOMES)), any::<bool>(), vec(row, 0..3))
        .prop_map(|(turn, phase, outcome, sealed, rows)| SnapshotTurn { turn, phase, outcome, sealed, rows });
    let approval = (id(), id(), text(), of(text()), of(json()))
        .prop_map(|(call, turn, name, prompt, options)| OpenApproval { call, turn, name, prompt, options });
    (of(name()), of(seq()), vec(turn, 0..3), of(vec(item(), 0..3)), of(any::<bool>()), of(vec(approval, 0..3)))
        .prop_map(|(epoch, last_seq, turns, queue, held, approvals)| Snapshot {
            epoch,
            last_seq,
            turns,
            queue,
            held,
            approvals,
        })
        .boxed()
}

fn statuses() -> Any<Event> {
    let status = select(vec![StatusKind::Idle, StatusKind::Running, StatusKind::Error]);
    let thread = (status, of(id()), of(id()), of(vec(part(), 0..3)), of(json()))
        .prop_map(|(status, turn, assistant, parts, tasks)| ThreadStatus { status, turn, assistant, parts, tasks });
    vec((id(), thread), 0..3).prop_map(Event::Statuses).boxed()
}

fn of_turn() -> Any<Event> {
    let user =
        (of(id()), vec(id(), 0..3), body()).prop_map(|(message, clients, body)| UserMessage { message, clients, body });
    prop_oneof![
        (id(), of(user), vec(id(), 0..3)).prop_map(|(turn, user, messages)| Event::TurnStart { turn, user, messages }),
        (select(vec![DeltaKind::Text, DeltaKind::Reasoning]), cut(), of(id()), of(id()), of(id()))
            .prop_map(|(kind, delta, turn, message, part)| Event::Delta { kind, delta, turn, message, part }),
        (of(json()), of(id())).prop_map(|(metadata, turn)| Event::ReasoningEnd { metadata, turn }),
        (opaque(), of(id())).prop_map(|(part, turn)| Event::Part { part, turn }),
        (id(), word(OUTCOMES), of(text())).prop_map(|(turn, outcome, error)| Event::TurnEnd { turn, outcome, error }),
        (id(), of(seq()), of(seq()), of(seq()), of(vec(row(), 0..3)))
            .prop_map(|(turn, first, last, prev, chunks)| Event::TurnSealed { turn, first, last, prev, chunks }),
        (text(), of(id())).prop_map(|(message, turn)| Event::Notice { message, turn }),
        (text(), code(), of(id())).prop_map(|(error, status_code, turn)| Event::Error { error, status_code, turn }),
    ]
    .boxed()
}

fn of_call() -> Any<Event> {
    prop_oneof![
        (id(), text(), of(id()), of(any::<u32>())).prop_map(|(call, name, turn, step)| Event::ToolInputStart {
            call,
            name,
            turn,
            step
        }),
        (id(), cut(), of(id())).prop_map(|(call, delta, turn)| Event::ToolInputDelta { call, delta, turn }),
        (id(), text(), value(), of(id()), of(any::<u32>()))
            .prop_map(|(call, name, arguments, turn, step)| { Event::ToolCall { call, name, arguments, turn, step } }),
        (cut(), word(STREAMS), of(id()), of(id())).prop_map(|(data, stream, call, turn)| Event::ToolOutput {
            data,
            stream,
            call,
            turn
        }),
        (id(), value(), any::<bool>(), of(id())).prop_map(|(call, result, is_error, turn)| Event::ToolResult {
            call,
            result,
            is_error,
            turn
        }),
        (id(), of(text()), of(json()), of(id())).prop_map(|(call, prompt, options, turn)| Event::ApprovalRequest {
            call,
            prompt,
            options,
            turn
        }),
        (id(), word(DECISIONS), of(text()), of(id()))
            .prop_map(|(call, decision, reason, turn)| Event::ApprovalResolved { call, decision, reason, turn }),
    ]
    .boxed()
}

fn of_thread() -> Any<Event> {
    prop_oneof![
        (id(), body(), of(id()), word(INTENTS)).prop_map(|(message, body, client, intent)| Event::MessageQueued {
            message,
            body,
            client,
            intent
        }),
        (vec(id(), 0..3), word(CONSUMED), of(id())).prop_map(|(messages, reason, turn)| Event::MessageConsumed {
            messages,
            reason,
            turn
        }),
        id().prop_map(|message| Event::MessageCancelled { message }),
        (id(), body(), of(number())).prop_map(|(message, body, rev)| Event::MessageEdited { message, body, rev }),
        (vec(item(), 0..3), any::<bool>(), number()).prop_map(|(items, held, version)| Event::QueueSnapshot {
            items,
            held,
            version
        }),
        select(vec![StatusKind::Idle, StatusKind::Running, StatusKind::Error]).prop_map(Event::Status),
        Just(Event::Ping),
        snapshot().prop_map(|snapshot| Event::Snapshot(Box::new(snapshot))),
        statuses(),
        log_page().prop_map(Event::ChunksLoaded),
        (seq(), of(name())).prop_map(|(from, epoch)| Event::LogTruncated { from, epoch }),
        name().prop_map(|epoch| Event::LogReset { epoch }),
        vec(row(), 0..3).prop_map(|chunks| Event::ChunksUpdated { chunks }),
        (id(), id()).prop_map(|(from, to)| Event::ThreadRenamed { from, to }),
    ]
    .boxed()
}

fn envelope() -> Any<Envelope> {
    (id(), of(number()), of(id()), prop_oneof![of_turn(), of_call(), of_thread()])
        .prop_map(|(thread, n, execution, event)| {
            let n = if event == Event::Ping { Some(n.unwrap_or(0)) } else { n };
            Envelope { thread, n, execution, event }
        })
        .boxed()
}

/// Pieces of JSON, so that random text comes near to being some.
fn scrap() -> Any<String> {
    let words = select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\n",
        "\\u",
        "\\ud83c",
        "null",
        "true",
        "-",
        "1",
        "e9",
        ".5",
        " ",
        "\"type\":",
        "\"text-delta\"",
        "\"delta\":",
        "\"n\":",
        "\"chunks\":",
        "\"snapshot\"",
        "\"turns\":[",
        "{\"",
        "\"statuses\":",
        "\"data\":{",
        "\u{0}",
        "\u{1F30D}",
    ]);
    vec(prop_oneof![3 => words.prop_map(str::to_owned), 1 => text()], 0..40).prop_map(|words| words.concat()).boxed()
}

proptest! {
    #[test]
    fn events_round_trip(envelope in envelope()) {
        let json = encode::event(&envelope);
        serde_json::from_str::<serde::de::IgnoredAny>(&json).unwrap();
        prop_assert_eq!(event(&json), (Some(envelope), None), "{}", json);
    }

    #[test]
    fn frames_round_trip(envelopes in vec(envelope(), 0..5), array in any::<bool>()) {
        let lines: Vec<_> = envelopes.iter().map(encode::event).collect();
        let frame = if array { format!("[{}]", lines.join(",")) } else { lines.join("\n") };
        let decoded = decode(frame.as_bytes());
        prop_assert_eq!((decoded.events, decoded.refused), (envelopes, vec![]), "{}", frame);
    }

    #[test]
    fn pages_and_chunks_round_trip(log in log_page()) {
        let json = encode::page(&log);
        prop_assert_eq!(page(&json), Ok(log.clone()), "{}", json);
        for row in log.chunks {
            let mut json = String::new();
            encode::chunk(&row, &mut json);
            prop_assert_eq!(chunk(&json), Ok(row), "{}", json);
        }
    }

    #[test]
    fn bodies_round_trip(said in body()) {
        let mut json = String::new();
        encode::parts(&said.parts, &mut json);
        prop_assert_eq!(super::body(&json), Ok(said), "{}", json);
    }

    #[test]
    fn any_bytes_are_taken(bytes in vec(any::<u8>(), 0..200)) {
        let _ = decode(&bytes);
    }

    #[test]
    fn any_text_is_taken(text in scrap()) {
        let _ = (decode(text.as_bytes()), event(&text), page(&text), chunk(&text), super::body(&text));
    }

    #[test]
    fn any_value_is_taken(value in value()) {
        let _ = (event(value.as_str()), page(value.as_str()), chunk(value.as_str()), super::body(value.as_str()));
        for kind in ["snapshot", "statuses", "chunks-loaded", "tool-call", "part", "turn-start", "message-queued"] {
            for field in ["turns", "statuses", "chunks", "toolCall", "part", "user", "message", "other"] {
                let json = format!(r#"{{"type":"{kind}",{}:{},"n":1}}"#, quote(field.to_owned()), value.as_str());
                let (envelope, refused) = event(&json);
                prop_assert_eq!(envelope.and_then(|envelope| envelope.n), Some(1));
                prop_assert!(refused.is_none_or(|refused| refused.code != "bad-json"));
            }
        }
    }

    #[test]
    fn a_spoiled_event_harms_no_other(
        envelope in envelope(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let good = r#"{"type":"status","status":"idle","n":77}"#;
        // Opaque JSON may hold line breaks; here each event is one line.
        let line = encode::event(&envelope).replace(['\n', '\r'], " ");
        let mut bytes = line.into_bytes();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at); } else { bytes[at] = byte; }
        let frame = [good.as_bytes(), b"\n", &bytes, b"\n", good.as_bytes(), b"\n", good.as_bytes()].concat();
        let decoded = decode(&frame);
        let idle = |it: &&Envelope| it.n == Some(77) && it.event == Event::Status(StatusKind::Idle);
        prop_assert!(decoded.events.iter().filter(idle).count() >= 3);
    }
}
