//! The index of the engine's rules: complete and true.

use std::collections::BTreeMap;
use std::fs;

use crate::{all_files, root};

/// The rules, and what tests them.
fn index() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("tests/scenarios/engine.index")).unwrap();
    let mut rules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (rule, test) = line.split_once(' ').unwrap_or_else(|| panic!("`{line}` has no test"));
        rules.entry(rule.to_owned()).or_default().push(test.to_owned());
    }
    rules
}

/// Every rule that must have a test.
fn wanted() -> Vec<String> {
    let numbered = |name: &'static str, last: u32| (1..=last).map(move |number| format!("{name}{number}"));
    let more = ["MIXED", "S2", "S5"].map(str::to_owned);
    let rules = numbered("E", 65).chain(numbered("P", 12)).chain(numbered("BUG", 5)).chain(numbered("ITEM", 4));
    rules.chain(more).collect()
}

/// What is wrong with a line of the index.
fn untrue(rule: &str, test: &str) -> Option<String> {
    let Some((file, function)) = test.split_once("::") else {
        let path = root().join(format!("tests/scenarios/engine/{test}.scn"));
        let Ok(text) = fs::read_to_string(&path) else { return Some(format!("{rule}: there is no scenario {test}")) };
        let checks = text.lines().any(|line| line.starts_with("    "));
        return (!checks).then(|| format!("{rule}: {test} checks nothing"));
    };
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    let named = text.find(&format!("fn {function}("))?;
    let is_test = text[..named].trim_end().ends_with("#[test]");
    (!is_test).then(|| format!("{rule}: {test} is no test"))
}

/// A test that is not there is no test either.
fn absent(test: &str) -> bool {
    test.split_once("::").is_some_and(|(file, function)| {
        !fs::read_to_string(root().join(file)).unwrap_or_default().contains(&format!("fn {function}("))
    })
}

/// Scenarios are all played in wasm, and so are the tests of files that say so.
fn runs_in_wasm(test: &str) -> bool {
    test.split_once("::").is_none_or(|(file, _)| {
        fs::read_to_string(root().join(file))
            .unwrap_or_default()
            .contains("use wasm_bindgen_test::wasm_bindgen_test as test;")
    })
}

#[test]
fn the_index_is_complete_and_true() {
    let index = index();
    let mut wrong: Vec<String> = wanted()
        .into_iter()
        .filter(|rule| !index.contains_key(rule))
        .map(|rule| format!("{rule} has no test"))
        .collect();
    for (rule, tests) in &index {
        wrong.extend(tests.iter().filter_map(|test| untrue(rule, test)));
        wrong.extend(tests.iter().filter(|test| absent(test)).map(|test| format!("{rule}: there is no {test}")));
    }
    for (rule, tests) in &index {
        if !tests.iter().any(|test| runs_in_wasm(test)) {
            wrong.push(format!("{rule} is not tested in wasm"));
        }
    }
    for path in all_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let by: Vec<&String> = index.iter().filter(|(_, tests)| tests.contains(&name)).map(|(rule, _)| rule).collect();
        // A scenario whose name begins with a rule's stands under that rule.
        let own = name.split('_').next().and_then(|word| word.strip_prefix('e')?.parse::<u32>().ok());
        if by.is_empty() || own.is_some_and(|number| !by.contains(&&format!("E{number}"))) {
            wrong.push(format!("{name} does not stand where it belongs: {by:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
