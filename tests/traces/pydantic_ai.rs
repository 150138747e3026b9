//! Pydantic AI: cassettes of HTTP in YAML. A cassette is one run of an agent: one turn of one response or several.

use std::path::Path;

use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Value, json};

use super::scribe::Scribe;
use super::value::{each, some, some_text, text};
use super::wires::Wire;
use super::{Folder, RecordedTurn, sse};

/// Requests beside the conversation.
pub const BESIDE: &str = "responses that were not streamed are no part of the turn";
/// A failed response is asked for anew.
pub const RETRIED: &str = "a response failed and was asked for anew: the turn has an execution for each attempt";

/// The folder.
pub fn folder(root: &Path) -> Folder {
    let mut folder = Folder::open(root, "pydantic-ai");
    for file in folder.wanted() {
        let body = folder.take(root, &file);
        let cassette = Yaml::load_from_str(&body).unwrap_or_else(|error| panic!("{file}: {error}"));
        let cassette = json_of(&cassette[0]);
        let exchanges = each(&cassette, "/interactions");
        let (streams, beside): (Vec<&Value>, Vec<&Value>) =
            exchanges.iter().partition(|exchange| text(exchange, "/response/body/string").contains("data:"));
        let (turn, retried) = turn(&streams);
        let mut notes = Vec::new();
        notes.extend((!beside.is_empty()).then_some(BESIDE));
        notes.extend(retried.then_some(RETRIED));
        folder.push(&file, vec![turn], notes);
    }
    folder
}

/// One run. The second answer: whether a response failed and was asked for anew.
fn turn(streams: &[&Value]) -> (RecordedTurn, bool) {
    let first = &streams[0]["request"]["parsed_body"];
    let mut turn = Scribe::start("turn-1", said(first).as_ref());
    let mut wire = None::<Wire>;
    let (mut failure, mut retried) = (None, false);
    for stream in streams {
        let events = sse::values(text(stream, "/response/body/string"));
        let wire = wire.get_or_insert_with(|| Wire::of(&events[0]));
        if failure.take().is_some() {
            retried = true;
            turn.restart();
        }
        results(&stream["request"]["parsed_body"], wire, &mut turn);
        events.iter().for_each(|event| wire.feed(event, &mut turn));
        wire.finish(&mut turn);
        failure = wire.take_failure();
        assert!(!matches!(wire, Wire::Responses(reader) if reader.is_edited), "a message streams what it ends as");
    }
    let turn = match failure {
        Some(reason) => turn.end("error", Some(&reason)),
        None => turn.end("done", None),
    };
    (turn, retried)
}

/// The messages of a request, whatever its vendor calls them.
fn messages(body: &Value) -> &[Value] {
    ["/messages", "/input", "/contents"].iter().map(|key| each(body, key)).find(|list| !list.is_empty()).unwrap_or(&[])
}

/// What the person said last in the first request.
fn said(body: &Value) -> Option<Value> {
    let message = messages(body).iter().rev().find(|message| text(message, "/role") == "user")?;
    let parts = each(message, "/content").iter().chain(each(message, "/parts"));
    let texts: Vec<&str> = parts.filter_map(|part| some_text(part, "/text")).collect();
    Some(message["content"].as_str().map_or_else(|| json!(texts.join("\n\n")), |text| json!(text)))
}

/// The results of tools that a request brings: those behind the model's last words, since earlier ones stand there again.
fn results(body: &Value, wire: &mut Wire, turn: &mut Scribe) {
    let is_models = |message: &Value| {
        ["assistant", "model"].contains(&text(message, "/role"))
            || ["function_call", "tool_search_call", "reasoning"].contains(&text(message, "/type"))
    };
    let list = messages(body);
    let tail = list.iter().rposition(is_models).map_or(list.len(), |last| last + 1);
    for message in &list[tail..] {
        let mut tell = |call: &str, result: &Value, is_error: bool| {
            // A client may put the response before the id of a call, to tell apart ids that repeat.
            let call = if turn.is_open(call) { call } else { call.rsplit(':').next().unwrap_or(call) };
            if turn.is_open(call) {
                turn.result(call, result, is_error);
            }
        };
        if text(message, "/role") == "tool" {
            tell(text(message, "/tool_call_id"), &message["content"], false);
        }
        if let Some(result) = some(message, "/output").or_else(|| some(message, "/tools")) {
            tell(text(message, "/call_id"), result, false);
        }
        for part in each(message, "/content").iter().filter(|part| text(part, "/type") == "tool_result") {
            tell(text(part, "/tool_use_id"), &part["content"], part["is_error"] == true);
        }
        for answer in each(message, "/parts").iter().filter_map(|part| some(part, "/functionResponse")) {
            // The client names calls by ids of its own: the stream has none.
            let Wire::Gemini(reader) = wire else { continue };
            if let Some(at) = reader.asked.iter().position(|(_, name)| name == text(answer, "/name")) {
                let (call, _) = reader.asked.remove(at);
                tell(&call, &answer["response"], false);
            }
        }
    }
}

/// YAML as JSON. Cassettes hold nothing that JSON cannot say.
fn json_of(yaml: &Yaml<'_>) -> Value {
    match yaml {
        Yaml::Value(Scalar::Null) => Value::Null,
        Yaml::Value(Scalar::Boolean(value)) => json!(value),
        Yaml::Value(Scalar::Integer(value)) => json!(value),
        Yaml::Value(Scalar::FloatingPoint(value)) => json!(value.into_inner()),
        Yaml::Value(Scalar::String(value)) => json!(value),
        Yaml::Sequence(list) => list.iter().map(json_of).collect(),
        Yaml::Mapping(map) => {
            let entry =
                |(key, value): (&Yaml<'_>, &Yaml<'_>)| (key.as_str().unwrap_or_default().to_owned(), json_of(value));
            Value::Object(map.iter().map(entry).collect::<Map<String, Value>>())
        }
        other => panic!("a cassette has {other:?}"),
    }
}
