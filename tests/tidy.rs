//! The order of the rooms, sizes, words and scenarios: what no lint can say. CONTRIBUTING.md says how to change them.

#[path = "tidy/budget.rs"]
mod budget;
#[path = "tidy/docs.rs"]
mod docs;
#[path = "tidy/rooms.rs"]
mod rooms;
#[path = "tidy/source.rs"]
mod source;
#[path = "tidy/words.rs"]
mod words;

use std::fs;
use std::path::Path;

use source::Source;

/// What people write by hand. Recorded streams and other fixtures are foreign words, and not read.
const WRITTEN: &[&str] = &["rs", "ts", "tsx", "svelte", "mjs", "js", "css", "html", "md", "toml", "scn", "sh", "patch"];
/// What is built, fetched, or not ours.
const SKIPPED: &[&str] = &["target", "node_modules", "dist", ".svelte-kit", ".git"];

#[test]
fn rooms_see_only_what_their_table_says() {
    let sources = sources();
    let reexports = rooms::reexports(&sources);
    report(
        sources.iter().flat_map(|source| named(&source.path, rooms::arrows(&source.path, &source.code, &reexports))),
    );
}

#[test]
fn every_file_says_what_it_is() {
    report(sources().iter().flat_map(|source| named(&source.path, docs::missing(&source.path, &source.raw))));
}

#[test]
fn sizes_hold_or_stand_in_the_budget() {
    let text = fs::read_to_string(root().join("tests/tidy.budget")).expect("tests/tidy.budget");
    let over: Vec<_> = sources().iter().flat_map(budget::over).collect();
    report(budget::judge(&text, &over));
}

#[test]
fn no_word_stands_that_must_not() {
    report(sources().iter().flat_map(|source| named(&source.path, words::found(source))));
}

#[test]
fn every_law_of_the_store_has_scenarios() {
    let scenarios = root().join("tests/scenarios");
    if scenarios.is_dir() {
        let mut paths = Vec::new();
        walk(&scenarios, &mut paths);
        report(docs::laws_without_scenarios(&paths));
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<Source> {
    let mut paths = Vec::new();
    walk(root(), &mut paths);
    let written = paths.into_iter().filter(|path| {
        let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
        ending.map_or_else(|| path.starts_with("scripts/") || path == "Makefile", |ending| WRITTEN.contains(&ending))
    });
    written.filter_map(|path| fs::read_to_string(root().join(&path)).ok().map(|raw| Source::new(path, raw))).collect()
}

/// The files below a folder, relative to the root, in order.
fn walk(folder: &Path, paths: &mut Vec<String>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let relative = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
        if path.is_dir() {
            if !SKIPPED.contains(&name) && relative != "pkg/wasm" {
                walk(&path, paths);
            }
        } else {
            paths.push(relative);
        }
    }
}

fn named(path: &str, complaints: Vec<String>) -> Vec<String> {
    complaints.into_iter().map(|complaint| format!("{path}:{complaint}")).collect()
}

fn report(complaints: impl IntoIterator<Item = String>) {
    let complaints: Vec<String> = complaints.into_iter().collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
