//! Random runs: whatever comes, in whatever order, the laws of the engine hold after every line.
//!
//! `RUNS=100000 cargo test --release --test machine random` plays as many; `SEED=7` plays one. A run that fails is
//! shortened and printed as a scenario to paste.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use turnseal::engine::{Effect, Engine};
use turnseal::model::{Outcome, TurnId};
use turnseal::transcript::{self, Vendor};

use crate::checks::{self, at_rest, check};
use crate::dice::Dice;
use crate::guess::{MACHINES, Seen};
use crate::play::Play;
use crate::script::Line;

pub const VENDORS: [Vendor; 4] = [Vendor::Anthropic, Vendor::OpenaiChat, Vendor::OpenaiResponses, Vendor::Neutral];

/// E61, E62, E63, and L9 to L13 by the watch and the checks. All cores play.
#[test]
fn random_runs() {
    let seeds = seeds(400);
    println!("random: seeds {seeds:?}");
    let (next, failed) = (AtomicU64::new(seeds.start), Mutex::new(None));
    let work = || {
        while failed.lock().unwrap().is_none() {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !seeds.contains(&seed) {
                break;
            }
            if let Err(told) = one(seed) {
                *failed.lock().unwrap() = Some(told);
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // The last one plays here: where there are no threads, it is the only one.
    std::thread::scope(|scope| {
        (1..cores).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    assert!(failed.lock().unwrap().is_none(), "{}", failed.into_inner().unwrap().unwrap_or_default());
}

/// Plays one seed. Where it fails, the scenario to paste is the error.
fn one(seed: u64) -> Result<(), String> {
    let (machine, lines) = made(seed, 60, seed.is_multiple_of(3));
    played(&machine, &lines).map(drop).map_err(|error| {
        let short = shortened(&machine, lines);
        let error = played(&machine, &short).err().unwrap_or(error);
        format!("seed {seed}: {error}\n\nmachine engine {machine}\n{}\n", short.join("\n"))
    })
}

/// E65 and L14: the same lines give the same state, the same effects and the same bytes for every model.
#[test]
fn equal_input_equal_state() {
    for seed in share(60) {
        let (machine, lines) = made(seed, 60, false);
        let once = trace(&machine, &lines);
        assert_eq!(once, trace(&machine, &lines), "seed {seed}");
    }
}

/// E54: the numbers of events have no gap and no repeat.
#[test]
fn events_are_numbered_without_gaps() {
    for seed in share(60) {
        let (machine, lines) = made(seed, 60, false);
        let (effects, ..) = trace(&machine, &lines);
        let numbers = effects.iter().filter_map(|effect| match effect {
            Effect::Publish(envelope) => envelope.n,
            _ => None,
        });
        assert!(numbers.eq(1..=effects.iter().filter(|effect| matches!(effect, Effect::Publish(_))).count() as u64));
    }
}

/// L12: in whatever order several models settle, the thread is the same behind it: outcome, queue, rows.
#[test]
fn settle_order_is_irrelevant() {
    for seed in share(200) {
        let mut dice = Dice::new(seed);
        let mut lines = vec!["send a \"1\"".to_owned()];
        for _ in 0..dice.below(12) {
            let execution = dice.pick(&["main:1.1", "main:1.2", "main:1.3"]);
            let call = dice.pick(&["c1", "c2"]);
            lines.push(match dice.below(6) {
                0 => format!("delta {execution} \"a\""),
                1 => format!("ask {execution} {call} run"),
                2 => format!("tool-call {execution} {call} run"),
                3 => format!("send m{0} \"1{0}\"", lines.len()),
                4 => format!("steer s{0} \"2{0}\"", lines.len()),
                _ => format!("approve {call}"),
            });
        }
        let mut how = || dice.pick(&["done", "error \"bad\"", "aborted"]);
        let ends = [1, 2, 3].map(|place| format!("execution-end main:1.{place} {}", how()));
        let machine = "models=x,y,z".to_owned();
        let mut found = None;
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut all = lines.clone();
            all.extend(order.map(|index| ends[index].clone()));
            let play = played(&machine, &all).unwrap();
            let behind = (checks::behind(&play), play.engine.meta(&play.thread).open);
            match &found {
                Some(known) => assert_eq!(*known, behind, "seed {seed}: {all:?}"),
                None => found = Some(behind),
            }
        }
    }
}

/// E60, S5: what a sealed turn leaves behind is bounded.
#[test]
fn memory_does_not_grow_with_sealed_turns() {
    let mut play = Play::new(options(""), false);
    let mut size = |turns: std::ops::Range<usize>| {
        for turn in turns {
            for line in [
                format!("send m{turn:05} \"1\" client=k{turn:05}"),
                format!("delta main:{turn}.1 \"hello\""),
                format!("tool-call main:{turn}.1 c1 run"),
                format!("step-end main:{turn}.1"),
                format!("tool-result main:{turn} c1 \"ok\""),
                format!("execution-end main:{turn}.1 done"),
                format!("persisted main:{turn}"),
            ] {
                play.line(&parsed(&line)).unwrap();
            }
        }
        format!("{:?}", play.engine).len()
    };
    let (first, then) = (size(1..1601), size(1601..2601));
    // Numbers get longer.
    assert!(then <= first + first / 50, "{first} then {then}");
}

fn seeds(few: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    if let Some(seed) = number("SEED") {
        return seed..seed + 1;
    }
    1..number("RUNS").unwrap_or(few) + 1
}

/// The others ride along.
fn share(few: u64) -> std::ops::Range<u64> {
    let all = seeds(few);
    all.start..all.end.min(all.start + few.max(all.end / 50))
}

fn options(machine: &str) -> turnseal::engine::Options {
    crate::options::options(&parsed(&format!("machine engine {machine}"))).unwrap()
}

fn parsed(line: &str) -> Line {
    Line::parse(1, line).unwrap().unwrap()
}

/// The lines of a run. They are made while it is played, so that most of them make sense.
fn made(seed: u64, count: usize, crashes: bool) -> (String, Vec<String>) {
    let mut dice = Dice::new(seed);
    let machine = dice.pick(MACHINES).to_owned();
    let mut play = Play::new(options(&machine), dice.below(2) == 0);
    let (mut seen, mut lines) = (Seen::default(), Vec::new());
    let machine = if play.manual() { format!("{machine} log=manual") } else { machine };
    while lines.len() < count {
        let line = seen.line(&mut dice, &play);
        if line == "crash" && !crashes {
            continue;
        }
        let failed = play.line(&parsed(&line)).is_err();
        seen.take(play.effects());
        lines.push(line);
        if failed {
            break;
        }
    }
    (machine, lines)
}

/// Plays lines, with every check behind each.
fn played(machine: &str, lines: &[String]) -> Result<Play, String> {
    let mut play = Play::new(options(machine), machine.contains("log=manual"));
    let mut turns: BTreeMap<TurnId, Option<Outcome>> = BTreeMap::new();
    let mut gone: BTreeSet<TurnId> = BTreeSet::new();
    for line in lines {
        let before = play.engine.clone();
        play.line(&parsed(line)).map_err(|error| format!("`{line}`: {error}"))?;
        check(&play, &before, &mut turns, &mut gone).map_err(|error| format!("`{line}`: {error}"))?;
    }
    at_rest(play.clone())?;
    Ok(play)
}

/// All effects of a run, the state behind it, and what each vendor is told then.
fn trace(machine: &str, lines: &[String]) -> (Vec<Effect>, Engine, Vec<String>) {
    let mut play = Play::new(options(machine), machine.contains("log=manual"));
    let mut effects = Vec::new();
    for line in lines {
        play.line(&parsed(line)).unwrap();
        effects.extend(play.effects().iter().cloned());
    }
    let rows = play.paper.told();
    let told =
        VENDORS.map(|vendor| transcript::project(&rows, &transcript::Options { vendor, execution: None }).messages);
    (effects, play.engine, told.to_vec())
}

/// Leaves out what a failure does not need.
fn shortened(machine: &str, mut lines: Vec<String>) -> Vec<String> {
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(at..(at + size).min(lines.len()));
            if played(machine, &fewer).is_err() { lines = fewer } else { at += size }
        }
        size /= 2;
    }
    lines
}
