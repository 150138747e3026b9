//! The older snapshot over all threads, with its own shape of what a running turn has streamed.

use super::encode;
use super::parts;
use super::read::Object;
use super::words::{OUTPUT, STATUSES};
use crate::model::{
    CallId, Cut, DeltaKind, Json, MessageId, Origin, Output, Part, Parts, StatusKind, Stream, ThreadId, ThreadStatus,
    TurnId,
};

/// The threads in the order of the map. A thread that is listed twice comes twice, so that the last one stands.
pub(super) fn statuses(object: &Object<'_>) -> Vec<(ThreadId, ThreadStatus)> {
    let map = object.object("statuses");
    let read = map.fields().map_while(|(name, raw)| {
        let status = status(&Object::inner(raw, object.reading(), map.place(&name)));
        (!object.reading().failed()).then(|| (ThreadId::from(&*name), status))
    });
    read.collect()
}

/// `currentChunks` is the older shape; `parts` is ours.
fn status(object: &Object<'_>) -> ThreadStatus {
    let chunks = object.opt_each("currentChunks", chunk).map(|chunks| {
        let (mut out, mut step) = (Parts::default(), 0);
        for chunk in chunks {
            add(&mut out, chunk, &mut step);
        }
        out.into_list()
    });
    ThreadStatus {
        status: object.word("status", STATUSES, StatusKind::Error),
        turn: object.opt_id("currentTurnId").map(TurnId::new),
        assistant: object.opt_id("currentAssistantId").map(MessageId::new),
        parts: object.opt_each("parts", parts::part).or(chunks),
        tasks: object.opt_json("tasks"),
    }
}

/// A chunk as the older stream renders it.
enum Rendered {
    Batch(Vec<Call>),
    /// A type that is not known: not drawn.
    Unknown,
    /// What is a part already.
    Part(Part),
}

struct Call {
    call: CallId,
    name: String,
    arguments: Json,
    result: Option<Json>,
    is_error: bool,
    output: Option<Output>,
}

fn chunk(object: &Object<'_>) -> Rendered {
    match object.text("type").as_ref() {
        "text" => Rendered::Part(Part::Text { text: object.string("text") }),
        "thinking" | "reasoning" => {
            let metadata = object.opt_json("metadata");
            Rendered::Part(Part::Reasoning { text: object.string("text"), sealed: metadata.is_some(), metadata })
        }
        "tool-batch" => Rendered::Batch(object.each("calls", call)),
        "error" => Rendered::Part(Part::Error { text: object.string("message"), code: object.opt_code("statusCode") }),
        "system" => Rendered::Part(Part::Notice { text: object.string("text"), code: code(&object.string("kind")) }),
        _ => Rendered::Unknown,
    }
}

/// The kind of a system line; `notice` goes without saying.
fn code(kind: &str) -> Option<Json> {
    let mut code = String::new();
    encode::string(kind, &mut code);
    (!kind.is_empty() && kind != "notice").then(|| Json::new(code))
}

fn call(object: &Object<'_>) -> Call {
    Call {
        call: CallId::new(object.id("id")),
        name: object.string("name"),
        arguments: object.json("arguments"),
        result: object.opt_json("result"),
        is_error: object.opt_flag("isError").unwrap_or(false),
        output: parts::output(object, OUTPUT),
    }
}

/// Grows the parts as the events behind a chunk would have. `step` counts the batches.
fn add(out: &mut Parts, chunk: Rendered, step: &mut u32) {
    match chunk {
        Rendered::Part(Part::Text { text }) => {
            out.delta(DeltaKind::Text, &Cut::whole(text), &Origin::default());
        }
        Rendered::Part(Part::Reasoning { text, metadata, .. }) => {
            out.delta(DeltaKind::Reasoning, &Cut::whole(text), &Origin::default());
            if metadata.is_some() {
                out.reasoning_end(metadata);
            }
        }
        Rendered::Part(Part::Notice { text, code }) => {
            out.notice(text, code);
        }
        Rendered::Part(Part::Error { text, code }) => {
            out.error(text, code);
        }
        Rendered::Part(Part::Tool(_) | Part::Opaque(_)) | Rendered::Unknown => {}
        Rendered::Batch(calls) => {
            for call in calls {
                add_call(out, call, *step);
            }
            *step += 1;
        }
    }
}

fn add_call(out: &mut Parts, it: Call, step: u32) {
    out.tool_call(&it.call, &it.name, it.arguments, Some(step));
    if let Some(Output { stdout, stderr }) = it.output {
        out.tool_output(Some(&it.call), Stream::Stdout, &Cut::whole(stdout));
        out.tool_output(Some(&it.call), Stream::Stderr, &Cut::whole(stderr));
    }
    if let Some(result) = it.result {
        out.tool_result(&it.call, &result, it.is_error);
    }
}
