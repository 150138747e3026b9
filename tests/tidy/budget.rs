//! Sizes, and the budget of what is over. An entry may shrink and may go, and nothing else.

use std::collections::BTreeMap;

use crate::source::{Source, functions};

const FILE: usize = 250;
const SKIN: usize = 100;
const FUNCTION: usize = 40;
const BINDING: usize = 15;
const TEST: usize = 30;

/// What is larger than its limit: `path` or `path::function`, its lines, the limit.
pub type Over = (String, usize, usize);

/// What is over in one file. Code only: what is read as data or prose has no size.
pub fn over(source: &Source) -> Vec<Over> {
    let path = &source.path;
    let Some(limit) = file_limit(path) else { return Vec::new() };
    let mut found = vec![(path.clone(), source.raw.lines().count(), limit)];
    if path.ends_with(".rs") {
        // Two functions of one name share an entry: it holds for the longer one.
        let mut longest = BTreeMap::new();
        for function in functions(&source.code_and_tests) {
            let limit = if function.test { TEST } else { function_limit(path) };
            let entry = longest.entry(format!("{path}::{}", function.name)).or_insert((0, limit));
            *entry = (*entry).max((function.lines, limit));
        }
        found.extend(longest.into_iter().map(|(name, (lines, limit))| (name, lines, limit)));
    }
    found.retain(|(_, lines, limit)| lines > limit);
    found
}

fn file_limit(path: &str) -> Option<usize> {
    let skin = ["pkg/src/react", "pkg/src/svelte"].iter().any(|start| path.starts_with(start));
    let code = [".rs", ".ts", ".tsx", ".mjs", ".svelte"].iter().any(|ending| path.ends_with(ending));
    code.then_some(if skin { SKIN } else { FILE })
}

fn function_limit(path: &str) -> usize {
    if path.starts_with("src/wasm/") { BINDING } else { FUNCTION }
}

/// Compares what is over with the budget: lines of `path lines reason`, `#` for comments.
pub fn judge(budget: &str, over: &[Over]) -> Vec<String> {
    let mut found = Vec::new();
    let mut entries = BTreeMap::new();
    for line in budget.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        match (words.as_slice(), words.get(1).and_then(|lines| lines.parse::<usize>().ok())) {
            ([name, _, reason], Some(lines)) if !reason.trim().is_empty() => _ = entries.insert(*name, lines),
            _ => found.push(format!("tests/tidy.budget: `{line}` is not `path lines reason`")),
        }
    }
    for (name, lines, limit) in over {
        match entries.remove(name.as_str()) {
            None => found.push(format!("{name}: {lines} lines, over {limit}: split it at a second reason to change")),
            Some(entry) if *lines > entry => found.push(format!("{name}: {lines} lines, its budget is {entry}")),
            Some(entry) if *lines < entry => found.push(format!("tests/tidy.budget: {name}: lower it to {lines}")),
            Some(_) => {}
        }
    }
    found.extend(
        entries.into_keys().map(|name| format!("tests/tidy.budget: {name} is within its limit or gone: remove it")),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, raw: &str) -> Vec<Over> {
        over(&Source::new(path.into(), raw.into()))
    }

    fn function(head: &str, lines: usize) -> String {
        format!("{head}fn a() {{\n{}}}\n", "x;\n".repeat(lines - 2))
    }

    #[test]
    fn each_kind_of_file_has_its_limit() {
        assert_eq!(of("src/a.rs", &"\n".repeat(251)), [("src/a.rs".to_owned(), 251, 250)]);
        assert_eq!(of("pkg/src/react.tsx", &"\n".repeat(101)), [("pkg/src/react.tsx".to_owned(), 101, 100)]);
        assert_eq!(of("src/a.rs", &"\n".repeat(250)), []);
        assert_eq!(of("README.md", &"\n".repeat(999)), []);
    }

    #[test]
    fn each_kind_of_function_has_its_limit() {
        assert_eq!(of("src/b.rs", &function("", 41)), [("src/b.rs::a".to_owned(), 41, 40)]);
        assert_eq!(of("src/wasm/b.rs", &function("", 16)), [("src/wasm/b.rs::a".to_owned(), 16, 15)]);
        assert_eq!(of("tests/b.rs", &function("#[test]\n", 31)), [("tests/b.rs::a".to_owned(), 31, 30)]);
        assert_eq!(of("tests/b.rs", &function("", 40)), []);
    }

    #[test]
    fn what_is_over_stands_in_the_budget() {
        let over = [("src/a.rs".to_owned(), 300, 250)];
        let refused = ["src/a.rs: 300 lines, over 250: split it at a second reason to change"];
        assert_eq!(judge("# none\n", &over), refused);
        assert_eq!(judge("src/a.rs 300 one table, read as one", &over), [""; 0]);
    }

    #[test]
    fn the_budget_only_shrinks() {
        let over = [("src/a.rs".to_owned(), 300, 250)];
        assert_eq!(judge("src/a.rs 299 one table", &over), ["src/a.rs: 300 lines, its budget is 299"]);
        assert_eq!(judge("src/a.rs 301 one table", &over), ["tests/tidy.budget: src/a.rs: lower it to 300"]);
        let gone = ["tests/tidy.budget: src/a.rs is within its limit or gone: remove it"];
        assert_eq!(judge("src/a.rs 300 one table", &[]), gone);
    }

    #[test]
    fn an_entry_has_a_reason() {
        let refused = ["tests/tidy.budget: `src/a.rs 300` is not `path lines reason`"];
        assert_eq!(judge("src/a.rs 300", &[]), refused);
    }
}
