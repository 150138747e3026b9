//! Steers and the queue: E12 to E23.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Batch, Gate, Input, OnEnd, OnLateSteer, OnSteer, Policy};
use turnseal::model::{Intent, Phase};

use super::bench::{Bench, X, message, queued};

#[test]
fn e12_steer_live_yields_then_chains_no_idle_flicker() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.step_end(X);
    assert_eq!(b.steer("s"), "queued s steer; yield t:1.1; answer send queued");
    assert_eq!(b.steer("s2"), "queued s2 steer; answer send queued");
    let chained = "result c; turn-end t:1 done; seal t:1 2; consumed s Continuation; turn-start t:2 s; append t:2 1; \
                   request t:2.1/0";
    assert_eq!(b.result("t:1", "c"), chained);
}

#[test]
fn e13_steer_after_done_starts() {
    let mut b = Bench::new();
    b.send("a");
    b.done(X);
    assert_eq!(b.steer("s"), "turn-start t:2 s; append t:2 1; request t:2.1/0; answer send ok t:2");
}

#[test]
fn e14_steer_in_chaining_window_kept() {
    let mut b = Bench::policy(Policy { gate: Gate::Sealed, ..Policy::default() });
    b.send("a");
    b.send("b");
    b.done(X);
    assert_eq!(b.steer("s"), "queued s steer; answer send queued");
    assert!(b.persisted("t:1").contains("turn-start t:2 s"));
    assert_eq!(b.queue(), "b");
}

#[test]
fn e15_steer_after_park_queued() {
    let mut b = Bench::new();
    b.send("a");
    b.ask(X, "c");
    b.step_end(X);
    assert_eq!(b.steer("s"), "queued s steer; answer send queued");
    assert_eq!(b.phase(), Some(Phase::AwaitingApproval));
    b.approve("c");
    assert!(b.result("t:1", "c").contains("turn-end t:1 done"), "the steer runs at the step boundary");
    assert_eq!(b.queue(), "");
}

#[test]
fn e16_steer_between_stop_and_end_returned() {
    let mut b = Bench::new();
    b.send("a");
    b.stop();
    assert_eq!(b.nothing(Input::Send(message("s", Intent::Steer))), "answer send returned");
    b.persisted("t:1");
    assert!(b.steer("s").starts_with("turn-start t:2 s"), "the seal ends the window, and returned is not remembered");

    let mut b = Bench::new();
    b.send("a");
    b.fail(X);
    assert_eq!(b.steer("s"), "answer send returned");
    b.send("b");
    assert_eq!(b.steer("s"), "queued s steer; yield t:2.1; answer send queued");

    let mut b = Bench::policy(Policy { late_steer: OnLateSteer::Start, ..Policy::default() });
    b.send("a");
    b.stop();
    assert!(b.steer("s").starts_with("turn-start t:2 s"));
}

#[test]
fn e17_steer_during_seal_window_runs() {
    let mut b = Bench::new();
    b.send("a");
    b.done(X);
    b.steer("s");
    assert!(b.persisted("t:1").starts_with("sealed t:1"));
    assert_eq!(b.phase(), Some(Phase::Pending));
    assert_eq!(b.done("t:2.1"), "turn-end t:2 done; seal t:2 0");
}

#[test]
fn e18_fifo_one_per_turn() {
    let mut b = Bench::new();
    b.send("a");
    for id in ["b", "c", "d"] {
        b.send(id);
    }
    b.steer("s");
    assert_eq!(b.queue(), "s b c d");
    for (turn, next) in ["s", "b", "c", "d"].into_iter().enumerate() {
        let ended = b.done(&format!("t:{}.1", turn + 1));
        assert!(ended.contains(&format!("turn-start t:{} {next};", turn + 2)), "{ended}");
    }
}

#[test]
fn e19_batch_prefix_same_key() {
    let mut b = Bench::policy(Policy { batch: Batch::Alike, ..Policy::default() });
    b.send("a");
    for id in ["b", "c"] {
        b.send(id);
    }
    b.steer("s");
    assert!(b.done(X).contains("turn-start t:2 s;"), "a steer is of another kind");
    assert!(b.done("t:2.1").contains("consumed b+c Continuation; turn-start t:3 b+c;"));
    let row = b.log.iter().find(|row| row.turn.as_str() == "t:3").unwrap();
    assert_eq!((row.message.clone(), row.messages.len(), row.clients.len()), (None, 2, 2));
    assert!(b.rows("t:3").contains(r#"user "say b\n\nsay c""#), "{}", b.rows("t:3"));
}

#[test]
fn e20_retarget_moves_to_head_same_id() {
    let mut b = Bench::new();
    b.send("a");
    for id in ["b", "c"] {
        b.send(id);
    }
    assert_eq!(b.put(Input::SendNow { message: queued("c") }), "queue [c+b]; yield t:1.1; answer send-now ok");
    assert!(b.done(X).contains("consumed c Continuation; turn-start t:2 c;"));
    assert_eq!(b.queue(), "b");

    let mut b = Bench::new();
    b.send("a");
    for id in ["b", "c"] {
        b.send(id);
    }
    b.stop();
    let now = b.put(Input::SendNow { message: queued("c") });
    assert!(now.starts_with("queue [c+b] held; consumed c Continuation; turn-start t:2 c;"), "{now}");
    assert_eq!(b.done("t:2.1"), "turn-end t:2 done; seal t:2 0", "the rest stays held");
    assert_eq!(b.queue(), "b held");
}

#[test]
fn e21_a_move_is_clamped_to_its_kind() {
    let mut b = Bench::new();
    b.send("a");
    for id in ["b", "c", "d"] {
        b.send(id);
    }
    b.steer("s");
    assert_eq!(b.put(Input::MoveQueued { message: queued("d"), index: 0 }), "queue [s+d+b+c]; answer move-queued ok");
    assert_eq!(b.put(Input::MoveQueued { message: queued("s"), index: 9 }), "queue [s+d+b+c]; answer move-queued ok");
    assert_eq!(b.put(Input::MoveQueued { message: queued("d"), index: 9 }), "queue [s+b+c+d]; answer move-queued ok");
}

#[test]
fn e22_remove_after_dispatch_is_stale() {
    let mut b = Bench::new();
    b.send("a");
    b.send("b");
    b.send("c");
    assert_eq!(b.put(Input::CancelQueued { message: queued("c") }), "cancelled c; answer cancel-queued ok");
    b.done(X);
    for input in [
        Input::CancelQueued { message: queued("b") },
        Input::EditQueued { message: queued("b"), text: "x".into() },
        Input::MoveQueued { message: queued("b"), index: 0 },
        Input::SendNow { message: queued("b") },
    ] {
        assert!(b.nothing(input).ends_with("stale"));
    }
    assert_eq!(b.nothing(Input::Send(message("c", Intent::Queue))), "answer send queued", "cancelled stays cancelled");
}

#[test]
fn e23_kick_before_idle_identity() {
    let mut b = Bench::new();
    b.send("a");
    b.send("b");
    assert_eq!(b.nothing(Input::ResumeQueue), "answer resume-queue stale");
}

#[test]
fn an_edit_is_what_the_turn_says() {
    let mut b = Bench::new();
    b.send("a");
    b.send("b");
    assert_eq!(
        b.put(Input::EditQueued { message: queued("b"), text: "new".into() }),
        "edited b; answer edit-queued ok"
    );
    b.done(X);
    assert_eq!(b.rows("t:2"), r#"user "new""#);
}

#[test]
fn a_queue_is_dropped_or_runs_on_where_the_policy_says_so() {
    let mut b = Bench::policy(Policy { on_stop: OnEnd::Drop, ..Policy::default() });
    b.send("a");
    b.send("b");
    assert!(b.stop().ends_with("seal t:1 0; cancelled b"));
    assert!(b.send("b").starts_with("turn-start t:2 b"), "what was dropped may come again");

    let mut b = Bench::policy(Policy { on_stop: OnEnd::Run, ..Policy::default() });
    b.send("a");
    b.send("b");
    assert!(b.stop().contains("turn-start t:2 b"));
}

#[test]
fn a_steer_is_told_inside_the_turn_where_the_policy_says_so() {
    let mut b = Bench::policy(Policy { steer: OnSteer::Inject, ..Policy::default() });
    b.send("a");
    b.call(X, "c");
    b.step_end(X);
    assert_eq!(b.steer("s"), "queued s steer; answer send queued");
    assert_eq!(b.result("t:1", "c"), "result c; consumed s Interrupt; append t:1 3; request t:1.1/1");
    assert!(b.messages().ends_with(r#"{"role":"user","content":"say s"}]"#), "{}", b.messages());
    b.delta(X, "ok");
    b.done(X);
    assert_eq!(b.rows("t:1"), r#"user "say a"; call c; result c "out"; user "say s"; assistant "ok""#);
}

#[test]
fn a_held_steer_does_not_end_the_turn_that_was_let_past_it() {
    let mut b = Bench::new();
    b.send("a");
    b.send("b");
    b.steer("s");
    b.stop();
    assert_eq!(b.queue(), "s b held");
    b.put(Input::SendNow { message: queued("b") });
    b.call("t:2.1", "c");
    b.step_end("t:2.1");
    assert_eq!(b.result("t:2", "c"), "result c; append t:2 2; request t:2.1/1");
    assert_eq!(b.done("t:2.1"), "turn-end t:2 done; seal t:2 0");
    assert_eq!(b.queue(), "s held");
}
