//! What is late, and what cannot be written: E38 to E48.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Gate, Input, Policy};
use turnseal::model::{Outcome, Phase};

use super::bench::{Bench, X, called, delta, end, result};

fn failed(turn: &str) -> Input {
    Input::PersistFailed { turn: turn.into(), from: None, error: "disk full".into() }
}

#[test]
fn e38_delta_after_end_dropped() {
    let mut b = Bench::new();
    b.send("a");
    b.stop();
    assert_eq!(b.nothing(delta(X, "late")), "says late");
    assert_eq!(b.nothing(delta("t:9.1", "never")), "says late");
    b.persisted("t:1");
    assert_eq!(b.nothing(delta(X, "later")), "says late");
}

#[test]
fn e39_end_after_stop_first_wins() {
    let mut b = Bench::new();
    b.send("a");
    b.stop();
    assert_eq!(b.nothing(end(X, Outcome::Error)), "says late");
    assert_eq!(b.nothing(end(X, Outcome::Done)), "says late");
    assert_eq!(b.snapshot().turns[0].outcome, Some(Outcome::Aborted));
}

#[test]
fn e40_stop_idempotent() {
    let mut b = Bench::new();
    b.send("a");
    b.stop();
    assert_eq!(b.nothing(Input::Stop { turn: None }), "");
    assert_eq!(b.nothing(Input::Stop { turn: Some("t:1".into()) }), "");
    b.send("b");
    assert_eq!(b.nothing(Input::Stop { turn: Some("t:1".into()) }), "", "a stop of an old turn spares the new one");
    assert_eq!(b.nothing(Input::Stop { turn: Some("t:7".into()) }), "says late");
    assert_eq!(Bench::new().nothing(Input::Stop { turn: None }), "");
}

#[test]
fn e41_stop_while_sealing_keeps_success() {
    let mut b = Bench::new();
    b.send("a");
    b.done(X);
    assert_eq!(b.nothing(Input::Stop { turn: None }), "");
    assert_eq!(b.snapshot().turns[0].outcome, Some(Outcome::Done));
    assert!(b.persisted("t:1").starts_with("sealed t:1 1"));
}

#[test]
fn e42_stop_fences_reserved_turn_no_request() {
    let mut b = Bench::policy(Policy { gate: Gate::Sealed, ..Policy::default() });
    b.send("a");
    b.send("b");
    b.done(X);
    assert_eq!(b.stop(), "queue [b] held");
    assert_eq!(b.persisted("t:1"), "sealed t:1 1");
    assert!(b.send("c").contains("turn-start t:2 b"));
}

#[test]
fn e43_stale_result_identity() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.step_end(X);
    b.result("t:1", "c");
    assert_eq!(b.nothing(result("t:1", "c")), "says late", "the first result wins");
    b.done(X);
    b.persisted("t:1");
    let late = b.written("t:1");
    assert_eq!(b.nothing(late), "says late");
    assert_eq!(b.nothing(called(X, "d", None)), "says late");
    assert_eq!(b.nothing(Input::StepEnd { execution: X.into() }), "says late");
    assert_eq!(b.nothing(failed("t:1")), "says late");
}

#[test]
fn e44_idle_timeout_is_aborted_not_done() {
    let mut b = Bench::policy(Policy { idle_timeout_ms: Some(5000), ..Policy::default() });
    assert!(b.send("a").contains("timer 1 5000 idle; request t:1.1/0"));
    b.delta(X, "hm");
    assert_eq!(b.fires(1), "timer 2 5000 idle", "it has spoken");
    assert_eq!(b.fires(2), "cancel-request t:1.1; turn-end t:1 aborted; seal t:1 1");

    let mut b = Bench::policy(Policy { idle_timeout_ms: Some(5000), ..Policy::default() });
    b.send("a");
    b.call(X, "c");
    assert_eq!(b.step_end(X), "no-timer 1", "a tool may take its time");
}

#[test]
fn e45_old_turn_failure_not_applied_to_new_turn() {
    let mut b = Bench::new();
    b.send("a");
    b.stop();
    b.send("b");
    assert_eq!(b.nothing(end(X, Outcome::Error)), "says late");
    assert_eq!(b.phase(), Some(Phase::Pending));
}

#[test]
fn e46_seal_fail_keeps_original_outcome_then_recovers() {
    let mut b = Bench::new();
    b.send("a");
    b.delta(X, "A");
    b.broken = true;
    b.done(X);
    assert_eq!(b.put(failed("t:1")), "timer 1 500 seal-backoff; says persist-failed");
    assert_eq!(b.fires(1), "seal t:1 1");
    assert_eq!(b.put(failed("t:1")), "timer 2 1000 seal-backoff; says persist-failed");
    assert_eq!(b.snapshot().turns[0].outcome, Some(Outcome::Done));
    b.send("b");
    b.broken = false;
    assert_eq!(b.fires(2), "seal t:1 1");
    assert_eq!(b.persisted("t:1"), "sealed t:1 2");
    assert_eq!(b.rows("t:1"), r#"user "say a"; assistant "A""#);
}

#[test]
fn e47_stop_while_seal_blocked_retries_at_once_and_never_abandons() {
    let mut b = Bench::new();
    b.send("a");
    b.broken = true;
    b.stop();
    b.put(failed("t:1"));
    assert_eq!(b.stop(), "no-timer 1; seal t:1 0");
    for _ in 0..12 {
        b.put(failed("t:1"));
        b.stop();
    }
    assert!(b.put(failed("t:1")).starts_with("timer 14 30000"), "the wait has a limit");
    assert_eq!(b.snapshot().turns.len(), 1);
}

#[test]
fn e48_persisted_before_the_end_is_refused() {
    let mut b = Bench::new();
    b.send("a");
    let early = b.written("t:1");
    assert_eq!(b.nothing(early), "says refused");
}

#[test]
fn an_append_that_failed_comes_again_with_the_seal() {
    let mut b = Bench::new();
    b.broken = true;
    b.send("a");
    assert_eq!(b.put(failed("t:1")), "says persist-failed");
    b.call(X, "c");
    b.step_end(X);
    b.result("t:1", "c");
    assert!(b.messages().contains("say a"), "the context is what was handed over, written or not");
    b.broken = false;
    assert_eq!(b.done(X), "turn-end t:1 done; seal t:1 3");
    assert_eq!(b.persisted("t:1"), "sealed t:1 3");
    assert_eq!(b.rows("t:1"), r#"user "say a"; call c; result c "out""#);
}

#[test]
fn rows_that_are_not_all_are_not_told_inline() {
    let mut b = Bench::new();
    b.send("a");
    b.delta(X, "A");
    b.done(X);
    let chunks = b.log[..1].to_vec();
    assert_eq!(b.put(Input::Persisted { turn: "t:1".into(), chunks }), "says unconfirmed; sealed t:1 ?");
}

#[test]
fn a_seal_tells_what_stands_before_it() {
    let mut b = Bench::new();
    b.send("a");
    b.done(X);
    b.persisted("t:1");
    b.send("b");
    b.done("t:2.1");
    b.persisted("t:2");
    let turnseal::model::Event::TurnSealed { first, last, prev, .. } = &b.events.last().unwrap().event else {
        panic!("{:?}", b.events.last())
    };
    assert_eq!((first.unwrap().0, last.unwrap().0, prev.unwrap().0), (2, 2, 1));
}
