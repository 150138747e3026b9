//! The binding in headless Chromium: equal to native, byte for byte (L14), and safe from whatever is fed in.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[path = "binding/mod.rs"]
mod runs;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
#[wasm_bindgen_test]
fn l14_runs_are_those_of_native_code() {
    assert_eq!(runs::golden(), runs::GOLDEN);
}

#[wasm_bindgen_test]
fn nothing_that_is_fed_in_throws() {
    (1..300).for_each(runs::survives);
}
