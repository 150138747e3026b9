//! The engine as scenarios: text that reads aloud, and random runs that print one where they fail.

#[path = "machine/checks.rs"]
mod checks;
#[path = "machine/dice.rs"]
mod dice;
#[path = "machine/guess.rs"]
mod guess;

#[path = "machine/index.rs"]
mod index;
#[path = "machine/lines.rs"]
mod lines;
#[path = "machine/model.rs"]
mod model;
#[path = "machine/options.rs"]
mod options;
#[path = "machine/paper.rs"]
mod paper;
#[path = "machine/play.rs"]
mod play;
#[path = "model/program.rs"]
mod program;
#[path = "machine/random.rs"]
mod random;
#[allow(dead_code)]
mod script;
#[path = "machine/verbs.rs"]
mod verbs;
#[path = "machine/watch.rs"]
mod watch;

use std::fs;
use std::path::{Path, PathBuf};

/// Every scenario holds; `UPDATE=1` writes what is.
#[test]
fn scenarios() {
    let mut wrong = Vec::new();
    let files = files();
    assert!(!files.is_empty(), "no scenarios");
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        match play::script(&text) {
            Ok((script, failed)) if !failed.is_empty() => {
                if updates() {
                    fs::write(&path, script.draw()).unwrap();
                }
                wrong.push(format!("{name}:\n{}", failed.join("\n")));
            }
            Ok(_) => {}
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> PathBuf {
    root().join("tests/scenarios/engine")
}

/// The scenarios whose name holds the words of `ONLY`.
fn files() -> Vec<PathBuf> {
    let only = std::env::var("ONLY").unwrap_or_default();
    all_files().into_iter().filter(|path| path.to_string_lossy().contains(&only)).collect()
}

fn all_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "scn")).collect();
    files.sort();
    files
}

fn updates() -> bool {
    std::env::var_os("UPDATE").is_some()
}
