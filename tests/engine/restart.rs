//! What a crash, a late joiner and a long life leave: E56 to E60.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Engine, Input, Options, Saved};
use turnseal::model::{Intent, Outcome, Part, Phase};

use super::bench::{Bench, X, message, thread};
use super::draw;

#[test]
fn e56_late_joiner_equals_full_replay() {
    let mut b = Bench::new();
    b.send("a");
    b.delta(X, "thin");
    b.delta(X, "king");
    b.ask(X, "c");
    b.send("b");
    let snapshot = b.snapshot();
    assert_eq!(snapshot.turns[0].rows[0].parts, [Part::Text { text: "say a".into() }]);
    assert_eq!(snapshot.turns[0].rows[1].parts[0], Part::Text { text: "thinking".into() });
    assert_eq!(snapshot.approvals.unwrap()[0].call.as_str(), "c");
    assert_eq!(snapshot.queue.unwrap().len(), 1);
    assert_eq!(b.engine.snapshot(&thread()).n, b.events.last().unwrap().n);
}

#[test]
fn e57_a_failed_launch_holds_the_rest() {
    let mut b = Bench::new();
    b.send("a");
    for id in ["b", "c"] {
        b.send(id);
    }
    b.done(X);
    assert_eq!(b.fail("t:2.1"), "error \"broke\"; turn-end t:2 error; seal t:2 1; queue [c] held");
    assert_eq!(b.queue(), "c held");
}

#[test]
fn e58_held_queue_released_by_explicit_send() {
    let mut b = Bench::new();
    b.send("a");
    b.send("b");
    b.stop();
    assert_eq!(b.queue(), "b held");
    assert_eq!(
        b.send("c"),
        "queued c; queue [b+c]; consumed b Continuation; turn-start t:2 b; append t:2 1; request t:2.1/0; \
         answer send queued"
    );

    let mut b = Bench::new();
    b.send("a");
    b.send("b");
    b.stop();
    assert!(b.put(Input::ResumeQueue).contains("turn-start t:2 b"));
}

fn restarted(b: &Bench) -> (Bench, String) {
    let saved = Saved { chunks: b.log.clone(), meta: b.engine.meta(&thread()) };
    let (engine, effects) = Engine::restore(Options::default(), vec![(thread(), saved)]);
    let mut again = Bench { log: b.log.clone(), events: b.events.clone(), ..Bench::of(engine) };
    again.carry(&effects[0].1);
    let words = draw::words(&effects[0].1);
    (again, words)
}

#[test]
fn e59_restart_marks_unfinished_aborted_queue_not_replayed() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.step_end(X);
    b.result("t:1", "c");
    b.call(X, "c");
    b.call(X, "d");
    b.step_end(X);
    b.send("b");
    let (mut again, words) = restarted(&b);
    assert_eq!(words, "turn-end t:1 aborted; seal t:1 0; queue [b] held");
    assert_eq!(again.persisted("t:1"), "sealed t:1 3");
    assert_eq!(again.queue(), "b held");
    assert_eq!(
        again.nothing(Input::Send(message("a", Intent::Queue))),
        "answer send ok t:1",
        "nothing is answered twice"
    );
    assert!(again.put(Input::ResumeQueue).contains("turn-start t:2 b"), "a turn id is never used again");
}

#[test]
fn e59_restart_tells_the_calls_that_were_open_in_the_log() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.stop();
    // The turn ended and its seal was written, but the answer never came back.
    let (mut again, words) = restarted(&b);
    assert_eq!(words, "seal t:1 0", "L9: it has its end");
    assert!(again.rows("t:1").ends_with(r#"{"callId":"c","cause":"stopped","started":true}"#));
    // Of the rows of that seal one was lost: it is kept beside the log as well.
    b.log.pop();
    let (lost, words) = restarted(&b);
    assert_eq!(words, "seal t:1 1");
    assert!(lost.rows("t:1").ends_with(r#"{"callId":"c","cause":"stopped","started":true}"#));
    assert!(again.persisted("t:1").starts_with("sealed t:1"));
    assert_eq!(again.phase(), None);
}

#[test]
fn e60_no_unbounded_map_per_turn() {
    let mut b = Bench::new();
    let mut sizes = Vec::new();
    for turn in 1..=1500 {
        b.send(&format!("m{turn}"));
        b.done(&format!("t:{turn}.1"));
        b.persisted(&format!("t:{turn}"));
        b.events.clear();
        if turn >= 1200 {
            sizes.push(format!("{:?}", b.engine).split(|c: char| !c.is_alphanumeric()).count());
        }
    }
    assert_eq!(sizes.iter().min(), sizes.iter().max());
}

#[test]
fn a_known_client_id_is_the_same_message() {
    let mut b = Bench::new();
    b.send("a");
    assert_eq!(b.nothing(Input::Send(message("a", Intent::Queue))), "answer send ok t:1");
    b.send("b");
    b.done(X);
    assert_eq!(b.nothing(Input::Send(message("b", Intent::Queue))), "answer send queued", "the same answer");
    let mut other = message("b", Intent::Queue);
    other.client = Some("k-other".into());
    assert_eq!(b.nothing(Input::Send(other)), "says refused; answer send refused");
}

#[test]
fn a_snapshot_reads_and_changes_nothing() {
    let mut b = Bench::new();
    assert_eq!(b.engine.snapshot(&thread()).n, Some(0));
    b.send("a");
    let before = b.engine.clone();
    b.snapshot();
    assert_eq!(before, b.engine);
    b.fail(X);
    let turn = b.snapshot().turns.pop().unwrap();
    assert_eq!((turn.phase, turn.outcome, turn.sealed), (Phase::Ended, Some(Outcome::Error), false));
}
