//! Messages of Anthropic: roles take turns, and all results of a step open the user message right after it (A1, A2).

use super::Filler;
use super::content::{self, Block, Source};
use super::json::{array, quote, write};
use super::log::{Call, Item, Piece, Step};
use super::reasoning::{self, Thought};
use super::sheet::Sheet;

/// What stands for a user message without any text: the API refuses an empty one, and the message must not be lost.
const NO_TEXT: &str = "(empty message)";

#[derive(Default)]
struct Page {
    sheet: Sheet,
    role: Option<&'static str>,
    blocks: Vec<String>,
}

pub(super) fn print(items: &[Item]) -> (String, Vec<Filler>) {
    let mut page = Page::default();
    for item in items {
        match item {
            Item::User(pieces) => page.user(pieces),
            Item::Step(step) => page.step(step),
        }
    }
    page.turn_to(None);
    page.sheet.done()
}

impl Page {
    fn user(&mut self, pieces: &[Piece]) {
        self.turn_to(Some("user"));
        let blocks: Vec<String> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Text(text) => text_block(text),
                Piece::File(json) => block(&content::file(json.as_str())),
            })
            .collect();
        if blocks.is_empty() {
            self.blocks.extend(text_block(NO_TEXT));
        }
        self.blocks.extend(blocks);
    }

    fn step(&mut self, step: &Step) {
        self.turn_to(Some("assistant"));
        // A5: thinking goes back whole, in order, before the calls that it led to.
        self.blocks.extend(step.thinking.iter().filter_map(|thinking| {
            reasoning::anthropic(thinking.metadata.as_str()).map(|thought| thought_block(thought, &thinking.text))
        }));
        self.blocks.extend(step.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => text_block(text),
            // An assistant of this API writes no files: a line names it.
            Piece::File(json) => text_block(&content::joined(&[content::file(json.as_str())])),
        }));
        for call in &step.calls {
            self.sheet.flag_call(call);
            self.blocks.push(write(&[
                ("type", "\"tool_use\""),
                ("id", &quote(&call.wire)),
                ("name", &quote(&call.name)),
                ("input", &content::arguments(call)),
            ]));
        }
        if !step.calls.is_empty() {
            self.turn_to(Some("user"));
        }
        for call in &step.calls {
            self.sheet.flag_result(call);
            self.blocks.push(result_block(call));
        }
    }

    /// Closes the message of the other role.
    fn turn_to(&mut self, role: Option<&'static str>) {
        if self.role == role {
            return;
        }
        if let Some(role) = self.role
            && !self.blocks.is_empty()
        {
            let blocks = std::mem::take(&mut self.blocks);
            self.sheet.push(&[("role", &quote(role)), ("content", &array(&blocks))]);
        }
        self.role = role;
    }
}

/// The API refuses a text that is blank.
fn text_block(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| write(&[("type", "\"text\""), ("text", &quote(text))]))
}

fn thought_block(thought: Thought, text: &str) -> String {
    match thought {
        Thought::Signed(signature) => {
            write(&[("type", "\"thinking\""), ("thinking", &quote(text)), ("signature", &quote(&signature))])
        }
        Thought::Redacted(data) => write(&[("type", "\"redacted_thinking\""), ("data", &quote(&data))]),
    }
}

fn block(block: &Block) -> Option<String> {
    let (kind, media) = match block {
        Block::Text(text) => return text_block(text),
        Block::Image(media) => ("\"image\"", media),
        Block::Document(media) => ("\"document\"", media),
    };
    let source = match &media.source {
        Source::Data { mime, base64 } => {
            write(&[("type", "\"base64\""), ("media_type", &quote(mime)), ("data", &quote(base64))])
        }
        Source::Url(url) => write(&[("type", "\"url\""), ("url", &quote(url))]),
    };
    Some(write(&[("type", kind), ("source", &source)]))
}

/// A4: the content is one string, or blocks.
fn result_block(call: &Call) -> String {
    let (blocks, is_error) = content::answer(call);
    let told = match blocks.as_slice() {
        [Block::Text(text)] => quote(text),
        blocks => array(&blocks.iter().filter_map(block).collect::<Vec<_>>()),
    };
    let id = quote(&call.wire);
    let mut fields = vec![("type", "\"tool_result\""), ("tool_use_id", id.as_str()), ("content", told.as_str())];
    if is_error {
        fields.push(("is_error", "true"));
    }
    write(&fields)
}
