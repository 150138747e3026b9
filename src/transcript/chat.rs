//! Chat completions: one `tool` message for each id directly after the calls (O1, O2), text in it and images behind (O3).

use super::Filler;
use super::content::{self, Block};
use super::json::{array, quote, write};
use super::log::{Item, Piece, Step};
use super::reasoning;
use super::sheet::Sheet;

pub(super) fn print(items: &[Item]) -> (String, Vec<Filler>) {
    let mut sheet = Sheet::default();
    for item in items {
        match item {
            Item::User(pieces) => user(&mut sheet, pieces),
            Item::Step(step) => print_step(&mut sheet, step),
        }
    }
    sheet.done()
}

fn user(sheet: &mut Sheet, pieces: &[Piece]) {
    if let [Piece::Text(text)] = pieces {
        return sheet.push(&[("role", "\"user\""), ("content", &quote(text))]);
    }
    let blocks: Vec<String> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text_block(text),
            Piece::File(json) => block(&content::file(json.as_str())),
        })
        .collect();
    sheet.push(&[("role", "\"user\""), ("content", &array(&blocks))]);
}

fn print_step(sheet: &mut Sheet, step: &Step) {
    let said = step.said();
    let said = if said.is_empty() { "null".to_owned() } else { quote(&said) };
    // O4: a model that thinks aloud wants its thoughts back where it calls tools.
    let thoughts: Vec<&str> = step
        .thinking
        .iter()
        .filter(|thinking| step.tool_turn && reasoning::is_chat(thinking.metadata.as_str()))
        .map(|thinking| thinking.text.as_str())
        .collect();
    let thoughts = (!thoughts.is_empty()).then(|| quote(&thoughts.join("\n\n")));
    let calls: Vec<String> = step
        .calls
        .iter()
        .map(|call| {
            sheet.flag_call(call);
            let function = write(&[("name", &quote(&call.name)), ("arguments", &quote(&content::arguments(call)))]);
            write(&[("id", &quote(&call.wire)), ("type", "\"function\""), ("function", &function)])
        })
        .collect();
    let calls = (!calls.is_empty()).then(|| array(&calls));
    let mut fields = vec![("role", "\"assistant\""), ("content", said.as_str())];
    fields.extend(thoughts.as_deref().map(|thoughts| ("reasoning_content", thoughts)));
    fields.extend(calls.as_deref().map(|calls| ("tool_calls", calls)));
    sheet.push(&fields);
    results(sheet, step);
}

fn results(sheet: &mut Sheet, step: &Step) {
    let mut images: Vec<String> = Vec::new();
    for call in &step.calls {
        let (blocks, _) = content::answer(call);
        sheet.flag_result(call);
        let told = quote(&content::joined(&blocks));
        sheet.push(&[("role", "\"tool\""), ("tool_call_id", &quote(&call.wire)), ("content", &told)]);
        let seen: Vec<String> = blocks
            .iter()
            .filter_map(|told| match told {
                Block::Text(_) => None,
                Block::Image(_) | Block::Document(_) => Some(block(told)),
            })
            .collect();
        if !seen.is_empty() {
            images.push(text_block(&format!("From the result of tool call {}:", call.wire)));
            images.extend(seen);
        }
    }
    if !images.is_empty() {
        sheet.push(&[("role", "\"user\""), ("content", &array(&images))]);
    }
}

fn text_block(text: &str) -> String {
    write(&[("type", "\"text\""), ("text", &quote(text))])
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => text_block(text),
        Block::Image(media) => {
            let url = write(&[("url", &quote(&media.source.url()))]);
            write(&[("type", "\"image_url\""), ("image_url", &url)])
        }
        Block::Document(media) => match &media.source {
            content::Source::Data { .. } => {
                let name = media.name.as_deref().unwrap_or("document.pdf");
                let file = write(&[("filename", &quote(name)), ("file_data", &quote(&media.source.url()))]);
                write(&[("type", "\"file\""), ("file", &file)])
            }
            // This API takes no links to documents.
            content::Source::Url(url) => text_block(&format!("[document: {url}]")),
        },
    }
}
