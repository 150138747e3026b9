//! Every interleaving inside small bounds: `stateright` visits the states of the models in `bounds.rs`, with the real
//! `Store` as the machine, and prints what breaks a law as a scenario. `tests/machine/model.rs` does so for the engine.
//!
//! `STATES=4500000 cargo test --release --test model -- --nocapture` is the long visit: so many steps in each model, all
//! of them where there are fewer; `MODELS=seal,joint` visits those two.

mod bounds;
mod key;
#[allow(dead_code)]
#[path = "../laws/mod.rs"]
mod laws;
#[allow(dead_code)]
#[path = "../paper/mod.rs"]
mod paper;
#[allow(dead_code)]
#[path = "../play/mod.rs"]
mod play;
mod program;
#[allow(dead_code)]
#[path = "../script/mod.rs"]
mod script;
mod search;
mod thread;
