//! The little JSON that the engine writes itself.

use crate::model::{CallId, Json, TurnId};

use super::rows::Cause;

/// What readers are told of a turn of which a restart has left nothing but the message.
pub(super) const RESTARTED: &str = "The server was restarted before this had an answer.";

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            letter if letter < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// The result that a model is told for a call that a person did not allow.
pub(super) fn denied(reason: Option<&str>) -> Json {
    let why = reason.map(|reason| format!(" Reason: {reason}")).unwrap_or_default();
    Json::new(quoted(&format!("The user did not allow this tool call.{why}")))
}

/// The result that a model is told for a call that nobody decided.
pub(super) fn expired() -> Json {
    Json::new("\"Nobody decided on this tool call in time. It did not run.\"")
}

/// Why a call has no result, as the log tells it.
pub(super) fn interrupted(call: &CallId, cause: Cause, started: bool) -> Json {
    let (call, cause) = (quoted(call.as_str()), cause.as_str());
    Json::new(format!("{{\"callId\":{call},\"cause\":\"{cause}\",\"started\":{started}}}"))
}

/// True where [`interrupted`] wrote that about the call.
pub(super) fn names(data: &Json, call: &CallId) -> bool {
    data.as_str().starts_with(&format!("{{\"callId\":{},\"cause\":", quoted(call.as_str())))
}

/// The event that tells token counts.
pub(super) fn usage(turn: &TurnId, usage: &Json) -> Json {
    Json::new(format!("{{\"type\":\"usage\",\"turnId\":{},\"usage\":{}}}", quoted(turn.as_str()), usage.as_str()))
}
