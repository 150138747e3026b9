//! What is inside results and file parts: texts, images and documents, in whichever common shape they came.

use super::json::{self, Fields, Shape};
use super::log::{Answer, Call};

/// One piece of a result, or an attachment.
pub(super) enum Block {
    Text(String),
    Image(Media),
    Document(Media),
}

pub(super) struct Media {
    pub(super) source: Source,
    pub(super) name: Option<String>,
}

pub(super) enum Source {
    Data { mime: String, base64: String },
    Url(String),
}

impl Source {
    /// As one URL.
    pub(super) fn url(&self) -> String {
        match self {
            Self::Data { mime, base64 } => format!("data:{mime};base64,{base64}"),
            Self::Url(url) => url.clone(),
        }
    }
}

/// The result of a call as a model is told it: the blocks, and whether it is an error.
pub(super) fn answer(call: &Call) -> (Vec<Block>, bool) {
    match &call.answer {
        Answer::Given(given) => {
            let printed = given.output.as_ref().filter(|_| given.result.is_null());
            let blocks = match printed {
                Some(output) => vec![Block::Text(format!("{}{}", output.stdout, output.stderr))],
                None => result(given.result.as_str()),
            };
            (blocks, given.is_error)
        }
        Answer::Filler { cause, started } => (vec![Block::Text(cause.text(*started))], true),
    }
}

/// The arguments of a call as a JSON object, which is all that the APIs take.
pub(super) fn arguments(call: &Call) -> String {
    let Some(arguments) = &call.arguments else { return "{}".to_owned() };
    match json::read(arguments.as_str()) {
        Some(Shape::Object(_)) => json::raw(arguments.as_str()),
        Some(Shape::Text(text)) if json::object(&text).is_some() => json::raw(&text),
        Some(Shape::Text(text)) if text.trim().is_empty() => "{}".to_owned(),
        Some(Shape::Word("null")) => "{}".to_owned(),
        Some(Shape::Text(_) | Shape::List(_) | Shape::Word(_)) | None => {
            json::write(&[("arguments", &json::raw(arguments.as_str()))])
        }
    }
}

/// A file part; where no API would take it, a line that names it.
pub(super) fn file(part: &str) -> Block {
    let fields = json::object(part).unwrap_or_default();
    media(&fields).unwrap_or_else(|| {
        let words = [first(&fields, &["filename", "name", "title"]), mime(&fields)];
        let words: Vec<String> = words.into_iter().flatten().collect();
        Block::Text(format!("[file: {}]", if words.is_empty() { "unknown".to_owned() } else { words.join(", ") }))
    })
}

/// The texts of blocks, one a line.
pub(super) fn joined(blocks: &[Block]) -> String {
    let texts: Vec<&str> = blocks
        .iter()
        .map(|block| match block {
            Block::Text(text) => text.as_str(),
            Block::Image(_) => "[image]",
            Block::Document(_) => "[document]",
        })
        .collect();
    texts.join("\n")
}

/// A string is its text. A list in which each value is a block, alone or as `content`, is blocks. All else is JSON text.
fn result(text: &str) -> Vec<Block> {
    let blocks = match json::read(text) {
        Some(Shape::Text(text)) => return vec![Block::Text(text)],
        Some(Shape::List(list)) => all_blocks(&list),
        Some(Shape::Object(fields)) => match fields.get("content").and_then(|raw| json::list(raw)) {
            Some(list) => all_blocks(&list),
            None => media(&fields).map(|block| vec![block]),
        },
        Some(Shape::Word(_)) | None => None,
    };
    blocks.unwrap_or_else(|| vec![Block::Text(json::without_lone_surrogates(text.trim()))])
}

fn all_blocks(list: &[&str]) -> Option<Vec<Block>> {
    let blocks: Option<Vec<Block>> = list.iter().map(|raw| block(&json::object(raw)?)).collect();
    blocks.filter(|blocks| !blocks.is_empty())
}

fn block(fields: &Fields<'_>) -> Option<Block> {
    match json::text_of(fields, "type")?.as_str() {
        "text" | "input_text" | "output_text" => json::text_of(fields, "text").map(Block::Text),
        _ => media(fields),
    }
}

/// An image or a document, by its `type` and by its media type.
fn media(fields: &Fields<'_>) -> Option<Block> {
    let kind = json::text_of(fields, "type")?;
    let inner = fields.get("source").and_then(|raw| json::object(raw)).unwrap_or_default();
    let source = source(&inner).or_else(|| source(fields))?;
    let name = first(fields, &["filename", "name", "title"]);
    let told = match &source {
        Source::Data { mime, .. } => Some(mime.clone()),
        Source::Url(_) => mime(&inner).or_else(|| mime(fields)),
    };
    match (kind.as_str(), told.as_deref()) {
        ("image" | "input_image" | "image_url" | "image-url", None)
        | (_, Some("image/png" | "image/jpeg" | "image/gif" | "image/webp")) => {
            Some(Block::Image(Media { source, name }))
        }
        ("document", None) | (_, Some("application/pdf")) => Some(Block::Document(Media { source, name })),
        _ => None,
    }
}

fn source(fields: &Fields<'_>) -> Option<Source> {
    let nested =
        fields.get("image_url").and_then(|raw| json::object(raw)).and_then(|inner| json::text_of(&inner, "url"));
    let keys = ["data", "url", "image_url", "file_data", "file_url", "image", "uri"];
    let text = nested.or_else(|| first(fields, &keys))?;
    if text.starts_with("http://") || text.starts_with("https://") {
        return Some(Source::Url(text));
    }
    if let Some(rest) = text.strip_prefix("data:") {
        let (head, base64) = rest.split_once(',')?;
        let mime = head.strip_suffix(";base64")?.split(';').next()?;
        return Some(Source::Data { mime: mime.to_owned(), base64: base64.to_owned() });
    }
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_' | '\n' | '\r');
    let mime = mime(fields)?;
    (!text.is_empty() && text.chars().all(is_base64)).then_some(Source::Data { mime, base64: text })
}

fn mime(fields: &Fields<'_>) -> Option<String> {
    first(fields, &["mediaType", "media_type", "mimeType", "mime_type"])
}

fn first(fields: &Fields<'_>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| json::text_of(fields, key)).filter(|text| !text.is_empty())
}
