//! Bytes that no honest server sends: a small corpus, changed at random, goes through every door that takes foreign input.
//! Nothing panics, nothing that a user typed is lost, and what the decoder takes it gives back.
//!
//! `RUNS=200000 cargo test --release --all-features --test fuzz -- --nocapture` is the long run; `SEED=7` plays one.

#[allow(dead_code)]
#[path = "../interleavings/dice.rs"]
mod dice;
mod doors;
mod mutate;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use dice::Dice;

/// Runs where `RUNS` says nothing.
const RUNS: u64 = 3000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The corpus, in the order of its names: what honest servers and hosts say, one piece a file.
fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn what_is_whole_is_taken() {
    for piece in corpus() {
        let text = String::from_utf8(piece).unwrap();
        assert!(doors::takes(&text), "nothing takes {text}");
    }
}

#[test]
fn nothing_that_comes_in_breaks_anything() {
    let corpus = corpus();
    let first = number("SEED").unwrap_or(1);
    let runs = number("RUNS").unwrap_or(if number("SEED").is_some() { 1 } else { RUNS });
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let play = |seed: u64| {
        let mut dice = Dice::new(seed);
        let pieces: Vec<Vec<u8>> = (0..1 + dice.roll(6)).map(|_| mutate::piece(&mut dice, &corpus)).collect();
        catch_unwind(|| doors::all(&pieces, seed)).unwrap_or_else(|_| Err("it panics".to_owned())).map_err(|why| {
            let said: Vec<String> = pieces.iter().map(|piece| piece.escape_ascii().to_string()).collect();
            format!("SEED={seed}: {why}\n{}", said.join("\n"))
        })
    };
    let work = |from: u64| (first + from..first + runs).step_by(threads as usize).find_map(|seed| play(seed).err());
    let found: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|from| scope.spawn(move || work(from))).collect();
        all.into_iter().filter_map(|one| one.join().unwrap()).collect()
    });
    println!("fuzz: seeds {first} to {}, {} failed", first + runs - 1, found.len());
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}
