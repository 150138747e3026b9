//! Rows of the log.

use super::parts;
use super::text::{Writer, list};
use crate::model::{Chunk, ChunkBody, Page};
use crate::wire::words::{OPAQUES, ROLES, name};

/// Appends one row.
pub fn chunk(chunk: &Chunk, out: &mut String) {
    let mut object = Writer::open(out);
    object.number("seq", chunk.seq.0);
    object.text("turnId", chunk.turn.as_str());
    object.opt_text("executionId", chunk.execution.as_ref().map(|id| id.as_str()));
    object.text("role", name(ROLES, chunk.role));
    object.text("type", kind(&chunk.body));
    body(&chunk.body, object.key("data"));
    object.opt_number("step", chunk.step.map(u64::from));
    object.opt_text("messageId", chunk.message.as_ref().map(|id| id.as_str()));
    object.ids("messageIds", chunk.messages.iter().map(|id| id.as_str()));
    object.ids("clientIds", chunk.clients.iter().map(|id| id.as_str()));
    object.opt_json("createdAt", chunk.created_at.as_ref());
    object.close();
}

/// One page, as a transport's `loadChunks` answers it.
#[must_use]
pub fn page(page: &Page) -> String {
    let mut out = String::new();
    let mut object = Writer::open(&mut out);
    fields(page, &mut object);
    object.close();
    out
}

pub(super) fn fields(page: &Page, object: &mut Writer<'_>) {
    list(&page.chunks, object.key("chunks"), chunk);
    object.opt_number("total", page.total);
    object.opt_number("oldestSeq", page.oldest.map(|seq| seq.0));
    object.opt_number("prevSeq", page.prev.map(|seq| seq.0));
    object.opt_number("limit", page.limit.map(u64::from));
    object.opt_text("epoch", page.epoch.as_deref());
}

fn kind(body: &ChunkBody) -> &str {
    match body {
        ChunkBody::Text { .. } => "text",
        ChunkBody::Reasoning { .. } => "reasoning",
        ChunkBody::ToolCall { .. } => "tool_call",
        ChunkBody::ToolResult { .. } => "tool_result",
        ChunkBody::Error { .. } => "error",
        ChunkBody::Part(part) => name(OPAQUES, part.kind),
        ChunkBody::System { .. } => "system",
        ChunkBody::Usage(_) => "usage",
        ChunkBody::Unknown { kind, .. } => kind,
    }
}

fn body(body: &ChunkBody, out: &mut String) {
    match body {
        ChunkBody::Part(part) => return out.push_str(part.json.as_str()),
        ChunkBody::Usage(data) | ChunkBody::Unknown { data, .. } => return out.push_str(data.as_str()),
        ChunkBody::Text { .. }
        | ChunkBody::Reasoning { .. }
        | ChunkBody::ToolCall { .. }
        | ChunkBody::ToolResult { .. }
        | ChunkBody::Error { .. }
        | ChunkBody::System { .. } => {}
    }
    let mut object = Writer::open(out);
    match body {
        ChunkBody::Text { text } => object.text("text", text),
        ChunkBody::Reasoning { text, metadata } => {
            object.text("text", text);
            object.opt_json("metadata", metadata.as_ref());
        }
        ChunkBody::ToolCall { call, name, arguments } => {
            object.text("callId", call.as_str());
            object.text("name", name);
            object.json("arguments", arguments);
        }
        ChunkBody::ToolResult { call, name, result, is_error, output } => {
            object.text("callId", call.as_str());
            object.opt_text("name", name.as_deref());
            object.json("result", result);
            object.flag("isError", *is_error);
            if let Some(output) = output {
                parts::output(output, object.key("output"));
            }
        }
        ChunkBody::Error { message, status_code } => {
            object.text("message", message);
            object.opt_json("statusCode", status_code.as_ref());
        }
        ChunkBody::System { kind, text } => {
            object.text("kind", kind);
            object.text("text", text);
        }
        ChunkBody::Part(_) | ChunkBody::Usage(_) | ChunkBody::Unknown { .. } => {}
    }
    object.close();
}
