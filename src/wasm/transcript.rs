//! The transcript for JavaScript: JSON text in, JSON text out.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::model::{Chunk, ExecutionId};
use crate::transcript::{Cause, Filler, Options, Projection, Vendor};
use crate::wire;

type Fields<'a> = BTreeMap<String, &'a RawValue>;

/// Projects chunks, a JSON array, for a model: `{messages, fillers, problems}` as JSON text.
///
/// A chunk without a seq is not written yet: it stands behind all others. Errors: what cannot be read, a chunk or the
/// options (`{vendor, executionId?}`), is a problem; the chunks beside it are projected all the same.
#[must_use]
#[wasm_bindgen]
pub fn transcript(chunks: &str, options: &str) -> String {
    let mut problems = Vec::new();
    let rows = rows(chunks, &mut problems);
    let none = Projection { messages: "[]".to_owned(), fillers: Vec::new(), problems: Vec::new() };
    let mut projection = match read_options(options) {
        Ok(options) => crate::transcript::project(&rows, &options),
        Err(problem) => Projection { problems: vec![problem], ..none },
    };
    problems.append(&mut projection.problems);
    written(&Projection { problems, ..projection })
}

/// Says what is wrong with messages, a JSON array, for a vendor: a JSON array of strings.
#[must_use]
#[wasm_bindgen]
pub fn check(messages: &str, vendor: &str) -> String {
    match named(vendor) {
        Ok(vendor) => strings(&crate::transcript::check(messages, vendor)),
        Err(problem) => strings(&[problem]),
    }
}

fn rows(chunks: &str, problems: &mut Vec<String>) -> Vec<Chunk> {
    let (mut rows, mut unwritten) = (Vec::new(), Vec::new());
    for (index, raw) in list(chunks, problems).into_iter().enumerate() {
        match rest_without_seq(raw.get()) {
            Some(rest) => unwritten.push((index, rest)),
            None => push(&mut rows, index, raw.get(), problems),
        }
    }
    let last = rows.iter().map(|row| row.seq.0).max().unwrap_or_default();
    for ((index, rest), seq) in unwritten.into_iter().zip(last + 1..) {
        push(&mut rows, index, &format!("{{\"seq\":{seq},{rest}"), problems);
    }
    rows
}

fn list<'a>(chunks: &'a str, problems: &mut Vec<String>) -> Vec<&'a RawValue> {
    serde_json::from_str(chunks).unwrap_or_else(|_| {
        problems.push("json: the chunks are not one JSON array".to_owned());
        Vec::new()
    })
}

fn push(rows: &mut Vec<Chunk>, index: usize, json: &str, problems: &mut Vec<String>) {
    match wire::chunk(json) {
        Ok(row) => rows.push(row),
        Err(refused) => {
            let field = refused.field.unwrap_or_default();
            problems.push(format!("chunk {index}: {}: {field} {}", refused.code, refused.detail));
        }
    }
}

/// What follows the brace of a chunk that has fields and no seq.
fn rest_without_seq(json: &str) -> Option<&str> {
    let fields: Fields<'_> = serde_json::from_str(json).ok()?;
    let rest = json.strip_prefix('{')?;
    (!fields.is_empty() && !fields.contains_key("seq")).then_some(rest)
}

fn read_options(json: &str) -> Result<Options, String> {
    let fields: Fields<'_> = serde_json::from_str(json).map_err(|_| "options: not one JSON object".to_owned())?;
    let text = |key: &str| match fields.get(key).map(|raw| raw.get()) {
        None | Some("null") => Ok(None),
        Some(raw) => {
            serde_json::from_str::<String>(raw).map(Some).map_err(|_| format!("options: `{key}` is no string"))
        }
    };
    let vendor = named(&text("vendor")?.unwrap_or_default())?;
    Ok(Options { vendor, execution: text("executionId")?.map(ExecutionId::new) })
}

fn named(vendor: &str) -> Result<Vendor, String> {
    Vendor::named(vendor).ok_or_else(|| format!("options: there is no vendor `{vendor}`"))
}

fn written(projection: &Projection) -> String {
    let fillers: Vec<String> = projection.fillers.iter().map(filler).collect();
    let (messages, problems) = (&projection.messages, strings(&projection.problems));
    format!("{{\"messages\":{messages},\"fillers\":[{}],\"problems\":{problems}}}", fillers.join(","))
}

fn filler(filler: &Filler) -> String {
    let Filler { message, call, wire, cause, started } = filler;
    let (call, wire, cause) = (string(call.as_str()), string(wire), string(Cause::name(*cause)));
    format!("{{\"message\":{message},\"callId\":{call},\"wireId\":{wire},\"cause\":{cause},\"started\":{started}}}")
}

fn strings(list: &[String]) -> String {
    let list: Vec<String> = list.iter().map(|text| string(text)).collect();
    format!("[{}]", list.join(","))
}

fn string(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"[
        {"seq":2,"turnId":"a","role":"assistant","type":"tool_call","data":{"callId":"c","name":"run","arguments":{}}},
        {"seq":1,"turnId":"a","role":"user","type":"text","data":{"text":"A"}},
        {"turnId":"b","role":"user","type":"text","data":{"text":"B"}},
        {"seq":4}
    ]"#;

    #[test]
    fn chunks_go_in_and_messages_fillers_and_problems_come_out() {
        let out = transcript(LOG, r#"{"vendor":"openai-chat","executionId":null}"#);
        let (messages, rest) = out.split_once(r#","fillers":"#).unwrap();
        assert!(
            messages.starts_with(r#"{"messages":[{"role":"user","content":"A"},{"role":"assistant""#),
            "{messages}"
        );
        assert!(messages.ends_with(r#"{"role":"user","content":"B"}]"#), "{messages}");
        let filler = r#"[{"message":2,"callId":"c","wireId":"c","cause":"stopped","started":true}]"#;
        assert!(rest.starts_with(&format!(r#"{filler},"problems":["chunk 3: missing-field: role "#)), "{rest}");
    }

    #[test]
    fn what_cannot_be_read_is_a_problem() {
        let none = |problem: &str| format!(r#"{{"messages":[],"fillers":[],"problems":["{problem}"]}}"#);
        assert_eq!(transcript("[]", "1"), none("options: not one JSON object"));
        assert_eq!(transcript("[]", "{}"), none("options: there is no vendor ``"));
        assert_eq!(transcript("{}", r#"{"vendor":"neutral"}"#), none("json: the chunks are not one JSON array"));
        let options = r#"{"vendor":"neutral","executionId":1}"#;
        assert_eq!(transcript("[]", options), none("options: `executionId` is no string"));
    }

    #[test]
    fn messages_are_checked_by_the_vendors_name() {
        assert_eq!(check("[]", "anthropic"), "[]");
        assert_eq!(check("{", "anthropic"), r#"["json: the messages are not one JSON array"]"#);
        assert_eq!(check("[]", "x"), r#"["options: there is no vendor `x`"]"#);
    }
}
