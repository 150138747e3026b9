//! Several models in one turn: E24 to E28, L12.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::Input;
use turnseal::model::{Outcome, Phase};

use super::bench::{Bench, end};

fn three() -> Bench {
    let mut b = Bench::models(&["p", "q", "r"]);
    assert_eq!(
        b.send("a"),
        "turn-start t:1 a; append t:1 1; request t:1.1/0 p; request t:1.2/0 q; request t:1.3/0 r; answer send ok t:1"
    );
    b
}

/// How the turn ends where its executions do in that order, and what waits then.
fn ends(order: &[(&str, Outcome)]) -> (String, String) {
    let mut b = three();
    b.send("next");
    let mut last = String::new();
    for (x, outcome) in order {
        last = b.put(end(x, *outcome));
    }
    let end = last.split("; ").find(|word| word.starts_with("turn-end")).unwrap_or_default().to_owned();
    (end, b.queue())
}

fn orders(of: [Outcome; 3]) -> Vec<Vec<(&'static str, Outcome)>> {
    let x = [("t:1.1", of[0]), ("t:1.2", of[1]), ("t:1.3", of[2])];
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        .map(|order| order.map(|at| x[at]).to_vec())
        .to_vec()
}

#[test]
fn l12_e24_multi_error_then_done_and_done_then_error_never_chain() {
    for order in orders([Outcome::Error, Outcome::Done, Outcome::Aborted]) {
        assert_eq!(ends(&order), ("turn-end t:1 error".to_owned(), "next held".to_owned()));
    }
}

#[test]
fn l12_e25_mixed_abort_done() {
    for order in orders([Outcome::Aborted, Outcome::Done, Outcome::Aborted]) {
        assert_eq!(ends(&order), ("turn-end t:1 done".to_owned(), String::new()));
    }
    for order in orders([Outcome::Aborted, Outcome::Aborted, Outcome::Aborted]) {
        assert_eq!(ends(&order), ("turn-end t:1 aborted".to_owned(), "next held".to_owned()));
    }
    let mut b = three();
    b.done("t:1.1");
    assert!(b.stop().contains("turn-end t:1 aborted"), "after a stop, mixed is aborted");
}

#[test]
fn e26_pending_until_first_chunk_of_any() {
    let mut b = three();
    assert_eq!(b.phase(), Some(Phase::Pending));
    b.delta("t:1.2", "hi");
    assert_eq!(b.phase(), Some(Phase::Streaming));
    b.ask("t:1.3", "c");
    assert_eq!(b.phase(), Some(Phase::AwaitingApproval));
}

#[test]
fn e27_retry_one_member_keeps_order_new_attempt() {
    let mut b = three();
    let retry = |x: &str| Input::Retry { turn: "t:1".into(), execution: x.into() };
    assert_eq!(b.nothing(retry("t:1.1")), "says stale");
    b.delta("t:1.1", "half");
    assert_eq!(b.fail("t:1.1"), "error \"broke\"");
    assert_eq!(b.put(retry("t:1.1")), "append t:1 2; request t:1.1.2/0 p");
    assert_eq!(b.nothing(end("t:1.1", Outcome::Done)), "says late", "the old attempt is over");
    b.delta("t:1.1.2", "whole");
    let turn = b.snapshot().turns.pop().unwrap();
    let order: Vec<_> = turn.rows.iter().filter_map(|row| row.execution.as_ref()).map(|id| id.as_str()).collect();
    assert_eq!(order, ["t:1.1", "t:1.1.2"]);
    b.done("t:1.2");
    b.done("t:1.3");
    assert!(b.done("t:1.1.2").starts_with("turn-end t:1 done"));
    assert_eq!(b.nothing(retry("t:1.1.2")), "says late", "L9: a turn ends once");
}

#[test]
fn e28_only_the_last_attempt_counts() {
    let mut b = three();
    b.fail("t:1.2");
    b.put(Input::Retry { turn: "t:1".into(), execution: "t:1.2".into() });
    b.fail("t:1.2.2");
    assert_eq!(
        b.put(Input::Retry { turn: "t:1".into(), execution: "t:1.2.2".into() }),
        "append t:1 1; request t:1.2.3/0 q"
    );
    b.done("t:1.1");
    b.done("t:1.3");
    assert_eq!(b.done("t:1.2.3"), "turn-end t:1 done; seal t:1 0");
}

#[test]
fn only_rows_and_events_of_several_name_their_execution() {
    let mut b = three();
    b.delta("t:1.2", "hi");
    assert_eq!(b.events.last().unwrap().execution.as_ref().unwrap().as_str(), "t:1.2");
    for x in ["t:1.1", "t:1.2", "t:1.3"] {
        b.done(x);
    }
    assert!(b.log.iter().skip(1).all(|row| row.execution.is_some()));
    let mut b = Bench::new();
    b.send("a");
    b.delta(super::bench::X, "hi");
    assert_eq!(b.events.last().unwrap().execution, None);
}
