//! Parts in the shape of SPEC section 6.

use super::text::{Writer, list};
use crate::model::{Approval, Body, Output, Part, Tool};
use crate::wire::words::{APPROVAL_STATES, TOOL_STATES, name};

/// Appends one part.
pub fn part(part: &Part, out: &mut String) {
    match part {
        Part::Text { text } => {
            let mut object = typed("text", out);
            object.text("text", text);
            object.close();
        }
        Part::Reasoning { text, metadata, sealed } => {
            let mut object = typed("reasoning", out);
            object.text("text", text);
            object.opt_json("metadata", metadata.as_ref());
            object.flag("sealed", *sealed);
            object.close();
        }
        Part::Tool(tool) => self::tool(tool, out),
        Part::Opaque(opaque) => out.push_str(opaque.json.as_str()),
        Part::Notice { text, code } => {
            let mut object = typed("notice", out);
            object.text("text", text);
            object.opt_json("code", code.as_ref());
            object.close();
        }
        Part::Error { text, code } => {
            let mut object = typed("error", out);
            object.text("text", text);
            object.opt_json("code", code.as_ref());
            object.close();
        }
    }
}

/// Appends a list of parts.
pub fn parts(parts: &[Part], out: &mut String) {
    list(parts, out, part);
}

fn typed<'a>(kind: &str, out: &'a mut String) -> Writer<'a> {
    let mut object = Writer::open(out);
    object.text("type", kind);
    object
}

fn tool(tool: &Tool, out: &mut String) {
    let mut object = typed("tool", out);
    object.text("callId", tool.call.as_str());
    object.text("name", &tool.name);
    object.number("step", u64::from(tool.step));
    object.text("state", name(TOOL_STATES, tool.state));
    object.opt_json("arguments", tool.arguments.as_ref());
    object.opt_text("argumentsText", tool.arguments_text.as_deref());
    if let Some(output) = &tool.output {
        self::output(output, object.key("output"));
    }
    if let Some(result) = &tool.result {
        object.json("result", result);
        object.flag("isError", tool.is_error);
    }
    if let Some(approval) = &tool.approval {
        self::approval(approval, object.key("approval"));
    }
    object.close();
}

fn approval(approval: &Approval, out: &mut String) {
    let mut object = Writer::open(out);
    object.opt_text("prompt", approval.prompt.as_deref());
    object.opt_json("options", approval.options.as_ref());
    object.text("state", name(APPROVAL_STATES, approval.state));
    object.opt_text("reason", approval.reason.as_deref());
    object.close();
}

pub(super) fn output(output: &Output, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("stdout", &output.stdout);
    object.text("stderr", &output.stderr);
    object.close();
}

/// What a message says: under `name` where it is one text, else as `parts`.
pub(super) fn body(body: &Body, name: &str, object: &mut Writer<'_>) {
    match body.parts.as_slice() {
        [Part::Text { text }] => object.text(name, text),
        list => parts(list, object.key("parts")),
    }
}
