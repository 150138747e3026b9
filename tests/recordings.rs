//! Recorded streams of real agents: they are read whole, and their live shape is their sealed shape.

#![cfg(not(target_arch = "wasm32"))]

#[path = "recordings/shape.rs"]
mod shape;
#[path = "recordings/special.rs"]
mod special;
mod traces;

use std::collections::{BTreeMap, BTreeSet};

use shape::{chunks, events, live_shape, sealed_shape};
use traces::{Folder, RecordedTurn, kimi_code, vercel_ai};
use turnseal::model::{ChunkBody, Event, Part};

#[test]
fn every_file_is_read_or_named_with_its_reason() {
    let Some(root) = traces::root() else { return };
    println!("folder       files  read  skipped  turns  events  chunks");
    for folder in traces::folders(&root) {
        let skipped: Vec<&str> = traces::skipped(folder.name).map(|(file, _)| file).collect();
        for file in &skipped {
            assert!(folder.files.iter().any(|known| known == file), "SKIPPED: no {file} in {}", folder.name);
        }
        let read: BTreeSet<&String> = folder.read.iter().collect();
        let (name, files) = (folder.name, folder.files.len());
        assert_eq!(read.len() + skipped.len(), files, "{name}: a file is neither read nor in SKIPPED");
        let events: usize = turns(&folder).map(|turn| turn.events.len()).sum();
        let chunks: usize = turns(&folder).map(|turn| turn.chunks.len()).sum();
        let (read, skipped, turns) = (read.len(), skipped.len(), turns(&folder).count());
        println!("{name:<12} {files:>5} {read:>5} {skipped:>8} {turns:>6} {events:>7} {chunks:>7}");
        assert!(turns > 0 && events > 0 && chunks > 0, "{name} tells nothing");
    }
    traces::SKIPPED.iter().for_each(|(folder, file, reason)| println!("skipped {folder}/{file}: {reason}"));
}

#[test]
fn every_normalisation_is_counted() {
    let Some(root) = traces::root() else { return };
    let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
    for thread in traces::folders(&root).iter().flat_map(|folder| &folder.threads) {
        thread.notes.iter().for_each(|note| *notes.entry(note).or_default() += 1);
    }
    notes.iter().for_each(|(note, threads)| println!("{threads:>3} threads: {note}"));
    // Notes that take one side's word for the other's: one more of them is to be looked at, not to be counted.
    let taken = [(kimi_code::EDITED, 2), (kimi_code::SHORTENED, 2), (kimi_code::CUT, 7), (vercel_ai::EDITED, 1)];
    taken.iter().for_each(|(note, threads)| assert_eq!(notes.get(note), Some(threads), "{note}"));
}

#[test]
fn every_event_and_chunk_is_understood() {
    let Some(root) = traces::root() else { return };
    for folder in traces::folders(&root) {
        for thread in &folder.threads {
            for turn in &thread.turns {
                let events = events(turn);
                let first = events.first().map(|envelope| &envelope.event);
                let last = events.last().map(|envelope| &envelope.event);
                assert!(matches!(first, Some(Event::TurnStart { .. })), "{}", thread.name);
                assert!(matches!(last, Some(Event::TurnEnd { .. })), "{}", thread.name);
                assert!(events.iter().all(|envelope| envelope.event != Event::Nothing), "{}", thread.name);
                for chunk in chunks(turn) {
                    assert_eq!(chunk.turn.as_str(), turn.turn_id, "{}", thread.name);
                    assert!(!matches!(chunk.body, ChunkBody::Unknown { .. }), "{}: {chunk:?}", thread.name);
                }
            }
            let mut ids: Vec<&str> = thread.turns.iter().map(|turn| turn.turn_id.as_str()).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), thread.turns.len(), "{}: a turn id repeats", thread.name);
        }
    }
}

#[test]
fn the_live_shape_is_the_sealed_shape() {
    let Some(root) = traces::root() else { return };
    println!("folder       threads  turns   text reasoning  tools  other halves");
    let mut wrong = Vec::new();
    for folder in traces::folders(&root) {
        let (mut parts, mut all_halves) = ([0_usize; 4], 0);
        for (thread, turn) in
            folder.threads.iter().flat_map(|thread| thread.turns.iter().map(move |turn| (thread, turn)))
        {
            let (live, halves) = live_shape(turn);
            let sealed = sealed_shape(turn);
            if live != sealed {
                wrong.push(format!("{} {}\n{}", thread.name, turn.turn_id, shape::difference(&live, &sealed)));
            }
            all_halves += halves;
            sealed.values().flatten().for_each(|part| parts[kind(part)] += 1);
        }
        let (name, threads, turns, [text, reasoning, tools, other]) =
            (folder.name, folder.threads.len(), turns(&folder).count(), parts);
        println!("{name:<12} {threads:>7} {turns:>6} {text:>6} {reasoning:>9} {tools:>6} {other:>6} {all_halves:>6}");
        assert!(text > 0, "{name} has no text");
    }
    assert!(wrong.is_empty(), "{} turns differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The column of a part: text, reasoning, tools, other.
fn kind(part: &Part) -> usize {
    match part {
        Part::Text { .. } => 0,
        Part::Reasoning { .. } => 1,
        Part::Tool(_) => 2,
        Part::Opaque(_) | Part::Notice { .. } | Part::Error { .. } => 3,
    }
}

fn turns(folder: &Folder) -> impl Iterator<Item = &RecordedTurn> {
    folder.threads.iter().flat_map(|thread| &thread.turns)
}
