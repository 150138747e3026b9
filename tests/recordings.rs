//! Recorded streams of real agents: they are read whole, and their live shape is their sealed shape.

mod shape;
mod traces;

use std::collections::BTreeMap;

use shape::{chunks, events, live_shape, sealed_shape};
use traces::{Folder, RecordedTurn};
use turnseal::model::{ChunkBody, Event, Part};

#[test]
fn every_file_is_read_or_named_with_its_reason() {
    let Some(root) = traces::root() else { return };
    let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
    println!(
        "{:<12} {:>5} {:>5} {:>8} {:>6} {:>7} {:>7}",
        "folder", "files", "read", "skipped", "turns", "events", "chunks"
    );
    for folder in traces::folders(&root) {
        folder.threads.iter().flat_map(|thread| &thread.notes).for_each(|note| *notes.entry(note).or_default() += 1);
        let skipped: Vec<_> = traces::SKIPPED.iter().filter(|(name, ..)| *name == folder.name).collect();
        for (_, file, _) in &skipped {
            assert!(
                folder.files.iter().any(|known| known == file),
                "SKIPPED names {file}, which is not in {}",
                folder.name
            );
        }
        let mut read = folder.read.clone();
        read.sort();
        read.dedup();
        assert_eq!(
            read.len() + skipped.len(),
            folder.files.len(),
            "{}: a file is neither read nor in SKIPPED",
            folder.name
        );
        let turns: Vec<&RecordedTurn> = turns(&folder).collect();
        let events: usize = turns.iter().map(|turn| turn.events.len()).sum();
        let chunks: usize = turns.iter().map(|turn| turn.chunks.len()).sum();
        println!(
            "{:<12} {:>5} {:>5} {:>8} {:>6} {events:>7} {chunks:>7}",
            folder.name,
            folder.files.len(),
            read.len(),
            skipped.len(),
            turns.len()
        );
        assert!(!turns.is_empty() && events > 0 && chunks > 0, "{} tells nothing", folder.name);
    }
    println!();
    for (note, threads) in notes {
        println!("{threads:>3} threads: {note}");
    }
    for (folder, file, reason) in traces::SKIPPED {
        println!("skipped {folder}/{file}: {reason}");
    }
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
    println!(
        "{:<12} {:>7} {:>6} {:>6} {:>9} {:>6} {:>6} {:>6}",
        "folder", "threads", "turns", "text", "reasoning", "tools", "other", "halves"
    );
    let mut wrong = Vec::new();
    for folder in traces::folders(&root) {
        let mut counts = [0_usize; 5];
        for thread in &folder.threads {
            for turn in &thread.turns {
                let (live, halves) = live_shape(turn);
                let sealed = sealed_shape(turn);
                if live != sealed {
                    wrong.push(format!("{} {}\n{}", thread.name, turn.turn_id, shape::difference(&live, &sealed)));
                }
                counts[4] += halves;
                for part in sealed.values().flatten() {
                    counts[match part {
                        Part::Text { .. } => 0,
                        Part::Reasoning { .. } => 1,
                        Part::Tool(_) => 2,
                        Part::Opaque(_) | Part::Notice { .. } | Part::Error { .. } => 3,
                    }] += 1;
                }
            }
        }
        let [text, reasoning, tools, other, halves] = counts;
        let turns = turns(&folder).count();
        println!(
            "{:<12} {:>7} {turns:>6} {text:>6} {reasoning:>9} {tools:>6} {other:>6} {halves:>6}",
            folder.name,
            folder.threads.len()
        );
    }
    assert!(wrong.is_empty(), "{} turns differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn turns(folder: &Folder) -> impl Iterator<Item = &RecordedTurn> {
    folder.threads.iter().flat_map(|thread| &thread.turns)
}
