//! The binding, natively: the golden runs are made here and held here, as they are in Node and in Chromium.

#![cfg(feature = "wasm")]

#[path = "binding/mod.rs"]
mod runs;
#[cfg(feature = "engine")]
#[path = "binding/wrong.rs"]
mod wrong;

#[test]
fn l14_native_runs_are_the_golden_ones() {
    let now = runs::golden();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/binding/golden.txt"), &now).unwrap();
        return;
    }
    assert_eq!(now, runs::GOLDEN, "the binding says something else now; UPDATE=1 writes it down");
}

#[test]
fn nothing_that_is_fed_in_throws() {
    (1..3_000).for_each(runs::survives);
}
