//! Random interleavings: two or three clients, every fault that a network has, all laws after every input, L8 at rest.
//! `RUNS=100000 cargo test --release --test interleavings` is the long run; `SEED=7` plays one and prints it if it fails.

#[path = "interleavings/dice.rs"]
mod dice;
#[path = "interleavings/generate.rs"]
mod generate;
#[allow(dead_code)]
mod laws;
#[allow(dead_code)]
mod paper;
#[allow(dead_code)]
mod play;
#[allow(dead_code)]
mod script;
#[path = "interleavings/setup.rs"]
mod setup;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use dice::Dice;
use play::{Trouble, World};
use script::Line;
use setup::{finish, setup};

/// Steps of a run, before the rest.
const STEPS: usize = 170;
/// Runs where `RUNS` says nothing.
const RUNS: u64 = 600;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn every_interleaving_keeps_the_laws() {
    let first = number("SEED").unwrap_or(1);
    let runs = number("RUNS").unwrap_or(if number("SEED").is_some() { 1 } else { RUNS });
    let steps = number("STEPS").map_or(STEPS, |steps| steps as usize);
    let most = number("FAILURES").unwrap_or(1) as usize;
    let (next, failed) = (AtomicU64::new(first), Mutex::new(Vec::new()));
    let work = || {
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < first + runs
            && failed.lock().is_ok_and(|failed| failed.len() < most)
        {
            let (lines, broken) = run(seed, steps);
            if let (Some(why), Ok(mut failed)) = (broken, failed.lock()) {
                println!("seed {seed}: {}", why.lines().map(str::trim).collect::<Vec<_>>().join(" "));
                if failed.len() < most.min(2) {
                    print(seed, &lines, &why);
                }
                failed.push(seed);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut failed = failed.into_inner().unwrap_or_default();
    failed.sort_unstable();
    println!("seeds {first} to {}: {} failed", first + runs - 1, failed.len());
    assert!(failed.is_empty(), "seeds {failed:?}");
}

/// Makes up lines and plays them. What could not be played is left out.
fn run(seed: u64, steps: usize) -> (Vec<Line>, Option<String>) {
    let mut dice = Dice::new(seed);
    let mut world = World::new();
    let mut lines = Vec::new();
    let (options, mut generator) = setup(&mut dice);
    let mut play = |world: &mut World, line: Line| match world.play(&line) {
        Ok(()) => {
            lines.push(line);
            None
        }
        Err(Trouble::Cannot(_)) => None,
        Err(Trouble::Broken(why)) => {
            lines.push(line);
            Some(why)
        }
    };
    let mut broken = options.into_iter().find_map(|line| play(&mut world, line));
    for _ in 0..steps {
        if broken.is_some() {
            break;
        }
        let line = generator.line(&mut dice, &world);
        broken = line.and_then(|line| play(&mut world, line));
    }
    for round in 0..4 {
        while broken.is_none()
            && let Some(line) = finish(&world)
        {
            broken = play(&mut world, line);
        }
        let quiet = Line::verb("quiet");
        let quiet = if round < 3 { quiet.name("unchecked") } else { quiet };
        broken = broken.or_else(|| play(&mut world, quiet));
    }
    (lines, broken)
}

/// Plays lines that were made before. `Some` where a law breaks, with the number of lines until then.
fn replay(lines: &[Line]) -> Option<(usize, String)> {
    let mut world = World::new();
    for (at, line) in lines.iter().enumerate() {
        match world.play(line) {
            Ok(()) | Err(Trouble::Cannot(_)) => {}
            Err(Trouble::Broken(why)) => return Some((at + 1, why)),
        }
    }
    None
}

/// Leaves out lines as long as the same law breaks. What brings the run to its rest stays: L8 holds only there.
fn shrink(lines: &[Line], law: &str) -> Vec<Line> {
    let at_rest = law == "L8";
    let end = lines.len() - usize::from(at_rest) * rest_of(lines);
    let (mut lines, rest) = (lines[..end].to_vec(), lines[end..].to_vec());
    let breaks = |lines: &[Line]| {
        let all = [lines, &rest].concat();
        replay(&all).filter(|(at, why)| why.starts_with(law) && (!at_rest || *at == all.len() && rests(&all)))
    };
    if let Some((length, _)) = breaks(&lines).filter(|_| !at_rest) {
        lines.truncate(length);
    }
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(at..(at + size).min(lines.len()));
            match breaks(&fewer) {
                Some((length, _)) => {
                    fewer.truncate(length);
                    lines = fewer;
                }
                None => at += size,
            }
        }
        size /= 2;
    }
    [lines, rest].concat()
}

/// True where nothing is left to happen on the server.
fn rests(lines: &[Line]) -> bool {
    let mut world = World::new();
    lines.iter().for_each(|line| drop(world.play(line)));
    finish(&world).is_none()
}

/// How many lines bring a run to its rest: from the first of the last `quiet`s on.
fn rest_of(lines: &[Line]) -> usize {
    let ends = |line: &&Line| ["quiet", "turn-end", "seal", "turn-start"].contains(&line.verb.as_str());
    lines.iter().rev().take_while(ends).count()
}

/// Prints a failure as a scenario to paste.
fn print(seed: u64, lines: &[Line], why: &str) {
    let law = why.split(':').next().unwrap_or_default();
    let lines = shrink(lines, law);
    let why = replay(&lines).map_or(why.to_owned(), |(_, why)| why);
    println!("# {}", why.replace('\n', "\n# "));
    println!("# Found by seed {seed}.");
    let mut world = World::new();
    for line in &lines {
        match world.play(line) {
            Ok(()) | Err(Trouble::Broken(_)) => println!("{}", line.draw()),
            Err(Trouble::Cannot(_)) => {}
        }
    }
    for (at, client) in world.clients.iter().enumerate() {
        println!("# view {}", at + 1);
        for line in client.block("view").unwrap_or_default() {
            println!("#   {line}");
        }
    }
}
