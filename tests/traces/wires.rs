//! The wire formats of providers, told apart by their first event.

use serde_json::Value;

use super::anthropic::Anthropic;
use super::bedrock::Bedrock;
use super::cohere::Cohere;
use super::gemini::Gemini;
use super::interactions::Interactions;
use super::openai_chat::Chat;
use super::openai_responses::Responses;
use super::scribe::Scribe;
use super::value::text;

/// The reader of one turn's responses.
#[derive(Debug)]
pub enum Wire {
    /// OpenAI Responses and what speaks it.
    Responses(Responses),
    /// OpenAI chat completions and what speaks it.
    Chat(Chat),
    /// Anthropic Messages.
    Anthropic(Anthropic),
    /// Gemini generateContent.
    Gemini(Gemini),
    /// Gemini interactions.
    Interactions(Interactions),
    /// Amazon Bedrock Converse.
    Bedrock(Bedrock),
    /// Cohere chat v2.
    Cohere(Cohere),
}

impl Wire {
    /// The reader for a stream that begins like this.
    pub fn of(first: &Value) -> Self {
        let kind = text(first, "/type");
        if kind.starts_with("response.") {
            Self::Responses(Responses::default())
        } else if kind == "message_start" {
            Self::Anthropic(Anthropic::default())
        } else if kind == "message-start" {
            Self::Cohere(Cohere::default())
        } else if first.get("candidates").is_some() || first.get("usageMetadata").is_some() {
            Self::Gemini(Gemini::default())
        } else if first.get("event_type").is_some() {
            Self::Interactions(Interactions::default())
        } else if first.get("choices").is_some() {
            Self::Chat(Chat::default())
        } else {
            let bedrock = first.as_object().is_some_and(|object| {
                object.keys().any(|key| key.starts_with("contentBlock") || key.starts_with("messageSt"))
            });
            assert!(bedrock, "no reader for a stream that begins with {first:.100}");
            Self::Bedrock(Bedrock::default())
        }
    }

    /// Reads one event.
    pub fn feed(&mut self, event: &Value, turn: &mut Scribe) {
        match self {
            Self::Responses(reader) => reader.feed(event, turn),
            Self::Chat(reader) => reader.feed(event, turn),
            Self::Anthropic(reader) => reader.feed(event, turn),
            Self::Gemini(reader) => reader.feed(event, turn),
            Self::Interactions(reader) => reader.feed(event, turn),
            Self::Bedrock(reader) => reader.feed(event, turn),
            Self::Cohere(reader) => reader.feed(event, turn),
        }
    }

    /// A response is over.
    pub fn finish(&mut self, turn: &mut Scribe) {
        match self {
            Self::Responses(reader) => reader.finish(turn),
            Self::Chat(reader) => reader.finish(turn),
            Self::Anthropic(reader) => reader.finish(turn),
            Self::Gemini(reader) => reader.finish(turn),
            Self::Interactions(_) | Self::Bedrock(_) | Self::Cohere(_) => turn.reasoning_end(None),
        }
    }

    /// Why the last response failed, once. Whoever takes it decides what follows.
    pub fn take_failure(&mut self) -> Option<String> {
        match self {
            Self::Responses(reader) => reader.failed.take(),
            Self::Chat(reader) => reader.failed.take(),
            Self::Anthropic(reader) => reader.failed.take(),
            Self::Gemini(reader) => reader.failed.take(),
            Self::Interactions(_) | Self::Bedrock(_) | Self::Cohere(_) => None,
        }
    }
}
