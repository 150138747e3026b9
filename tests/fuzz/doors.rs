//! The doors that take foreign input, and what must hold behind each.

use serde_json::value::RawValue;
use turnseal::model::{Body, Chunk, Envelope, Event, Intent, Part};
use turnseal::store::{Answer, Command, Effect, Input, Limits, Store};
use turnseal::transcript::{self, Options, Vendor};
use turnseal::wire;

const VENDORS: [Vendor; 4] = [Vendor::Anthropic, Vendor::OpenaiChat, Vendor::OpenaiResponses, Vendor::Neutral];

/// True where one of the doors takes the whole text.
pub fn takes(text: &str) -> bool {
    let decoded = wire::decode(text.as_bytes());
    (decoded.refused.is_empty() && !decoded.events.is_empty())
        || wire::page(text).is_ok()
        || chunks(text).is_some_and(|chunks| !chunks.is_empty())
        || text.contains("\"threads\"") && serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// All pieces through all doors.
pub fn all(pieces: &[Vec<u8>], seed: u64) -> Result<(), String> {
    for piece in pieces {
        comes_back(piece)?;
        let text = String::from_utf8_lossy(piece);
        projects(&text)?;
    }
    store(pieces, seed)?;
    #[cfg(feature = "wasm")]
    binding(pieces)?;
    Ok(())
}

/// What was taken is written and read again without a change.
fn comes_back(piece: &[u8]) -> Result<(), String> {
    // An event that is refused is taken as nothing, so that its number counts.
    let whole = |envelope: &Envelope| envelope.event != Event::Nothing;
    for envelope in wire::decode(piece).events.into_iter().filter(whole) {
        let said = wire::encode::event(&envelope);
        let (again, refused) = wire::event(&said);
        if refused.is_some() || again.as_ref() != Some(&envelope) {
            return Err(format!("{envelope:?} is written as {said} and read as {again:?} {refused:?}"));
        }
    }
    Ok(())
}

/// A piece as rows of a log: an array of chunks, or a page.
fn chunks(text: &str) -> Option<Vec<Chunk>> {
    if let Ok(page) = wire::page(text) {
        return Some(page.chunks);
    }
    let rows: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(rows.into_iter().filter_map(|row| wire::chunk(row.get()).ok()).collect())
}

/// L13: whatever a log holds, what a model is told of it breaks no rule; and a foreign transcript is only judged.
fn projects(text: &str) -> Result<(), String> {
    for vendor in VENDORS {
        _ = transcript::check(text, vendor);
        let Some(rows) = chunks(text) else { continue };
        let told = transcript::project(&rows, &Options { vendor, execution: None });
        if let Some(problem) = told.problems.first() {
            return Err(format!("L13: {} is told what it refuses: {problem}", vendor.name()));
        }
    }
    Ok(())
}

/// A store with a typed message takes everything, as events and as answers, and keeps its laws and the message.
fn store(pieces: &[Vec<u8>], seed: u64) -> Result<(), String> {
    let mut store = Store::new(Limits { window: 4, page: 2, threads: 8 });
    let main = || "main".into();
    let mut asked: Vec<_> = Vec::new();
    let mut run = |store: &mut Store, input: Input| {
        let effects = store.apply(input);
        asked.extend(effects.into_iter().filter_map(|effect| match effect {
            Effect::Request { request, .. } => Some(request),
            _ => None,
        }));
        let answered = asked.len() > 3;
        (store.laws(), answered.then(|| asked.remove(0)))
    };
    let body = Body::text("my words");
    let typed = Command::Send { client: "mine".into(), body, intent: Intent::Queue };
    run(&mut store, Input::Command { thread: main(), command: Command::Open }).0?;
    run(&mut store, Input::Command { thread: main(), command: typed }).0?;
    for (at, piece) in pieces.iter().enumerate() {
        let text = String::from_utf8_lossy(piece);
        let mut inputs: Vec<Input> = wire::decode(piece).events.into_iter().map(Input::Event).collect();
        if (seed + at as u64).is_multiple_of(3) {
            let command = Command::ScrolledUp(seed.is_multiple_of(2));
            inputs.push(Input::Command { thread: main(), command });
        }
        let page = wire::page(&text).ok();
        for input in inputs {
            let (laws, request) = run(&mut store, input);
            laws?;
            if let (Some(request), Some(page)) = (request, &page) {
                run(&mut store, Input::Answer { request, answer: Answer::Page(page.clone()) }).0?;
            }
        }
    }
    let named = pieces.iter().any(|piece| piece.windows(4).any(|window| window == b"mine" || window == b"\\u00"));
    let groups = store.groups(&main());
    let words = |part: &Part| matches!(part, Part::Text { text } if text.contains("my words"));
    let shown = groups.iter().filter(|group| group.parts.iter().any(words)).count();
    // Somebody who knows its name may say that it arrived, and what it says now.
    if shown == 1 || named { Ok(()) } else { Err(format!("L1: what was typed is shown {shown} times")) }
}

/// The binding: frames, events, inputs, saved states; patches are JSON, and what is put aside is taken up again.
#[cfg(feature = "wasm")]
fn binding(pieces: &[Vec<u8>]) -> Result<(), String> {
    let mut core = turnseal::wasm::Core::new("{\"window\":4,\"page\":2}");
    // Opaque JSON stays as it came: it may hold half a surrogate pair, which JavaScript reads and a Rust string does not.
    let json = |text: &str| serde_json::from_str::<&RawValue>(text).map(drop).map_err(|why| format!("{why}: {text}"));
    for piece in pieces {
        let text = String::from_utf8_lossy(piece);
        core.message_bytes(piece.clone());
        core.message(text.clone().into_owned());
        core.event(&text);
        core.input(&text);
        core.input(&format!("{{\"type\":\"hydrate\",\"state\":{text}}}"));
        core.grow(&text, -1.0, 1);
        for thread in ["main", "a", ""] {
            let patch = core.patch(thread);
            if !patch.is_empty() {
                json(&patch)?;
            }
        }
        json(&core.effects())?;
        json(&core.diagnostics())?;
        _ = turnseal::wasm::transcript::transcript(&text, &text);
    }
    let saved = core.dehydrate();
    json(&saved)?;
    let mut again = turnseal::wasm::Core::new("{\"window\":4,\"page\":2}");
    again.input(&format!("{{\"type\":\"hydrate\",\"state\":{saved}}}"));
    json(&again.dehydrate())
}
