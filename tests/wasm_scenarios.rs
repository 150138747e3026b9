//! The scenarios of the store in wasm, in Node: the same files, the same expectations (L14).

#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[path = "play/file.rs"]
mod file;
#[allow(dead_code)]
mod laws;
#[path = "binding/node.rs"]
mod node;
#[allow(dead_code)]
mod paper;
#[allow(dead_code)]
mod play;
#[allow(dead_code)]
mod script;

#[wasm_bindgen_test]
fn l14_every_scenario_of_the_store_holds_in_wasm() {
    let files = node::scenarios("tests/scenarios").into_iter().filter(|(_, text)| !file::is_of_the_engine(text));
    node::report(files, |text| file::play(text, false).and_then(|(result, _)| result));
}
