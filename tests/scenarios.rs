//! Plays every scenario of `tests/scenarios`: one file, one test. `UPDATE=1` writes the blocks anew.

#[allow(dead_code)]
mod laws;
#[allow(dead_code)]
mod paper;
#[allow(dead_code)]
mod play;
#[allow(dead_code)]
mod script;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use play::{Trouble, World};
use script::{Script, same};

/// A test harness of its own, so that each file is a test: `cargo test --test scenarios l03` plays those of one law.
fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let update = std::env::var_os("UPDATE").is_some();
    let mut tests: Vec<(String, Result<(), String>)> = Vec::new();
    for path in files(&root()).into_iter().filter(|path| !is_of_the_engine(path)) {
        let name = name(&path);
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            tests.push((name, play(&path, update)));
        }
    }
    for (name, folder) in [("dispatch/INDEX.md", "dispatch"), ("bugs/INDEX.md", "bugs")] {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            tests.push((name.to_owned(), index(folder)));
        }
    }
    let failed: Vec<_> = tests.iter().filter(|(_, result)| result.is_err()).collect();
    for (name, result) in &failed {
        println!("---- {name}\n{}\n", result.as_ref().err().map_or("", String::as_str));
    }
    for (name, _) in &failed {
        println!("test {name} ... FAILED");
    }
    let word = if failed.is_empty() { "ok" } else { "FAILED" };
    let passed = tests.len() - failed.len();
    println!("\ntest result: {word}. {passed} passed; {} failed; 0 ignored; 0 measured; 0 filtered out", failed.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).with_extension("").to_string_lossy().replace('\\', "/")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return out };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            out.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "scn") {
            out.push(path);
        }
    }
    out
}

/// One whose first line says `machine engine` is not for the store.
fn is_of_the_engine(path: &Path) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    let first = text.lines().find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with("machine engine"))
}

/// Plays a file.
fn play(path: &Path, update: bool) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut script = Script::parse(&text)?;
    let steps = script.steps.len();
    if steps == 0 {
        return Err("says nothing".to_owned());
    }
    let gap = script.steps.first().is_some_and(|step| step.line.verb == "gap");
    let result = steps_of(&mut script, update, usize::from(gap));
    if update {
        let drawn = script.draw();
        if drawn != text {
            fs::write(path, drawn).map_err(|error| error.to_string())?;
        }
    }
    match (gap, result) {
        (true, Ok(())) => Err("the gap is closed: remove the line `gap`".to_owned()),
        (true, Err(_)) => Ok(()),
        (false, result) => result,
    }
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

/// The index of a folder names each of its files, each number of it once, and nothing that is not there.
fn index(folder: &str) -> Result<(), String> {
    let text = fs::read_to_string(root().join(folder).join("INDEX.md")).map_err(|error| error.to_string())?;
    let mut wrong = Vec::new();
    let rows: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" | "))
        .map(|(number, rest)| (number.trim(), rest.split('|').next().unwrap_or("").trim()))
        .filter(|(number, _)| !number.starts_with('-') && *number != "number")
        .collect();
    let mut numbers: Vec<&str> = rows.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    wrong.extend(numbers.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| format!("{} stands twice", pair[0])));
    for (number, file) in &rows {
        let file = file.trim_matches('`');
        if let Some(file) = file.strip_suffix(".scn")
            && !root().join(folder).join(format!("{file}.scn")).is_file()
        {
            wrong.push(format!("{number}: there is no {file}.scn"));
        }
    }
    for path in files(&root().join(folder)) {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !rows.iter().any(|(_, known)| known.trim_matches('`') == file) {
            wrong.push(format!("{file} is not listed"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
