//! Parts as a UI reads them (SPEC section 6), and what a user says.

use super::fault::{Place, Reading};
use super::read::{Object, each};
use super::scan;
use super::words::{APPROVAL_STATES, OPAQUES, TOOL_STATES};
use crate::model::{
    Approval, ApprovalState, Body, CallId, ClientId, Json, MessageId, Opaque, OpaqueKind, Output, Part, PartId, Tool,
    ToolState,
};

/// What a message says: the field `parts`, else the field `name`, a text or parts itself.
pub(crate) fn said(object: &Object<'_>, name: &str) -> Body {
    let plain = object.given(name).map(|raw| body(raw, object.reading(), &object.place(name)));
    let parts = object.opt_each("parts", spoken).map(|parts| Body { parts });
    parts.or(plain).unwrap_or_else(|| {
        object.missing(name);
        Body { parts: Vec::new() }
    })
}

/// A text, or a list of text, file, source and data parts.
pub(crate) fn body(raw: &str, reading: &Reading, place: &Place<'_>) -> Body {
    if raw.starts_with('[') {
        return Body { parts: each(raw, reading, place, spoken) };
    }
    let text = scan::text(raw);
    if text.is_none() {
        reading.refuse("bad-field", place, "", "must be a text or a list of parts");
    }
    Body::text(text.unwrap_or_default())
}

/// A part that a user may send.
fn spoken(object: &Object<'_>) -> Part {
    if object.text("type") == "text" { part(object) } else { Part::Opaque(opaque(object)) }
}

/// A file, a source or data.
pub(crate) fn opaque(object: &Object<'_>) -> Opaque {
    Opaque {
        kind: object.word("type", OPAQUES, OpaqueKind::Data),
        id: object.opt_id("id").map(PartId::new),
        json: Json::new(object.whole()),
    }
}

/// Any part.
pub(crate) fn part(object: &Object<'_>) -> Part {
    match object.text("type").as_ref() {
        "text" => Part::Text { text: object.string("text") },
        "reasoning" | "thinking" => Part::Reasoning {
            text: object.string("text"),
            metadata: object.opt_json("metadata"),
            sealed: object.opt_flag("sealed").unwrap_or(false),
        },
        "tool" => Part::Tool(Box::new(tool(object))),
        "notice" => Part::Notice { text: object.string("text"), code: object.opt_code("code") },
        "error" => Part::Error { text: object.string("text"), code: object.opt_code("code") },
        _ => Part::Opaque(opaque(object)),
    }
}

fn tool(object: &Object<'_>) -> Tool {
    Tool {
        call: CallId::new(object.id("callId")),
        name: object.opt_string("name").unwrap_or_default(),
        step: object.opt_small("step").unwrap_or(0),
        state: object.word("state", TOOL_STATES, ToolState::Interrupted),
        arguments: object.value("arguments").map(Json::new),
        arguments_text: object.opt_string("argumentsText"),
        output: output(object, &["output"]),
        result: object.value("result").map(Json::new),
        is_error: object.opt_flag("isError").unwrap_or(false),
        approval: object.opt_object("approval").map(|it| approval(&it)),
    }
}

fn approval(object: &Object<'_>) -> Approval {
    Approval {
        prompt: object.opt_string("prompt"),
        options: object.opt_json("options"),
        state: object.word("state", APPROVAL_STATES, ApprovalState::Expired),
        reason: object.opt_string("reason"),
    }
}

/// What a tool printed, under the first of several names that is there.
pub(crate) fn output(object: &Object<'_>, names: &[&str]) -> Option<Output> {
    names.iter().find_map(|name| {
        object.opt_object(name).map(|output| Output {
            stdout: output.opt_string("stdout").unwrap_or_default(),
            stderr: output.opt_string("stderr").unwrap_or_default(),
        })
    })
}

/// The field `messageIds`.
pub(crate) fn messages(object: &Object<'_>) -> Vec<MessageId> {
    object.opt_ids("messageIds").unwrap_or_default().into_iter().map(MessageId::new).collect()
}

/// The field `clientIds`.
pub(crate) fn clients(object: &Object<'_>) -> Vec<ClientId> {
    object.opt_ids("clientIds").unwrap_or_default().into_iter().map(ClientId::new).collect()
}
