//! The scenarios and random runs of the engine in wasm, in Node: the same files, the same expectations (L14).

#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[path = "machine/checks.rs"]
mod checks;
#[path = "machine/dice.rs"]
mod dice;
#[path = "machine/guess.rs"]
mod guess;
#[path = "machine/lines.rs"]
mod lines;
#[path = "binding/node.rs"]
mod node;
#[path = "machine/options.rs"]
mod options;
#[allow(dead_code)]
#[path = "machine/paper.rs"]
mod paper;
#[allow(dead_code)]
#[path = "machine/play.rs"]
mod play;
#[path = "machine/random.rs"]
mod random;
#[allow(dead_code)]
mod script;
#[path = "machine/verbs.rs"]
mod verbs;
#[allow(dead_code)]
#[path = "machine/watch.rs"]
mod watch;

#[wasm_bindgen_test]
fn l14_every_scenario_of_the_engine_holds_in_wasm() {
    let files = node::scenarios("tests/scenarios/engine");
    node::report(files.into_iter(), |text| {
        let (_, wrong) = play::script(text)?;
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}
