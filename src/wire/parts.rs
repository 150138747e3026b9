//! Parts as a UI reads them (SPEC section 6), and what a user says.

use super::read::{Fault, Names, Object, Read, each};
use super::scan;
use super::words::{APPROVAL_STATES, OPAQUES, TOOL_STATES};
use crate::model::{Approval, Body, CallId, ClientId, Json, MessageId, Opaque, Output, Part, PartId, Tool};

/// What a message says: the field `parts`, else the field `name`, a text or parts itself.
pub(super) fn said(object: &Object<'_>, name: &str) -> Read<Body> {
    let plain =
        object.given(name).map(|raw| body(raw, object.names())).transpose().map_err(|fault| fault.under(name))?;
    let parts = object.opt_each("parts", spoken)?.map(|parts| Body { parts });
    parts.or(plain).ok_or_else(|| Fault::missing(name))
}

/// A text, or a list of text, file, source and data parts.
pub(super) fn body(raw: &str, names: &Names) -> Read<Body> {
    if raw.starts_with('[') {
        return each(raw, names, spoken).map(|parts| Body { parts });
    }
    match scan::text(raw) {
        Some(text) => Ok(Body::text(text)),
        None => Err(Fault::bad("", "must be a text or a list of parts")),
    }
}

/// A part that a user may send.
fn spoken(object: &Object<'_>) -> Read<Part> {
    if object.text("type")? == "text" { part(object) } else { opaque(object).map(Part::Opaque) }
}

/// A file, a source or data.
pub(super) fn opaque(object: &Object<'_>) -> Read<Opaque> {
    Ok(Opaque {
        kind: object.word("type", OPAQUES)?,
        id: object.opt_id("id")?.map(PartId::new),
        json: Json::new(object.whole()),
    })
}

/// Any part.
pub(super) fn part(object: &Object<'_>) -> Read<Part> {
    match object.text("type")?.as_ref() {
        "text" => Ok(Part::Text { text: object.string("text")? }),
        "reasoning" | "thinking" => Ok(Part::Reasoning {
            text: object.string("text")?,
            metadata: object.opt_json("metadata"),
            sealed: object.opt_flag("sealed")?.unwrap_or(false),
        }),
        "tool" => tool(object).map(|tool| Part::Tool(Box::new(tool))),
        "notice" => Ok(Part::Notice { text: object.string("text")?, code: object.opt_code("code")? }),
        "error" => Ok(Part::Error { text: object.string("text")?, code: object.opt_code("code")? }),
        _ => opaque(object).map(Part::Opaque),
    }
}

fn tool(object: &Object<'_>) -> Read<Tool> {
    let approval = object.opt_object("approval")?;
    Ok(Tool {
        call: CallId::new(object.id("callId")?),
        name: object.opt_string("name")?.unwrap_or_default(),
        step: object.opt_small("step")?.unwrap_or(0),
        state: object.word("state", TOOL_STATES)?,
        arguments: object.value("arguments").map(Json::new),
        arguments_text: object.opt_string("argumentsText")?,
        output: output(object, &["output"])?,
        result: object.value("result").map(Json::new),
        is_error: object.opt_flag("isError")?.unwrap_or(false),
        approval: approval.map(|it| self::approval(&it)).transpose().map_err(|fault| fault.under("approval"))?,
    })
}

fn approval(object: &Object<'_>) -> Read<Approval> {
    Ok(Approval {
        prompt: object.opt_string("prompt")?,
        options: object.opt_json("options"),
        state: object.word("state", APPROVAL_STATES)?,
        reason: object.opt_string("reason")?,
    })
}

/// What a tool printed, under the first of several names that is there.
pub(super) fn output(object: &Object<'_>, names: &[&str]) -> Read<Option<Output>> {
    for name in names {
        if let Some(output) = object.opt_object(name)? {
            let text = |field| output.opt_string(field).map(Option::unwrap_or_default);
            let read = || Ok(Output { stdout: text("stdout")?, stderr: text("stderr")? });
            return read().map(Some).map_err(|fault: Fault| fault.under(name));
        }
    }
    Ok(None)
}

/// The field `messageIds`.
pub(super) fn messages(object: &Object<'_>) -> Read<Vec<MessageId>> {
    Ok(object.opt_ids("messageIds")?.unwrap_or_default().into_iter().map(MessageId::new).collect())
}

/// The field `clientIds`.
pub(super) fn clients(object: &Object<'_>) -> Read<Vec<ClientId>> {
    Ok(object.opt_ids("clientIds")?.unwrap_or_default().into_iter().map(ClientId::new).collect())
}
