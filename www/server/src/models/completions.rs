//! A stream of chat completions, chunk by chunk, said through a voice.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use turnseal::drive::Voice;
use turnseal::model::{CallId, Json};

#[derive(Deserialize)]
struct Piece {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Box<RawValue>>,
    error: Option<Trouble>,
}

#[derive(Deserialize)]
struct Trouble {
    message: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Delta {
    content: Option<String>,
    #[serde(alias = "reasoning")]
    reasoning_content: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Vec<ToolDelta>>,
}

#[derive(Deserialize)]
struct ToolDelta {
    #[serde(default)]
    index: u32,
    id: Option<String>,
    function: Option<FunctionDelta>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<String>,
}

/// A call whose arguments stream.
#[derive(Default)]
struct Growing {
    id: String,
    name: String,
    arguments: String,
}

/// What has come of one response.
#[derive(Default)]
pub(super) struct Completions {
    calls: BTreeMap<u32, Growing>,
    reasons: bool,
    is_over: bool,
}

impl Completions {
    /// One line of the stream: `data: {..}`, or the JSON alone. What is no data is passed over.
    pub(super) async fn line(&mut self, line: &str, step: u32, voice: &Voice) -> Result<(), String> {
        let data = line.strip_prefix("data:").unwrap_or(line).trim();
        if data == "[DONE]" {
            self.is_over = true;
            return Ok(());
        }
        if !data.starts_with('{') {
            return Ok(());
        }
        let piece: Piece = serde_json::from_str(data).map_err(|error| format!("a chunk of the model: {error}"))?;
        if let Some(trouble) = piece.error {
            return Err(trouble.message.unwrap_or_else(|| "the model failed".to_owned()));
        }
        for choice in piece.choices {
            self.delta(choice.delta, step, voice).await;
            self.is_over |= choice.finish_reason.is_some();
        }
        if let Some(usage) = piece.usage.filter(|usage| usage.get() != "null") {
            voice.usage(Json::new(usage.get())).await;
        }
        Ok(())
    }

    async fn delta(&mut self, delta: Delta, step: u32, voice: &Voice) {
        if let Some(text) = delta.reasoning_content.filter(|text| !text.is_empty()) {
            self.reasons = true;
            voice.reasoning(&text).await;
        }
        if let Some(text) = delta.content.or(delta.refusal).filter(|text| !text.is_empty()) {
            self.end_reasoning(voice).await;
            voice.text(&text).await;
        }
        for tool in delta.tool_calls.unwrap_or_default() {
            self.end_reasoning(voice).await;
            let call = self.calls.entry(tool.index).or_default();
            if call.id.is_empty() {
                call.id = tool.id.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call-{step}-{}", tool.index));
            }
            let Some(function) = tool.function else { continue };
            // A name comes whole, but some send it again with each piece.
            if call.name.is_empty() {
                call.name = function.name.unwrap_or_default();
            }
            let piece = function.arguments.unwrap_or_default();
            call.arguments.push_str(&piece);
            voice.tool_input(&CallId::new(call.id.as_str()), &call.name, &piece).await;
        }
    }

    async fn end_reasoning(&mut self, voice: &Voice) {
        if std::mem::take(&mut self.reasons) {
            voice.reasoning_end(None).await;
        }
    }

    /// The stream is over. Errors: it broke off before the model was done.
    pub(super) async fn end(mut self, voice: &Voice) -> Result<(), String> {
        self.end_reasoning(voice).await;
        if !self.is_over {
            return Err("the answer of the model broke off".to_owned());
        }
        for call in std::mem::take(&mut self.calls).into_values() {
            let arguments = if call.arguments.trim().is_empty() { "{}" } else { call.arguments.as_str() };
            voice.tool_call(&CallId::new(call.id), &call.name, arguments).await;
        }
        Ok(())
    }
}
