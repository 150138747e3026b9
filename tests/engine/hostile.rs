//! Inputs as an enemy would give them: unknown, repeated, out of order, of the wrong kind, too many.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Input, OnDeny, Policy, Target, TimerId};
use turnseal::model::{ClientId, Event, Intent, Outcome, Phase};

use super::bench::{Bench, X, called, delta, end, message, output, queued, result, target, thread};
use super::table::phases;

/// Every input that can name something, naming what never was.
fn unknown() -> Vec<Input> {
    let (x, turn) = ("t:9.1", "t:9");
    let other = |call: &str| Target { turn: Some("t:9".into()), execution: Some("t:1.7".into()), ..target(call) };
    vec![
        Input::Stop { turn: Some(turn.into()) },
        delta(x, "more"),
        delta("", ""),
        Input::ReasoningEnd { execution: x.into(), metadata: None },
        Input::StepEnd { execution: x.into() },
        called(x, "c", None),
        called(x, "c", Some(Default::default())),
        output(turn, "c"),
        output("t:1", "no such call"),
        result(turn, "c"),
        result("t:1", "no such call"),
        end(x, Outcome::Done),
        end(x, Outcome::Error),
        end(x, Outcome::Aborted),
        Input::Approve(target("no such call")),
        Input::Approve(other("c")),
        Input::Deny(other("c")),
        Input::Persisted { turn: turn.into(), chunks: Vec::new() },
        Input::PersistFailed { turn: turn.into(), from: Some(usize::MAX), error: String::new() },
        Input::Retry { turn: "t:1".into(), execution: x.into() },
        Input::Retry { turn: turn.into(), execution: X.into() },
        Input::CancelQueued { message: queued("nobody") },
        Input::EditQueued { message: queued("nobody"), text: String::new() },
        Input::MoveQueued { message: queued("nobody"), index: usize::MAX },
        Input::SendNow { message: queued("nobody") },
        Input::TimerFired { timer: TimerId(999) },
        Input::TimerFired { timer: TimerId(0) },
        Input::Watchers { count: 7 },
    ]
}

#[test]
fn what_names_nothing_changes_nothing_in_every_phase() {
    for (_, b) in phases() {
        for input in unknown() {
            b.clone().nothing(input);
        }
    }
}

#[test]
fn what_is_given_twice_happens_once_in_every_phase() {
    for (phase, b) in phases() {
        let mut all = unknown();
        all.extend([
            Input::Send(message("new", Intent::Queue)),
            Input::Send(message("new", Intent::Steer)),
            Input::Stop { turn: None },
            called(X, "again", None),
            result("t:1", "c"),
            end(X, Outcome::Done),
            end(X, Outcome::Error),
            Input::Approve(target("c")),
            Input::Deny(target("c")),
            b.written("t:1"),
            Input::CancelQueued { message: queued("q") },
            Input::ResumeQueue,
            Input::TimerFired { timer: TimerId(1) },
        ]);
        for input in all {
            let mut b = b.clone();
            b.put(input.clone());
            if matches!(input, Input::TimerFired { .. }) && phase == "unsaved" {
                continue; // The seal that it leads to may fail and start the next timer.
            }
            let first = b.engine.clone();
            b.put(input.clone());
            assert_eq!(first, b.engine, "{phase}: {input:?}");
        }
    }
}

#[test]
fn send_now_takes_the_message_once_in_every_phase() {
    for (phase, mut b) in phases() {
        let waits = b.queue().contains('q');
        let now = Input::SendNow { message: queued("q") };
        if !waits {
            assert!(b.nothing(now).ends_with("stale"), "{phase}");
            continue;
        }
        assert!(b.put(now).ends_with("answer send-now ok"), "{phase}");
        assert!(b.queue().starts_with('q') || b.events.iter().any(|it| starts(&it.event, "q")), "{phase}");
        b.stop();
        b.put(Input::ResumeQueue);
        let took = b.events.iter().filter(|it| starts(&it.event, "q")).count();
        assert!(took == 1 || b.queue().contains('q'), "{phase}: {took}");
    }
}

fn starts(event: &Event, message: &str) -> bool {
    matches!(event, Event::TurnStart { messages, .. } if messages.iter().any(|id| id.as_str() == message))
}

#[test]
fn an_index_is_clamped() {
    let mut b = Bench::new();
    for id in ["a", "b", "c"] {
        b.send(id);
    }
    for index in [usize::MAX, 2, 1] {
        b.put(Input::MoveQueued { message: queued("b"), index });
        assert_eq!(b.queue(), "c b");
    }
    b.put(Input::MoveQueued { message: queued("b"), index: 0 });
    assert_eq!(b.queue(), "b c");
}

#[test]
fn the_last_256_client_ids_are_remembered() {
    let mut b = Bench::new();
    for at in 0..300 {
        b.send(&format!("m{at}"));
    }
    for at in 44..300 {
        assert!(b.nothing(sent(at)).starts_with("answer send"), "{at}");
    }
    // Older ones are forgotten as answers; a message that waits is not taken twice all the same.
    for at in 1..44 {
        assert_eq!(b.nothing(sent(at)), "says refused; answer send refused", "{at}");
    }
    assert_eq!(b.engine.meta(&thread()).answered.len(), 256);
}

fn sent(at: usize) -> Input {
    Input::Send(message(&format!("m{at}"), Intent::Queue))
}

#[test]
fn a_client_id_that_was_returned_or_refused_may_come_again() {
    let mut b = Bench::new();
    b.send("a");
    b.stop();
    assert_eq!(b.nothing(Input::Send(message("s", Intent::Steer))), "answer send returned");
    let mut other = message("a", Intent::Queue);
    other.client = Some(ClientId::from("k-x"));
    assert_eq!(b.nothing(Input::Send(other)), "says refused; answer send refused");
    assert!(b.send("s").starts_with("turn-start t:2 s"));
    let mut again = message("fine", Intent::Queue);
    again.client = Some(ClientId::from("k-x"));
    assert!(b.put(Input::Send(again)).starts_with("queued fine"));
}

#[test]
fn what_a_turn_took_cannot_be_changed_any_more() {
    let mut b = Bench::new();
    b.send("a");
    b.send("b");
    b.done(X);
    for id in ["a", "b"] {
        assert!(b.nothing(Input::CancelQueued { message: queued(id) }).ends_with("stale"));
        assert!(b.nothing(Input::EditQueued { message: queued(id), text: "x".into() }).ends_with("stale"));
        assert!(b.nothing(Input::MoveQueued { message: queued(id), index: 0 }).ends_with("stale"));
        assert!(b.nothing(Input::SendNow { message: queued(id) }).ends_with("stale"));
    }
    assert!(b.rows("t:2").contains("say b"));
}

#[test]
fn a_call_id_that_comes_again_in_a_later_step_is_asked_and_decided_anew() {
    let mut b = Bench::new();
    b.send("a");
    for step in 1..4 {
        b.ask(X, "c");
        b.step_end(X);
        assert!(b.approve("c").ends_with("run c"), "step {step}");
        assert!(b.nothing(Input::Approve(target("c"))).ends_with("stale"));
        assert!(b.nothing(Input::Deny(target("c"))).ends_with("stale"));
        assert!(b.result("t:1", "c").ends_with(&format!("request t:1.1/{step}")));
        assert_eq!(b.nothing(result("t:1", "c")), "says late");
    }
    b.done(X);
    assert_eq!(b.rows("t:1").matches("result c").count(), 3);
}

#[test]
fn a_decision_goes_to_the_execution_that_it_names() {
    let mut b = Bench::models(&["p", "q"]);
    b.send("a");
    b.ask("t:1.1", "c");
    b.ask("t:1.2", "c");
    let of = |x: &str| Target { execution: Some(x.into()), turn: Some("t:1".into()), ..target("c") };
    b.put(Input::Approve(of("t:1.1")));
    assert!(b.nothing(Input::Approve(of("t:1.1"))).ends_with("stale t:1"));
    assert!(b.put(Input::Deny(of("t:1.2"))).contains("resolved c Denied"));
    assert!(b.nothing(Input::Deny(target("c"))).ends_with("stale"));
    let tool = |x: &str| Input::ToolResult {
        turn: "t:1".into(),
        execution: Some(x.into()),
        call: "c".into(),
        result: turnseal::model::Json::new("1"),
        is_error: false,
    };
    assert_eq!(b.nothing(tool("t:1.2")), "says late", "it was denied");
    assert_eq!(b.put(tool("t:1.1")), "result c");
}

#[test]
fn a_denial_that_ends_one_of_several_leaves_the_others() {
    let mut b = Bench::with(Policy { on_deny: OnDeny::End, ..Policy::default() }, &["p", "q"]);
    b.send("a");
    b.ask("t:1.1", "c");
    b.call("t:1.1", "d");
    b.step_end("t:1.1");
    assert_eq!(
        b.deny("c"),
        "resolved c Denied; answer deny ok t:1; result c error; resolved d Cancelled; cancel-tool d"
    );
    assert_eq!(b.phase(), Some(Phase::Streaming));
    assert!(b.done("t:1.2").starts_with("turn-end t:1 done"));
}
