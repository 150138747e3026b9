//! Plays every scenario of `tests/scenarios`: one file, one test. `UPDATE=1` writes the blocks anew. A word that ends with
//! `.scn` is a file elsewhere, as the lab saves them: it alone is played.

#[path = "play/file.rs"]
mod file;
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

/// A test harness of its own, so that each file is a test: `cargo test --test scenarios l03` plays those of one law.
fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let update = std::env::var_os("UPDATE").is_some();
    let mut tests: Vec<(String, Result<(), String>)> = Vec::new();
    for word in wanted.iter().filter(|word| word.ends_with(".scn")) {
        tests.push((word.clone(), play(Path::new(word), update)));
    }
    for path in files(&root()).into_iter().filter(|path| is_for_the_store(path)) {
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

fn is_for_the_store(path: &Path) -> bool {
    !file::is_of_the_engine(&fs::read_to_string(path).unwrap_or_default())
}

/// Plays a file, and writes it anew where that is wanted.
fn play(path: &Path, update: bool) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let (result, drawn) = file::play(&text, update)?;
    if update && drawn != text {
        fs::write(path, drawn).map_err(|error| error.to_string())?;
    }
    result
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
