//! Random runs: whatever comes, in whatever order, the laws of the engine hold after every line.
//!
//! `RUNS=100000 cargo test --release --test machine random` plays as many; `SEED=7` plays one. A run that fails is
//! shortened and printed as a scenario to paste.

use std::collections::{BTreeMap, BTreeSet};

use turnseal::engine::{Effect, Engine};
use turnseal::model::{ExecutionId, MessageId, Outcome, Phase, Snapshot, TurnId};
use turnseal::transcript::{self, Vendor};

use crate::dice::Dice;
use crate::guess::{MACHINES, Seen};
use crate::play::Play;
use crate::script::Line;
use crate::watch::{Fate, Place};
use crate::{lines, verbs};

const VENDORS: [Vendor; 4] = [Vendor::Anthropic, Vendor::OpenaiChat, Vendor::OpenaiResponses, Vendor::Neutral];

/// E61, E62, E63, and L9 to L11 by the watch.
#[test]
fn random_runs() {
    for seed in seeds(400) {
        let (machine, lines) = made(seed, 60, false);
        if let Err(error) = played(&machine, &lines) {
            let short = shortened(&machine, lines);
            let error = played(&machine, &short).err().unwrap_or(error);
            panic!("seed {seed}: {error}\n\nmachine engine {machine}\n{}\n", short.join("\n"));
        }
    }
}

/// E65 and L14: the same lines give the same state, the same effects and the same bytes for every model.
#[test]
fn equal_input_equal_state() {
    for seed in seeds(60) {
        let (machine, lines) = made(seed, 60, false);
        let once = trace(&machine, &lines);
        assert_eq!(once, trace(&machine, &lines), "seed {seed}");
    }
}

/// E54: the numbers of events have no gap and no repeat.
#[test]
fn events_are_numbered_without_gaps() {
    for seed in seeds(60) {
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
    for seed in seeds(200) {
        let mut dice = Dice::new(seed);
        let mut lines = vec!["send a \"1\"".to_owned()];
        for _ in 0..dice.below(12) {
            let execution = dice.pick(&["main:1.1", "main:1.2", "main:1.3"]);
            let call = dice.pick(&["c1", "c2"]);
            lines.push(match dice.below(6) {
                0 => format!("delta {execution} \"a\""),
                1 => format!("ask {execution} {call} run"),
                2 => format!("tool-call {execution} {call} run"),
                3 => format!("send m{} \"2\"", lines.len()),
                4 => format!("steer s{} \"3\"", lines.len()),
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
            // How many events it took tells how the calls of each were closed, and is no decision.
            let meta = turnseal::engine::Meta { n: 0, ..play.engine.meta(&play.thread) };
            let told = VENDORS.map(|vendor| {
                transcript::project(&play.paper.told(), &transcript::Options { vendor, execution: None }).messages
            });
            let behind = (lines::phases(&play.snapshot()), meta, told);
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
    // The others cost more a run, and ride along.
    1..number("RUNS").unwrap_or(few) + 1
}

fn options(machine: &str) -> turnseal::engine::Options {
    verbs::options(&parsed(&format!("machine engine {machine}"))).unwrap()
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
    Ok(play)
}

fn check(
    play: &Play,
    before: &Engine,
    turns: &mut BTreeMap<TurnId, Option<Outcome>>,
    gone: &mut BTreeSet<TurnId>,
) -> Result<(), String> {
    let is_report = |effect: &Effect| match effect {
        Effect::Diagnostic(it) => it.code.as_str() != "persist-failed",
        Effect::Answer(answer) => matches!(answer.status.as_str(), "stale" | "refused"),
        _ => false,
    };
    let effects = play.effects();
    if !effects.is_empty() && effects.iter().all(is_report) && play.engine != *before {
        return Err("E61: a refused input changed the state".to_owned());
    }
    let snapshot = play.snapshot();
    forward(&snapshot, turns, gone)?;
    conserved(play, &snapshot)?;
    if effects.iter().any(|effect| matches!(effect, Effect::Request { .. })) { told(play) } else { Ok(()) }
}

/// E61: a turn runs, has an end, is gone; never back.
fn forward(
    snapshot: &Snapshot,
    turns: &mut BTreeMap<TurnId, Option<Outcome>>,
    gone: &mut BTreeSet<TurnId>,
) -> Result<(), String> {
    for turn in &snapshot.turns {
        let known = turns.insert(turn.turn.clone(), turn.outcome);
        if let Some(Some(outcome)) = known
            && turn.outcome != Some(outcome)
        {
            return Err(format!("E61: {} was {outcome:?} and is {:?}", turn.turn, turn.outcome));
        }
        if gone.contains(&turn.turn) {
            return Err(format!("E61: {} was sealed and is back", turn.turn));
        }
        if (turn.phase == Phase::Ended) != turn.outcome.is_some() {
            return Err(format!("E61: {} is {:?} with {:?}", turn.turn, turn.phase, turn.outcome));
        }
    }
    let listed: BTreeSet<&TurnId> = snapshot.turns.iter().map(|turn| &turn.turn).collect();
    gone.extend(turns.keys().filter(|turn| !listed.contains(turn)).cloned());
    Ok(())
}

/// E62: every message is in one place, and every open call of the running turn is one that somebody waits for.
fn conserved(play: &Play, snapshot: &Snapshot) -> Result<(), String> {
    let listed: BTreeSet<&MessageId> = snapshot.queue.iter().flatten().map(|item| &item.message).collect();
    let booked: BTreeSet<&MessageId> =
        play.watch().messages.iter().filter(|(_, place)| **place == Place::Queued).map(|(id, _)| id).collect();
    if listed != booked {
        return Err(format!("E62: the queue is {listed:?}, by the events it is {booked:?}"));
    }
    let running = snapshot.turns.iter().find(|turn| turn.outcome.is_none());
    for ((execution, _, call), fate) in &play.watch().calls {
        let ours = running.is_some_and(|turn| execution.as_str().starts_with(&format!("{}.", turn.turn)));
        if *fate == Fate::Open && !ours && running.is_some() {
            let unsealed = snapshot.turns.iter().any(|turn| execution.as_str().starts_with(&format!("{}.", turn.turn)));
            if !unsealed {
                return Err(format!("E62: {call} of {execution} has neither result nor filler"));
            }
        }
    }
    Ok(())
}

/// E63: what a model is told breaks no rule of its vendor, in any state in which one is asked.
fn told(play: &Play) -> Result<(), String> {
    let rows = play.paper.told();
    for effect in play.effects() {
        let Effect::Request { execution, .. } = effect else { continue };
        for vendor in VENDORS {
            let options = transcript::Options { vendor, execution: Some(ExecutionId::new(execution.as_str())) };
            if let Some(problem) = transcript::project(&rows, &options).problems.first() {
                return Err(format!("E63: {} for {execution}: {problem}", vendor.name()));
            }
        }
    }
    Ok(())
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
