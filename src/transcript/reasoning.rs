//! Who made a piece of reasoning. The maker is told by what the metadata holds, never by the model's name.
//!
//! Each maker's fields stand at the top of the metadata or one level down under the maker's name:
//! - Anthropic (`anthropic`): a string `signature`; or, redacted, a string `redacted_thinking` or `redactedData`, or
//!   `data` beside `"type": "redacted_thinking"`.
//! - OpenAI Responses (`openai`): a string `encrypted_content` or `reasoningEncryptedContent`; or the item's id: a string
//!   `item_id` or `itemId`, or an `id` that begins with `rs_` or stands beside `"type": "reasoning"`.
//! - Chat completions that think, DeepSeek for one (`deepseek`): the key `reasoning_content`, whatever it holds.

use super::json::{self, Fields};

/// A block of Anthropic.
pub(super) enum Thought {
    Signed(String),
    Redacted(String),
}

/// A reasoning item of Responses.
#[derive(PartialEq, Eq)]
pub(super) struct ReasoningItem {
    pub(super) id: Option<String>,
    pub(super) encrypted: Option<String>,
}

pub(super) fn anthropic(metadata: &str) -> Option<Thought> {
    let fields = fields(metadata, "anthropic")?;
    if let Some(signature) = word(&fields, "signature") {
        return Some(Thought::Signed(signature));
    }
    let typed = json::text_of(&fields, "type").is_some_and(|kind| kind == "redacted_thinking");
    let data = if typed { word(&fields, "data") } else { None };
    data.or_else(|| word(&fields, "redacted_thinking")).or_else(|| word(&fields, "redactedData")).map(Thought::Redacted)
}

pub(super) fn responses(metadata: &str) -> Option<ReasoningItem> {
    let fields = fields(metadata, "openai")?;
    let encrypted = word(&fields, "encrypted_content").or_else(|| word(&fields, "reasoningEncryptedContent"));
    let typed = json::text_of(&fields, "type").is_some_and(|kind| kind == "reasoning");
    let bare = word(&fields, "id").filter(|id| typed || encrypted.is_some() || id.starts_with("rs_"));
    let id = word(&fields, "item_id").or_else(|| word(&fields, "itemId")).or(bare);
    (id.is_some() || encrypted.is_some()).then_some(ReasoningItem { id, encrypted })
}

pub(super) fn is_chat(metadata: &str) -> bool {
    fields(metadata, "deepseek").is_some_and(|fields| fields.contains_key("reasoning_content"))
}

fn fields<'a>(metadata: &'a str, maker: &str) -> Option<Fields<'a>> {
    let top = json::object(metadata)?;
    Some(top.get(maker).and_then(|inner| json::object(inner)).unwrap_or(top))
}

fn word(fields: &Fields<'_>, key: &str) -> Option<String> {
    json::text_of(fields, key).filter(|text| !text.is_empty())
}
