//! One scenario file, as text: it is played natively and in wasm alike.

use crate::play::{Trouble, World};
use crate::script::{Script, same};

/// One whose first line says `machine engine` is not for the store.
pub fn is_of_the_engine(text: &str) -> bool {
    let first = text.lines().find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with("machine engine"))
}

/// Plays a file. Gives whether it holds, and the file as it is now.
pub fn play(text: &str, update: bool) -> Result<(Result<(), String>, String), String> {
    let mut script = Script::parse(text)?;
    if script.steps.is_empty() {
        return Err("says nothing".to_owned());
    }
    let gap = script.steps.first().is_some_and(|step| step.line.verb == "gap");
    let result = match (gap, steps_of(&mut script, update, usize::from(gap))) {
        (true, Ok(())) => Err("the gap is closed: remove the line `gap`".to_owned()),
        (true, Err(_)) => Ok(()),
        (false, result) => result,
    };
    Ok((result, script.draw()))
}

fn steps_of(script: &mut Script, update: bool, from: usize) -> Result<(), String> {
    let mut world = World::new();
    let mut wrong = Vec::new();
    for step in script.steps.iter_mut().skip(from) {
        world.clients.iter_mut().for_each(|client| client.recording = true);
        let at = format!("{}: {}", step.line.number, step.line.draw());
        match world.play(&step.line) {
            Ok(()) => {}
            Err(Trouble::Cannot(why)) => return Err(format!("{at}\n  cannot be played: {why}")),
            Err(Trouble::Broken(why)) => {
                let view = world.clients.iter().flat_map(|client| client.block("view").unwrap_or_default());
                return Err(format!("{at}\n  breaks {why}\n    {}", view.collect::<Vec<_>>().join("\n    ")));
            }
        }
        for block in &mut step.blocks {
            let of = block.head.get(1).and_then(|word| word.parse().ok()).or(step.line.client).unwrap_or(1);
            let client = world.clients.get(of - 1).ok_or_else(|| format!("{at}\n  there is no client {of}"))?;
            let have = client.block(block.head.first().map_or("", String::as_str))?;
            if !same(&block.lines, &have) {
                let (want, have) = (block.lines.join("\n      "), have.join("\n      "));
                wrong.push(format!(
                    "{at}\n  {}\n    should be\n      {want}\n    and is\n      {have}",
                    block.head.join(" ")
                ));
            }
            if update {
                block.lines = if have.is_empty() { vec!["none".to_owned()] } else { have };
            }
        }
    }
    for client in &world.clients {
        client.replay()?;
    }
    if wrong.is_empty() || update { Ok(()) } else { Err(wrong.join("\n")) }
}
