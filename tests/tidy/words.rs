//! Words that must not stand in the tree.

use crate::rooms::whole;
use crate::source::{Source, line_of};

// The words are put together here, so that this file does not contain what it looks for.
const UNFINISHED: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];
const MACHINES: &[&str] =
    &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];

/// What a file says that it must not, each with its line.
pub fn found(source: &Source) -> Vec<String> {
    let Source { path, raw, code, code_and_tests } = source;
    let mut found = Vec::new();
    let mut ban = |text: &str, words: &[&str], instead: &str| {
        for word in words {
            found.extend(whole(text, word).map(|line| format!("{line}: {word}: {instead}")));
        }
    };
    ban(raw, UNFINISHED, "open an issue");
    if path.ends_with(".rs") {
        ban(code_and_tests, &["#[ignore", "should_panic"], "a test runs and says what it expects");
    }
    if path.starts_with("src/") && !is_tests(path) {
        ban(code, &["unwrap()"], "no panic in the core");
    }
    if waits_for_nothing(path) {
        ban(code_and_tests, &["sleep"], "time comes in as input");
    }
    found.extend(machine_paths(raw));
    found
}

/// Test modules that are files of their own.
fn is_tests(path: &str) -> bool {
    ["/tests.rs", "/properties.rs"].iter().any(|ending| path.ends_with(ending))
}

/// The core and all tests are driven by input; a server that plays a human's pace may wait, and so may the driver, whose
/// clock is tokio's and simulated in its tests.
fn waits_for_nothing(path: &str) -> bool {
    if path.starts_with("src/drive/") {
        return false;
    }
    let written = [".rs", ".ts", ".tsx", ".mjs", ".js", ".svelte"].iter().any(|ending| path.ends_with(ending));
    written && ["src/", "tests/", "pkg/src/", "pkg/test/"].iter().any(|folder| path.starts_with(folder))
}

/// Paths of one machine; the same letters inside an address are none.
fn machine_paths(raw: &str) -> Vec<String> {
    let inside = |at: usize| raw[..at].ends_with(|char: char| char.is_alphanumeric() || "._-~*$}".contains(char));
    let hits = MACHINES.iter().flat_map(|path| raw.match_indices(path));
    hits.filter(|&(at, _)| !inside(at))
        .map(|(at, path)| format!("{}: {path}: a path of one machine", line_of(raw, at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, raw: &str) -> Vec<String> {
        found(&Source::new(path.into(), raw.into()))
    }

    #[test]
    fn unfinished_work_is_an_issue() {
        for word in UNFINISHED {
            assert_eq!(of("pkg/src/a.ts", &format!("a\n// {word}: b")), [format!("2: {word}: open an issue")]);
        }
        assert_eq!(of("src/a.rs", "// a MASTODON"), [""; 0]);
    }

    #[test]
    fn a_test_runs_and_says_what_it_expects() {
        let why = "a test runs and says what it expects";
        assert_eq!(of("tests/a.rs", "#[ignore]\nfn a() {}"), [format!("1: #[ignore: {why}")]);
        assert_eq!(of("www/server/a.rs", "#[should_panic]"), [format!("1: should_panic: {why}")]);
        assert_eq!(of("tests/a.rs", "// #[ignore] is refused"), [""; 0]);
    }

    #[test]
    fn the_core_does_not_unwrap_but_its_tests_may() {
        assert_eq!(of("src/a.rs", "x.unwrap()"), ["1: unwrap(): no panic in the core"]);
        assert_eq!(of("src/a.rs", "x.unwrap_or(1)"), [""; 0]);
        assert_eq!(of("src/a.rs", "#[cfg(test)]\nmod tests { fn a() { x.unwrap() } }"), [""; 0]);
        assert_eq!(of("tests/a.rs", "x.unwrap()"), [""; 0]);
        assert_eq!(of("src/a/tests.rs", "x.unwrap()"), [""; 0]);
    }

    #[test]
    fn nothing_waits_for_a_clock() {
        assert_eq!(
            of("src/a.rs", "#[cfg(test)]\nmod tests { fn a() { sleep(1) } }"),
            ["2: sleep: time comes in as input"]
        );
        assert_eq!(of("pkg/test/a.test.mjs", "await sleep(1)"), ["1: sleep: time comes in as input"]);
        assert_eq!(of("www/server/a.rs", "sleep(1)"), [""; 0]);
        assert_eq!(of("src/drive/a.rs", "sleep(1)"), [""; 0]);
        assert_eq!(of("src/a.rs", "fn asleep() {}"), [""; 0]);
    }

    #[test]
    fn no_path_of_one_machine_stands_anywhere() {
        for path in MACHINES {
            assert_eq!(of("a.md", &format!("`{path}x`")), [format!("1: {path}: a path of one machine")]);
            assert_eq!(of("a.md", &format!("https://a.example{path}x, src{path}")), [""; 0]);
        }
    }
}
