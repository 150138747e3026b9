//! One turn after the other: E1 to E11.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{OnApproval, Policy};
use turnseal::model::Phase;
use turnseal::transcript::Vendor;

use super::bench::{Bench, X, output, result};

fn supersede() -> Policy {
    Policy { on_approval: OnApproval::Supersede, ..Policy::default() }
}

#[test]
fn e01_stop_then_send_second_dispatches() {
    let mut b = Bench::new();
    b.send("a");
    assert_eq!(b.stop(), "cancel-request t:1.1; turn-end t:1 aborted; seal t:1 0");
    assert_eq!(b.send("b"), "turn-start t:2 b; append t:2 1; request t:2.1/0; answer send ok t:2");
}

#[test]
fn e02_stop_during_tool_ends_at_once() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.step_end(X);
    assert_eq!(b.phase(), Some(Phase::AwaitingTool));
    assert_eq!(b.stop(), "cancel-tool c; turn-end t:1 aborted; seal t:1 2");
    assert_eq!(
        b.rows("t:1"),
        r#"user "say a"; call c; tool_interrupted {"callId":"c","cause":"stopped","started":true}"#
    );
}

#[test]
fn e03_late_tool_output_after_stop_is_dropped_and_b_completes() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.step_end(X);
    b.stop();
    b.send("b");
    assert_eq!(b.nothing(output("t:1", "c")), "says late");
    assert_eq!(b.nothing(result("t:1", "c")), "says late");
    b.delta("t:2.1", "B");
    assert_eq!(b.done("t:2.1"), "turn-end t:2 done; seal t:2 1");
}

#[test]
fn e04_auto_approved_call_is_paired_next_turn() {
    let mut b = Bench::new();
    b.send("a");
    assert_eq!(b.call(X, "c"), "call c; run c");
    b.step_end(X);
    assert_eq!(b.result("t:1", "c"), "result c; append t:1 2; request t:1.1/1");
    b.delta(X, "A");
    b.done(X);
    b.send("b");
    let told = b.told(Vendor::Anthropic, None);
    assert!(told.problems.is_empty() && told.fillers.is_empty(), "{told:?}");
    assert!(told.messages.contains("tool_use") && told.messages.contains("tool_result"));
}

#[test]
fn e05_queued_message_history_has_a_reply_and_b_once() {
    let mut b = Bench::new();
    b.send("a");
    assert_eq!(b.send("b"), "queued b; answer send queued");
    assert!(!b.messages().contains("say b"), "a queued message is no row");
    b.delta(X, "reply to a");
    assert_eq!(
        b.done(X),
        "turn-end t:1 done; seal t:1 1; consumed b Continuation; turn-start t:2 b; append t:2 1; request t:2.1/0"
    );
    let told = b.messages();
    assert_eq!(told.matches("say b").count(), 1);
    assert!(told.find("reply to a") < told.find("say b"), "{told}");
}

#[test]
fn e06_send_during_tool_waits_for_turn() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.step_end(X);
    assert_eq!(b.send("b"), "queued b; answer send queued");
    assert_eq!(b.result("t:1", "c"), "result c; append t:1 2; request t:1.1/1");
    assert!(b.done(X).contains("turn-start t:2 b"));
}

#[test]
fn e07_ignored_approval_then_send() {
    let mut b = Bench::new();
    b.send("a");
    b.ask(X, "c");
    b.step_end(X);
    assert_eq!(b.send("b"), "queued b; answer send queued");
    assert_eq!(b.phase(), Some(Phase::AwaitingApproval));
    assert!(b.nothing(super::bench::called(X, "c", None)).starts_with("says"));

    let mut b = Bench::policy(supersede());
    b.send("a");
    b.ask(X, "c");
    b.step_end(X);
    assert_eq!(
        b.send("b"),
        "queued b; turn-end t:1 done; seal t:1 2; consumed b Continuation; turn-start t:2 b; append t:2 1; \
         request t:2.1/0; answer send ok t:2"
    );
    assert!(b.rows("t:1").ends_with(r#"{"callId":"c","cause":"superseded","started":false}"#));
    assert!(b.messages().contains("never started"));
}

#[test]
fn e08_executing_tool_never_abandoned_by_send() {
    let mut b = Bench::policy(supersede());
    b.send("a");
    b.ask(X, "c");
    b.call(X, "d");
    b.step_end(X);
    assert_eq!(b.send("b"), "queued b; answer send queued");
    assert!(b.result("t:1", "d").starts_with("result d; turn-end t:1 done"), "the last thing that ran is over");
}

#[test]
fn e09_stop_resets_execution_accounting() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.stop();
    b.send("b");
    assert_eq!(b.call("t:2.1", "c"), "call c; run c");
    b.step_end("t:2.1");
    assert_eq!(b.nothing(result("t:1", "c")), "says late");
    assert_eq!(b.result("t:2", "c"), "result c; append t:2 2; request t:2.1/1");
}

#[test]
fn e10_park_with_queue_supersedes() {
    let mut b = Bench::policy(supersede());
    b.send("a");
    b.send("b");
    b.ask(X, "c");
    assert_eq!(
        b.step_end(X),
        "turn-end t:1 done; seal t:1 2; consumed b Continuation; turn-start t:2 b; append t:2 1; request t:2.1/0"
    );
}

#[test]
fn e11_orphan_call_filler_adjacent() {
    let mut b = Bench::new();
    b.send("a");
    b.call(X, "c");
    b.call(X, "d");
    b.result("t:1", "c");
    b.stop();
    b.send("b");
    for vendor in [Vendor::Anthropic, Vendor::OpenaiChat, Vendor::OpenaiResponses, Vendor::Neutral] {
        let told = b.told(vendor, None);
        assert!(told.problems.is_empty(), "{told:?}");
        assert_eq!(told.fillers.len(), 1);
        assert_eq!(told.fillers[0].call.as_str(), "d");
    }
}
