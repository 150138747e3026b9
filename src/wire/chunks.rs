//! Rows of the log and pages of them.

use super::parts;
use super::read::Object;
use super::words::{OPAQUES, OUTPUT, ROLES, canonical};
use crate::model::{
    CallId, Chunk, ChunkBody, ExecutionId, Json, MessageId, Opaque, OpaqueKind, Page, PartId, Role, Seq, TurnId, joined,
};

/// A page, or an event that carries one.
pub(crate) fn page(object: &Object<'_>) -> Page {
    Page {
        chunks: object.each("chunks", chunk),
        total: object.opt_number("total"),
        oldest: object.opt_seq("oldestSeq"),
        prev: object.opt_seq("prevSeq"),
        limit: object.opt_small("limit"),
        epoch: epoch(object),
    }
}

/// The generation of the log; servers that count it send a number.
pub(crate) fn epoch(object: &Object<'_>) -> Option<String> {
    object.opt_id("epoch").map(|epoch| epoch.as_ref().to_owned())
}

/// One row. A role and a type that do not go together are kept as unknown, like a type of a later version: they are
/// never drawn, and the rest of the page is.
pub(crate) fn chunk(object: &Object<'_>) -> Chunk {
    let role = object.word("role", ROLES, Role::System);
    let kind = object.text("type");
    Chunk {
        seq: Seq(object.number("seq")),
        turn: TurnId::new(object.id("turnId")),
        execution: object.opt_id("executionId").map(ExecutionId::new),
        role,
        body: body(object, role, &kind),
        step: object.opt_small("step"),
        message: object.opt_id("messageId").map(MessageId::new),
        messages: parts::messages(object),
        clients: parts::clients(object),
        created_at: object.opt_json("createdAt"),
    }
}

fn body(object: &Object<'_>, role: Role, kind: &str) -> ChunkBody {
    let read: fn(&Object<'_>) -> ChunkBody = match (canonical(kind), role) {
        ("text", Role::User | Role::Assistant) => |data| ChunkBody::Text { text: data.string("text") },
        ("reasoning", Role::Assistant) => {
            |data| ChunkBody::Reasoning { text: data.string("text"), metadata: data.opt_json("metadata") }
        }
        ("tool_call", Role::Assistant) => tool_call,
        ("tool_result", Role::Tool) => tool_result,
        ("error", Role::Assistant) => {
            |data| ChunkBody::Error { message: data.string("message"), status_code: data.opt_code("statusCode") }
        }
        ("system", Role::System) => |data| ChunkBody::System { kind: data.string("kind"), text: data.string("text") },
        ("file", Role::User | Role::Assistant) => |data| part(data, OpaqueKind::File),
        ("source", Role::User | Role::Assistant) => |data| part(data, OpaqueKind::Source),
        ("data", Role::User | Role::Assistant) => |data| part(data, OpaqueKind::Data),
        ("usage", _) => return ChunkBody::Usage(opaque_data(object)),
        (_, _) => return ChunkBody::Unknown { kind: kind.to_owned(), data: opaque_data(object) },
    };
    read(&object.object("data"))
}

fn opaque_data(object: &Object<'_>) -> Json {
    Json::new(object.value("data").unwrap_or("null"))
}

fn tool_call(data: &Object<'_>) -> ChunkBody {
    ChunkBody::ToolCall {
        call: CallId::new(data.id("callId")),
        name: data.string("name"),
        arguments: data.json("arguments"),
    }
}

fn tool_result(data: &Object<'_>) -> ChunkBody {
    ChunkBody::ToolResult {
        call: CallId::new(data.id("callId")),
        name: data.opt_string("name"),
        result: data.json("result"),
        is_error: data.opt_flag("isError").unwrap_or(false),
        output: parts::output(data, OUTPUT),
    }
}

/// The data of a file, source or data chunk is the part itself; its `type` may be left to the chunk.
fn part(data: &Object<'_>, kind: OpaqueKind) -> ChunkBody {
    let id = data.opt_id("id").map(PartId::new);
    let json = match data.opt_word("type", OPAQUES) {
        Some(own) => {
            if own != kind {
                data.bad("type", "must be the type of the chunk");
            }
            Json::new(data.whole())
        }
        None => Json::new(with_type(data.whole(), super::words::name(OPAQUES, kind))),
    };
    ChunkBody::Part(Opaque { kind, id, json })
}

/// The JSON object `whole` with a `type`, last, so that it counts also where a `null` stood before.
fn with_type(whole: &str, name: &str) -> String {
    let inner = whole.strip_suffix('}').unwrap_or(whole).trim_end_matches([' ', '\t', '\r', '\n']);
    let comma = if inner.ends_with('{') { "" } else { "," };
    joined(&[inner, comma, "\"type\":\"", name, "\"}"])
}
