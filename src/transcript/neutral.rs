//! Our own form: one message a user's message, an answer, or the results of a step; opaque JSON as it came.
//!
//! Parts: `text`, `file` (as in the log), `reasoning` with its metadata, `tool_call`, `tool_result`. A filler carries
//! `filler` with its cause. From this form any other is made; no vendor's letters or limits apply.

use super::Filler;
use super::cause::Cause;
use super::json::{array, quote, raw, write};
use super::log::{Answer, Call, Item, Piece, Step};
use super::sheet::Sheet;

pub(super) fn print(items: &[Item]) -> (String, Vec<Filler>) {
    let mut sheet = Sheet::default();
    for item in items {
        match item {
            Item::User(pieces) => push(&mut sheet, "user", &pieces.iter().map(piece).collect::<Vec<_>>()),
            Item::Step(step) => print_step(&mut sheet, step),
        }
    }
    sheet.done()
}

fn print_step(sheet: &mut Sheet, step: &Step) {
    let thinking = step.thinking.iter().map(|thinking| {
        let metadata = raw(thinking.metadata.as_str());
        write(&[("type", "\"reasoning\""), ("text", &quote(&thinking.text)), ("metadata", &metadata)])
    });
    let mut parts: Vec<String> = thinking.chain(step.pieces.iter().map(piece)).collect();
    for call in &step.calls {
        sheet.flag_call(call);
        parts.push(call_part(call));
    }
    push(sheet, "assistant", &parts);
    if step.calls.is_empty() {
        return;
    }
    for call in &step.calls {
        sheet.flag_result(call);
    }
    push(sheet, "tool", &step.calls.iter().map(result_part).collect::<Vec<_>>());
}

fn push(sheet: &mut Sheet, role: &str, parts: &[String]) {
    sheet.push(&[("role", &quote(role)), ("content", &array(parts))]);
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => write(&[("type", "\"text\""), ("text", &quote(text))]),
        Piece::File(json) => raw(json.as_str()),
    }
}

fn call_part(call: &Call) -> String {
    let (id, name) = (quote(&call.wire), quote(&call.name));
    let arguments = call.arguments.as_ref().map_or("{}".to_owned(), |arguments| raw(arguments.as_str()));
    let cause = quote(Cause::NoCall.name());
    let mut fields =
        vec![("type", "\"tool_call\""), ("callId", id.as_str()), ("name", &name), ("arguments", &arguments)];
    if call.arguments.is_none() {
        fields.push(("filler", &cause));
    }
    write(&fields)
}

fn result_part(call: &Call) -> String {
    let (result, is_error, filler) = match &call.answer {
        Answer::Given(given) => (raw(given.result.as_str()), given.is_error, None),
        Answer::Filler { cause, started } => (quote(&cause.text(*started)), true, Some(quote(cause.name()))),
    };
    let (id, name) = (quote(&call.wire), quote(&call.name));
    let mut fields = vec![
        ("type", "\"tool_result\""),
        ("callId", id.as_str()),
        ("name", &name),
        ("result", &result),
        ("isError", if is_error { "true" } else { "false" }),
    ];
    fields.extend(filler.as_deref().map(|filler| ("filler", filler)));
    write(&fields)
}
