//! The output items of OpenAI Responses: what each is in a turn.

use serde_json::{Value, json};

use super::openai_responses::Responses;
use super::scribe::{Scribe, Seal};
use super::value::{arguments, each, some, some_text, text};

/// Stands between two parts of one summary.
pub const BETWEEN: &str = "\n\n";

/// An item that streams.
#[derive(Debug, Default)]
pub struct Item {
    /// The call that it is, if it is one.
    pub call: Option<String>,
    /// What it has streamed.
    pub streamed: String,
    /// The place of its row, if it is text or reasoning.
    pub row: Option<usize>,
}

impl Item {
    /// The item begins: a call shows itself before its arguments are whole.
    pub fn open(item: &Value, asked: &[String], turn: &mut Scribe) -> Self {
        let Some(name) = tool(item) else { return Self { row: row(item, turn), ..Self::default() } };
        if some_text(item, "/approval_request_id").is_some_and(|request| asked.iter().any(|call| call == request)) {
            return Self::default();
        }
        let call = call_id(item);
        turn.input_start(&call, &name);
        Self { call: Some(call), ..Self::default() }
    }
}

/// The place of the row of an item of text or reasoning.
fn row(item: &Value, turn: &mut Scribe) -> Option<usize> {
    match text(item, "/type") {
        "message" => Some(turn.rows.item("text")),
        "reasoning" => Some(turn.rows.item("reasoning")),
        _ => None,
    }
}

/// The item is whole: its rows are written from it, and what was not streamed is told now.
pub fn seal(responses: &mut Responses, streamed: Item, item: &Value, turn: &mut Scribe) {
    match text(item, "/type") {
        "message" => message(responses, &streamed, item, turn),
        "reasoning" => reasoning(&streamed, item, turn),
        "shell_call_output" | "tool_search_output" | "program_output" => {
            let call = some_text(item, "/call_id").map(str::to_owned).or_else(|| responses.search.clone());
            let result = ["/output", "/tools", "/result"].iter().find_map(|at| some(item, at)).unwrap_or(&Value::Null);
            turn.seal = Seal::FromEvents;
            turn.result(&call.expect("an output has its call"), result, false);
        }
        _ => call(responses, &streamed, item, turn),
    }
}

fn message(responses: &mut Responses, streamed: &Item, item: &Value, turn: &mut Scribe) {
    let whole: String =
        each(item, "/content").iter().map(|part| [text(part, "/text"), text(part, "/refusal")].concat()).collect();
    let at = streamed.row.or_else(|| row(item, turn)).expect("a message has a row");
    match whole.strip_prefix(&streamed.streamed) {
        Some(rest) => {
            turn.text(rest, None);
            turn.rows.fill(at, &whole, None);
        }
        None => {
            responses.is_edited = true;
            turn.rows.fill(at, &streamed.streamed, None);
        }
    }
    turn.seal = Seal::FromEvents;
    for source in each(item, "/content").iter().flat_map(|part| each(part, "/annotations")) {
        let id = some_text(source, "/url").or_else(|| some_text(source, "/file_id")).unwrap_or_default();
        turn.part(&json!({"type": "source", "id": id, "annotation": source}));
    }
}

fn reasoning(streamed: &Item, item: &Value, turn: &mut Scribe) {
    let parts = each(item, "/summary").iter().chain(each(item, "/content")).map(|part| text(part, "/text"));
    let whole = parts.collect::<Vec<_>>().join(BETWEEN);
    let metadata = some_text(item, "/encrypted_content").map(|secret| json!({"encryptedContent": secret}));
    let at = streamed.row.or_else(|| row(item, turn)).expect("reasoning has a row");
    if whole.is_empty() && streamed.streamed.is_empty() {
        if let Some(metadata) = metadata {
            turn.rows.fill(at, "", Some(&metadata));
            turn.reasoning_opaque(&metadata);
        }
        return;
    }
    turn.reasoning(rest(&streamed.streamed, &whole), None);
    turn.rows.fill(at, &whole, metadata.as_ref());
    turn.reasoning_end(metadata);
}

fn call(responses: &mut Responses, streamed: &Item, item: &Value, turn: &mut Scribe) {
    let kind = text(item, "/type");
    let name = tool(item).unwrap_or_else(|| panic!("an item {kind} is not read"));
    turn.seal = Seal::FromEvents;
    let id = call_id(item);
    if let Some(whole) = some_text(item, "/arguments").or_else(|| some_text(item, "/input"))
        && !streamed.streamed.is_empty()
    {
        turn.input_delta(&id, rest(&streamed.streamed, whole));
    }
    match some_text(item, "/approval_request_id").filter(|request| responses.asked.iter().any(|call| call == request)) {
        Some(request) => {
            turn.approval_resolved(request, "approved");
            responses.asked.retain(|call| call != request);
            let request = request.to_owned();
            turn.result(&request, some(item, "/error").unwrap_or(&item["output"]), some(item, "/error").is_some());
        }
        None => {
            turn.call(&id, &name, &input(item));
            match kind {
                "mcp_approval_request" => {
                    turn.approval_request(&id, Some(&name), None);
                    responses.asked.push(id);
                }
                "tool_search_call" if text(item, "/execution") != "client" => responses.search = Some(id),
                _ => {
                    if let Some(result) = result(item) {
                        turn.result(&id, &result, some(item, "/error").is_some());
                    }
                }
            }
        }
    }
}

/// What a whole text has beyond what was streamed of it: all of it where nothing streamed, and the end of it where the
/// authors of a fixture left deltas out. A stream that says anything else than its end is a fault of the reader.
fn rest<'a>(streamed: &str, whole: &'a str) -> &'a str {
    whole.strip_prefix(streamed).unwrap_or_else(|| panic!("it streams {streamed:?} and ends as {whole:?}"))
}

/// The name of the tool that an item calls.
fn tool(item: &Value) -> Option<String> {
    Some(match text(item, "/type") {
        "function_call" | "custom_tool_call" | "mcp_call" | "mcp_approval_request" => text(item, "/name").to_owned(),
        "mcp_list_tools" => format!("list_tools:{}", text(item, "/server_label")),
        "program" => "program".to_owned(),
        kind => kind.strip_suffix("_call")?.to_owned(),
    })
}

fn call_id(item: &Value) -> String {
    some_text(item, "/call_id").unwrap_or_else(|| text(item, "/id")).to_owned()
}

fn input(item: &Value) -> Value {
    match text(item, "/type") {
        "custom_tool_call" => json!({"input": item["input"]}),
        "code_interpreter_call" | "program" => json!({"code": item["code"]}),
        "file_search_call" => json!({"queries": item["queries"]}),
        "apply_patch_call" => item["operation"].clone(),
        "web_search_call" | "shell_call" | "local_shell_call" => {
            some(item, "/action").cloned().unwrap_or_else(|| json!({}))
        }
        "mcp_list_tools" => json!({"server": item["server_label"]}),
        _ => match &item["arguments"] {
            Value::String(streamed) => arguments(streamed),
            whole => whole.clone(),
        },
    }
}

/// What a tool of the provider itself has answered within the response.
fn result(item: &Value) -> Option<Value> {
    match text(item, "/type") {
        "web_search_call" => Some(json!({"status": item["status"]})),
        "file_search_call" => Some(item["results"].clone()),
        "code_interpreter_call" => Some(item["outputs"].clone()),
        "mcp_list_tools" => Some(item["tools"].clone()),
        "mcp_call" => Some(some(item, "/error").unwrap_or(&item["output"]).clone()),
        _ => None,
    }
}
