//! Files, as a test in Node reads them, and what became of them as a test runner says it.

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::console_log;

#[wasm_bindgen(module = "node:fs")]
extern "C" {
    #[wasm_bindgen(js_name = readFileSync)]
    fn read(path: &str, encoding: &str) -> String;
    #[wasm_bindgen(js_name = readdirSync)]
    fn names(folder: &str) -> Vec<String>;
}

/// The scenarios below a folder, by name. A name without a dot is a folder.
pub fn scenarios(folder: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let path = |name: &str| format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    for name in names(&path(folder)) {
        let name = format!("{folder}/{name}");
        if name.ends_with(".scn") {
            let text = read(&path(&name), "utf8");
            all.push((name, text));
        } else if !name.contains('.') {
            all.extend(scenarios(&name));
        }
    }
    all
}

/// Plays each file, and says how many held, a file a test.
pub fn report(files: impl Iterator<Item = (String, String)>, play: impl Fn(&str) -> Result<(), String>) {
    let results: Vec<_> = files.map(|(name, text)| (name, play(&text))).collect();
    let failed: Vec<_> = results.iter().filter_map(|(name, result)| Some((name, result.as_ref().err()?))).collect();
    for (name, why) in &failed {
        console_log!("---- {name}\n{why}\n");
    }
    let word = if failed.is_empty() { "ok" } else { "FAILED" };
    let passed = results.len() - failed.len();
    // The counts of `make test` are read from lines like this one.
    console_log!("test result: {word}. {passed} passed; {} failed; 0 ignored", failed.len());
    assert!(!results.is_empty(), "no scenario was found");
    assert!(failed.is_empty(), "{} scenarios do not hold in wasm", failed.len());
}
