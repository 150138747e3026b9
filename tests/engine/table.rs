//! Each phase against each input, drawn whole: a changed cell is a change of one line.

use std::fs;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Gate, Input, Policy, TimerId};
use turnseal::model::{Cut, Intent, Json, Opaque, OpaqueKind, Outcome};

use super::bench::{Bench, X, called, delta, end, message, output, queued, result, target};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios/engine.table");
const KNOWN: &str = include_str!("../scenarios/engine.table");

/// A way into each phase. Every one has `q` in the queue where a queue can be.
pub fn phases() -> Vec<(&'static str, Bench)> {
    let started = || {
        let mut b = Bench::new();
        b.send("a");
        b
    };
    let then = |acts: &[&dyn Fn(&mut Bench)]| {
        let mut b = started();
        for act in acts {
            act(&mut b);
        }
        b
    };
    let text = |b: &mut Bench| drop(b.delta(X, "A"));
    let call = |b: &mut Bench| drop(b.call(X, "c"));
    let ask = |b: &mut Bench| drop(b.ask(X, "c"));
    let step = |b: &mut Bench| drop(b.step_end(X));
    let queue = |b: &mut Bench| drop(b.send("q"));
    let done = |b: &mut Bench| drop(b.done(X));
    let stop = |b: &mut Bench| drop(b.stop());
    let fail = |b: &mut Bench| drop(b.fail(X));
    let seal = |b: &mut Bench| drop(b.persisted("t:1"));
    let unsaved = |b: &mut Bench| {
        drop(b.put(Input::PersistFailed { turn: "t:1".into(), from: None, error: "disk full".into() }));
    };
    let mut waiting = Bench::policy(Policy { gate: Gate::Sealed, ..Policy::default() });
    waiting.send("a");
    waiting.send("q");
    waiting.done(X);
    vec![
        ("idle", Bench::new()),
        ("pending", then(&[&queue])),
        ("streaming", then(&[&text, &queue])),
        ("calling", then(&[&call, &queue])),
        ("awaiting-tool", then(&[&call, &step, &queue])),
        ("awaiting-approval", then(&[&ask, &step, &queue])),
        ("done", then(&[&text, &done])),
        ("done, gate sealed", waiting),
        ("aborted", then(&[&queue, &stop])),
        ("error", then(&[&queue, &fail])),
        ("unsaved", then(&[&done, &unsaved])),
        ("sealed", then(&[&done, &seal])),
        ("sealed, held", then(&[&queue, &stop, &seal])),
    ]
}

fn inputs(b: &Bench) -> Vec<(&'static str, Input)> {
    let turn = || "t:1".into();
    let part = Opaque { kind: OpaqueKind::Data, id: None, json: Json::new("{\"type\":\"data\"}") };
    vec![
        ("send", Input::Send(message("b", Intent::Queue))),
        ("send again", Input::Send(message("a", Intent::Queue))),
        ("steer", Input::Send(message("s", Intent::Steer))),
        ("stop", Input::Stop { turn: None }),
        ("delta", delta(X, "more")),
        ("reasoning-end", Input::ReasoningEnd { execution: X.into(), metadata: None }),
        ("tool-input", typed("e")),
        ("part", Input::Part { execution: X.into(), part }),
        ("usage", Input::Usage { execution: X.into(), usage: Json::new("{}") }),
        ("tool-call", called(X, "d", None)),
        ("tool-call asks", called(X, "d", Some(Default::default()))),
        ("tool-output", output("t:1", "c")),
        ("tool-result", result("t:1", "c")),
        ("step-end", Input::StepEnd { execution: X.into() }),
        ("end done", end(X, Outcome::Done)),
        ("end aborted", end(X, Outcome::Aborted)),
        ("end error", end(X, Outcome::Error)),
        ("approve", Input::Approve(target("c"))),
        ("deny", Input::Deny(target("c"))),
        ("persisted", b.written("t:1")),
        ("persist-failed", Input::PersistFailed { turn: turn(), from: None, error: "disk full".into() }),
        ("retry", Input::Retry { turn: turn(), execution: X.into() }),
        ("cancel-queued", Input::CancelQueued { message: queued("q") }),
        ("edit-queued", Input::EditQueued { message: queued("q"), text: "new".into() }),
        ("move-queued", Input::MoveQueued { message: queued("q"), index: 0 }),
        ("send-now", Input::SendNow { message: queued("q") }),
        ("resume-queue", Input::ResumeQueue),
        ("timer-fired", Input::TimerFired { timer: TimerId(1) }),
        ("watchers 0", Input::Watchers { count: 0 }),
    ]
}

fn typed(call: &str) -> Input {
    let delta = Cut::whole("{");
    Input::ToolInput { execution: X.into(), call: call.into(), name: Some("tool".into()), delta }
}

/// What a cell says: the effects, and where the newest turn stands then.
fn cell(mut b: Bench, input: Input) -> String {
    let before = b.engine.clone();
    let said = b.put(input);
    let same = if before == b.engine { "=" } else { "" };
    let phase = b.phase().map_or("-".to_owned(), |phase| format!("{phase:?}"));
    let said = if said.is_empty() { "nothing".to_owned() } else { said };
    format!("{said} -> {same}{phase}")
}

fn drawn() -> String {
    let mut out = String::from(
        "# Each phase of a thread against each input: effects -> phase of the newest turn. `=`: the state is the same.\n\
         # `a` is the running turn's message, `c` its call, `q` the queued message. UPDATE=1 cargo test --test engine table\n",
    );
    for (phase, b) in phases() {
        out.push_str(&format!("\n{phase}\n"));
        for (name, input) in inputs(&b) {
            out.push_str(&format!("  {name:<15} {}\n", cell(b.clone(), input)));
        }
    }
    out
}

#[test]
fn the_table_of_phases_and_inputs_is_as_drawn() {
    let drawn = drawn();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(PATH, &drawn).unwrap();
        return;
    }
    for (line, (drawn, known)) in (1..).zip(drawn.lines().zip(KNOWN.lines())) {
        assert_eq!(drawn, known, "line {line} of the table");
    }
    assert_eq!(drawn.lines().count(), KNOWN.lines().count());
}
