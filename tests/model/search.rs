//! Visits the states of each model, tells how many there were, and prints what breaks a law as a scenario.

use stateright::{Checker, Model};

use crate::bounds::{ALL, Bounds};
use crate::play::{Trouble, World};
use crate::script::Line;
use crate::thread::Thread;

/// Steps in each model, where `STATES` says nothing; no visit is shorter.
const STATES: usize = 1500;

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

/// L1 to L8.
#[test]
fn every_state_keeps_the_laws() {
    let wanted = std::env::var("MODELS").unwrap_or_default();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.split(',').any(|word| word == name);
    let chosen: Vec<&Bounds> = ALL.iter().filter(|bounds| is_wanted(bounds.name)).collect();
    assert!(!chosen.is_empty(), "there is no model {wanted}");
    let most = number("STATES").unwrap_or(STATES).max(STATES);
    let broken: Vec<String> = chosen.into_iter().flat_map(|bounds| visit(bounds, most)).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

fn visit(bounds: &Bounds, most: usize) -> Vec<String> {
    let model = Thread::new(bounds).unwrap_or_else(|why| panic!("{}: {why}", bounds.name));
    let setup = model.setup().to_vec();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let checker = model.checker().threads(threads).target_state_count(most).spawn_dfs().join();
    let (states, steps, depth) = (checker.unique_state_count(), checker.state_count(), checker.max_depth());
    let whole = if steps < most { "all of them" } else { "not all" };
    println!("model {}: {states} states, {whole}; {steps} steps, depth {depth}: {}", bounds.name, bounds.about);
    let mut broken = Vec::new();
    for (law, path) in checker.discoveries() {
        let lines = path.into_actions().into_iter().filter_map(|act| act.line);
        print(bounds.name, law, &setup.iter().cloned().chain(lines).collect::<Vec<_>>());
        broken.push(format!("{}: {law}", bounds.name));
    }
    assert!(states > 30 || !broken.is_empty(), "{} visits {states} states", bounds.name);
    broken
}

/// Plays lines; `Some` where a law breaks, with what was played until then. What cannot be played is left out.
fn replay(lines: &[Line]) -> Option<(Vec<Line>, String)> {
    let mut world = World::new();
    let mut played = Vec::new();
    for line in lines {
        let mut next = world.clone();
        match Thread::play(&mut next, line) {
            Ok(()) => {}
            Err(Trouble::Cannot(_)) => continue,
            Err(Trouble::Broken(why)) => {
                played.push(line.clone());
                if world.play(line).is_ok() {
                    played.push(Line::verb("again"));
                }
                return Some((played, why));
            }
        }
        world = next;
        played.push(line.clone());
    }
    played.push(Line::verb("quiet"));
    Thread::rest(&mut world).err().map(|why| (played, why.why().to_owned()))
}

/// Leaves out lines as long as the same law breaks.
fn shrink(mut lines: Vec<Line>, law: &str) -> Vec<Line> {
    let breaks = |lines: &[Line]| replay(lines).is_some_and(|(_, why)| why.starts_with(law));
    for at in (0..lines.len()).rev() {
        let mut fewer = lines.clone();
        fewer.remove(at);
        if breaks(&fewer) {
            lines = fewer;
        }
    }
    lines
}

/// Prints what breaks a law as a scenario to paste.
fn print(model: &str, law: &str, lines: &[Line]) {
    let found = replay(lines).map_or(law.to_owned(), |(_, why)| why.split(':').next().unwrap_or(law).to_owned());
    let Some((played, why)) = replay(&shrink(lines.to_vec(), &found)) else { return };
    println!("\n# {}\n# Found in the model {model}.", why.replace('\n', "\n# "));
    played.iter().for_each(|line| println!("{}", line.draw()));
    println!();
}
