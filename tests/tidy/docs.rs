//! What a file says about itself, and which law has no scenario.

/// The laws of the store that a scenario can break. The others are the engine's, drawn in tables.
const LAWS: &[&str] = &["l01", "l02", "l03", "l04", "l05", "l06", "l07", "l08", "l10", "l14"];

/// What is missing at the top of a Rust file: `//!` first, and in each `mod.rs` of `src` what it owns, sees and never does.
pub fn missing(path: &str, raw: &str) -> Vec<String> {
    if !path.ends_with(".rs") {
        return Vec::new();
    }
    let mut found = Vec::new();
    if !raw.starts_with("//!") {
        found.push("1: the first line says with //! what the file is for".to_owned());
    }
    if path.starts_with("src/") && path.ends_with("/mod.rs") {
        let head: String = raw.lines().take_while(|line| line.starts_with("//!")).collect();
        let words = ["**Owns**", "**Sees**", "**Never**"].into_iter().filter(|word| !head.contains(word));
        found.extend(words.map(|word| format!("1: a room says {word}")));
    }
    found
}

/// The laws for which no path of `tests/scenarios` is a scenario.
pub fn laws_without_scenarios(paths: &[String]) -> Vec<String> {
    let shown =
        |law: &str| paths.iter().any(|path| path.contains(&format!("scenarios/{law}/")) && path.ends_with(".scn"));
    LAWS.iter().filter(|law| !shown(law)).map(|law| format!("tests/scenarios/{law} has no scenario")).collect()
}

#[test]
fn a_file_without_a_head_is_refused() {
    assert_eq!(missing("src/a/b.rs", "use x;"), ["1: the first line says with //! what the file is for"]);
    assert_eq!(missing("src/a/b.rs", "//! B.\n"), [""; 0]);
    assert_eq!(missing("pkg/src/a.ts", "import x"), [""; 0]);
}

#[test]
fn a_room_says_what_it_owns_sees_and_never_does() {
    assert_eq!(missing("src/a/mod.rs", "//! **Owns**: x.\n//! **Sees**: y.\n"), ["1: a room says **Never**"]);
    assert_eq!(missing("src/a/mod.rs", "//! **Owns** **Sees**\n\n// **Never**"), ["1: a room says **Never**"]);
    assert_eq!(missing("src/a/mod.rs", "//! A. **Owns**: x. **Sees**: y. **Never**: z.\n"), [""; 0]);
}

#[test]
fn a_law_without_a_scenario_is_named() {
    let mut paths: Vec<String> = LAWS.iter().map(|law| format!("tests/scenarios/{law}/a.scn")).collect();
    assert_eq!(laws_without_scenarios(&paths), [""; 0]);
    paths[2] = "tests/scenarios/l03/notes.md".into();
    assert_eq!(laws_without_scenarios(&paths), ["tests/scenarios/l03 has no scenario"]);
}
