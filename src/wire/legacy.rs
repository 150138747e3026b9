//! The older snapshot over all threads, with its own shape of what a running turn has streamed.

use super::read::{Names, Object, Read, each};
use super::words::{OUTPUT, STATUSES};
use super::{encode, parts};
use crate::model::{
    CallId, Cut, DeltaKind, Json, MessageId, Origin, Output, Part, Parts, Stream, ThreadId, ThreadStatus, TurnId,
};

/// The threads in the order of the map. A thread that is listed twice comes twice, so that the last one stands.
pub(super) fn statuses(object: &Object<'_>) -> Read<Vec<(ThreadId, ThreadStatus)>> {
    let map = object.object("statuses")?;
    let mut out = Vec::new();
    for (name, raw) in map.fields() {
        let status = Object::parse(raw, object.names()).and_then(|it| status(&it));
        out.push((ThreadId::from(name), status.map_err(|fault| fault.under(name).under("statuses"))?));
    }
    Ok(out)
}

/// `currentChunks` is the older shape; `parts` is ours.
fn status(object: &Object<'_>) -> Read<ThreadStatus> {
    let parts = object.opt_each("parts", parts::part)?;
    let chunks = object
        .given("currentChunks")
        .map(|raw| chunks(raw, object.names()))
        .transpose()
        .map_err(|fault| fault.under("currentChunks"))?;
    Ok(ThreadStatus {
        status: object.word("status", STATUSES)?,
        turn: object.opt_id("currentTurnId")?.map(TurnId::new),
        assistant: object.opt_id("currentAssistantId")?.map(MessageId::new),
        parts: parts.or(chunks),
        tasks: object.opt_json("tasks"),
    })
}

fn chunks(raw: &str, names: &Names) -> Read<Vec<Part>> {
    let mut out = Parts::default();
    let mut step = 0;
    for chunk in each(raw, names, chunk)? {
        add(&mut out, chunk, &mut step);
    }
    Ok(out.into_list())
}

/// A chunk as the older stream renders it.
enum Rendered {
    Text(String),
    Thinking(String, Option<Json>),
    Batch(Vec<Call>),
    Error(String, Option<Json>),
    System(String, String),
    /// A type that is not known: not drawn.
    Unknown,
}

struct Call {
    call: CallId,
    name: String,
    arguments: Json,
    result: Option<Json>,
    is_error: bool,
    output: Option<Output>,
}

fn chunk(object: &Object<'_>) -> Read<Rendered> {
    match object.text("type")?.as_ref() {
        "text" => Ok(Rendered::Text(object.string("text")?)),
        "thinking" | "reasoning" => Ok(Rendered::Thinking(object.string("text")?, object.opt_json("metadata"))),
        "tool-batch" => object.each("calls", call).map(Rendered::Batch),
        "error" => Ok(Rendered::Error(object.string("message")?, object.opt_code("statusCode")?)),
        "system" => Ok(Rendered::System(object.string("kind")?, object.string("text")?)),
        _ => Ok(Rendered::Unknown),
    }
}

fn call(object: &Object<'_>) -> Read<Call> {
    Ok(Call {
        call: CallId::new(object.id("id")?),
        name: object.string("name")?,
        arguments: object.json("arguments")?,
        result: object.opt_json("result"),
        is_error: object.opt_flag("isError")?.unwrap_or(false),
        output: parts::output(object, OUTPUT)?,
    })
}

/// Grows the parts as the events behind a chunk would have. `step` counts the batches.
fn add(out: &mut Parts, chunk: Rendered, step: &mut u32) {
    match chunk {
        Rendered::Text(text) => {
            out.delta(DeltaKind::Text, &Cut::whole(text), &Origin::default());
        }
        Rendered::Thinking(text, metadata) => {
            out.delta(DeltaKind::Reasoning, &Cut::whole(text), &Origin::default());
            if metadata.is_some() {
                out.reasoning_end(metadata);
            }
        }
        Rendered::Batch(calls) => {
            for call in calls {
                add_call(out, call, *step);
            }
            *step += 1;
        }
        Rendered::Error(message, code) => {
            out.error(message, code);
        }
        Rendered::System(kind, text) => {
            let mut code = String::new();
            encode::string(&kind, &mut code);
            out.notice(text, (!kind.is_empty() && kind != "notice").then(|| Json::new(code)));
        }
        Rendered::Unknown => {}
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
