//! Items of OpenAI Responses without state on the server: reasoning, message, all calls, then all outputs (R2, R3, R4).
//!
//! Calls stand without item ids, so a call whose reasoning is not here is accepted (R5); nothing refers to an earlier
//! response (R7).

use super::Filler;
use super::content::{self, Block};
use super::json::{array, quote, write};
use super::log::{Item, Piece, Step, Thinking};
use super::reasoning::{self, ReasoningItem};
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
    let blocks: Vec<String> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text_block("input_text", text),
            Piece::File(json) => block(&content::file(json.as_str())),
        })
        .collect();
    sheet.push(&[("type", "\"message\""), ("role", "\"user\""), ("content", &array(&blocks))]);
}

fn print_step(sheet: &mut Sheet, step: &Step) {
    for (item, summary) in reasoning_items(&step.thinking) {
        print_reasoning(sheet, &item, &summary);
    }
    let said = step.said();
    if !said.is_empty() {
        let content = array(&[text_block("output_text", &said)]);
        sheet.push(&[("type", "\"message\""), ("role", "\"assistant\""), ("content", &content)]);
    }
    for call in &step.calls {
        sheet.flag_call(call);
        sheet.push(&[
            ("type", "\"function_call\""),
            ("call_id", &quote(&call.wire)),
            ("name", &quote(&call.name)),
            ("arguments", &quote(&content::arguments(call))),
        ]);
    }
    for call in &step.calls {
        sheet.flag_result(call);
        sheet.push(&[
            ("type", "\"function_call_output\""),
            ("call_id", &quote(&call.wire)),
            ("output", &output(&content::answer(call).0)),
        ]);
    }
}

/// The items that reasoning rows came from: rows side by side with one id are the summaries of one item.
fn reasoning_items(thinking: &[Thinking]) -> Vec<(ReasoningItem, Vec<&str>)> {
    let mut items: Vec<(ReasoningItem, Vec<&str>)> = Vec::new();
    for thinking in thinking {
        let Some(item) = reasoning::responses(thinking.metadata.as_str()) else { continue };
        match items.last_mut() {
            Some((last, summary)) if last.id.is_some() && last.id == item.id => {
                last.encrypted = item.encrypted.or(last.encrypted.take());
                summary.push(&thinking.text);
            }
            Some(_) | None => items.push((item, vec![&thinking.text])),
        }
    }
    items
}

fn print_reasoning(sheet: &mut Sheet, item: &ReasoningItem, summary: &[&str]) {
    let texts = summary.iter().filter(|text| !text.is_empty());
    let summary = array(&texts.map(|text| text_block("summary_text", text)).collect::<Vec<_>>());
    let (id, encrypted) = (item.id.as_deref().map(quote), item.encrypted.as_deref().map(quote));
    let mut fields = vec![("type", "\"reasoning\"")];
    fields.extend(id.as_deref().map(|id| ("id", id)));
    fields.push(("summary", &summary));
    fields.extend(encrypted.as_deref().map(|encrypted| ("encrypted_content", encrypted)));
    sheet.push(&fields);
}

/// R6: images go as blocks, never as text; without one the output is a string.
fn output(blocks: &[Block]) -> String {
    if blocks.iter().all(|block| matches!(block, Block::Text(_))) {
        return quote(&content::joined(blocks));
    }
    array(&blocks.iter().map(block).collect::<Vec<_>>())
}

fn text_block(kind: &str, text: &str) -> String {
    write(&[("type", &quote(kind)), ("text", &quote(text))])
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => text_block("input_text", text),
        Block::Image(media) => write(&[("type", "\"input_image\""), ("image_url", &quote(&media.source.url()))]),
        Block::Document(media) => match &media.source {
            content::Source::Data { .. } => {
                let name = media.name.as_deref().unwrap_or("document.pdf");
                let data = quote(&media.source.url());
                write(&[("type", "\"input_file\""), ("filename", &quote(name)), ("file_data", &data)])
            }
            content::Source::Url(url) => write(&[("type", "\"input_file\""), ("file_url", &quote(url))]),
        },
    }
}
