//! Who may let a call run: E29 to E37, and what clocks decide.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Input, OnDeny, Policy, Target};
use turnseal::model::{ApprovalState, Part, Phase};

use super::bench::{Bench, X, called, result, target};

fn parked(calls: &[&str]) -> Bench {
    let mut b = Bench::new();
    b.send("a");
    for call in calls {
        b.ask(X, call);
    }
    b.step_end(X);
    b
}

fn asked(b: &Bench) -> Vec<String> {
    b.snapshot().approvals.unwrap_or_default().into_iter().map(|it| it.call.to_string()).collect()
}

#[test]
fn e29_sibling_output_keeps_other_approval() {
    let mut b = Bench::new();
    b.send("a");
    b.ask(X, "c");
    b.call(X, "d");
    b.step_end(X);
    assert_eq!(b.result("t:1", "d"), "result d");
    assert_eq!((b.phase(), asked(&b)), (Some(Phase::AwaitingApproval), vec!["c".to_owned()]));
    assert_eq!(b.approve("c"), "resolved c Approved; answer approve ok t:1; run c");
    assert_eq!(b.phase(), Some(Phase::AwaitingTool));
}

#[test]
fn e30_two_approvals_last_one_continues() {
    let mut b = parked(&["c", "d"]);
    b.approve("c");
    assert_eq!(b.result("t:1", "c"), "result c");
    assert_eq!(b.phase(), Some(Phase::AwaitingApproval));
    b.approve("d");
    assert_eq!(b.result("t:1", "d"), "result d; append t:1 4; request t:1.1/1");
}

#[test]
fn e31_second_approve_is_stale() {
    let mut b = parked(&["c"]);
    b.approve("c");
    assert_eq!(b.nothing(Input::Approve(target("c"))), "says stale; answer approve stale");
    assert_eq!(b.nothing(Input::Deny(target("c"))), "says stale; answer deny stale");
}

#[test]
fn e32_approve_after_stop_never_runs() {
    let mut b = parked(&["c"]);
    assert_eq!(b.stop(), "turn-end t:1 aborted; seal t:1 2");
    assert_eq!(b.nothing(Input::Approve(target("c"))), "says stale; answer approve stale");
    assert!(asked(&b).is_empty());
    assert!(b.rows("t:1").ends_with(r#"{"callId":"c","cause":"stopped","started":false}"#));
}

#[test]
fn e33_a_send_leaves_the_question_open() {
    let mut b = parked(&["c"]);
    b.send("b");
    b.steer("s");
    assert_eq!(asked(&b), ["c"]);
    assert!(b.approve("c").ends_with("run c"));
}

#[test]
fn e34_deny_yields_denied_result_and_continues() {
    let mut b = parked(&["c"]);
    let deny = Input::Deny(Target { reason: Some("too \"risky\"".into()), ..target("c") });
    assert_eq!(b.put(deny), "resolved c Denied; answer deny ok t:1; result c error; append t:1 2; request t:1.1/1");
    assert!(b.rows("t:1").ends_with(r#""The user did not allow this tool call. Reason: too \"risky\"""#));
    assert!(b.messages().contains("did not allow"));

    let mut b = Bench::policy(Policy { on_deny: OnDeny::End, ..Policy::default() });
    b.send("a");
    b.ask(X, "c");
    b.step_end(X);
    assert!(b.deny("c").ends_with("result c error; turn-end t:1 aborted; seal t:1 2"));
}

#[test]
fn e35_paused_or_error_while_awaiting_clears_anchors_no_minted_chunk() {
    let mut b = parked(&["c"]);
    assert_eq!(b.fail(X), "error \"broke\"; turn-end t:1 error; seal t:1 3");
    assert!(asked(&b).is_empty());
    let turn = b.snapshot().turns.pop().unwrap();
    let Some(Part::Tool(tool)) = turn.rows[1].parts.first() else { panic!("{turn:?}") };
    assert_eq!(tool.approval.as_ref().map(|it| it.state), Some(ApprovalState::Cancelled));
    assert!(!b.rows("t:1").contains("result c"), "{}", b.rows("t:1"));
}

#[test]
fn e36_duplicate_approval_request_identity() {
    let mut b = Bench::new();
    b.send("a");
    b.ask(X, "c");
    assert_eq!(b.nothing(called(X, "c", Some(Default::default()))), "says refused");
}

#[test]
fn e37_start_while_parked_writes_nothing() {
    let mut b = parked(&["c"]);
    let log = b.log.len();
    b.send("b");
    assert_eq!(b.log.len(), log);
}

#[test]
fn text_never_counts_as_an_approval() {
    let mut b = parked(&["c"]);
    b.send("yes, do it");
    assert_eq!(asked(&b), ["c"]);
    assert!(!b.all.iter().any(|effect| matches!(effect, turnseal::engine::Effect::RunTool { .. })));
}

#[test]
fn an_approval_expires_where_a_time_is_set() {
    let mut b = Bench::policy(Policy { approval_timeout_ms: Some(1000), ..Policy::default() });
    b.send("a");
    assert_eq!(b.ask(X, "c"), "call c; ask c; timer 1 1000 approval");
    b.ask(X, "d");
    b.step_end(X);
    assert_eq!(b.fires(1), "resolved c Expired; result c error");
    assert_eq!(
        b.approve("d"),
        "resolved d Approved; answer approve ok t:1; run d".replace("resolved d", "no-timer 2; resolved d")
    );
    assert_eq!(b.nothing(Input::TimerFired { timer: turnseal::engine::TimerId(2) }), "says stale");
}

#[test]
fn a_result_without_a_decision_clears_only_its_own_question() {
    let mut b = parked(&["c", "d"]);
    assert_eq!(b.put(result("t:1", "c")), "result c");
    assert_eq!(asked(&b), ["d"]);
}

#[test]
fn after_six_failures_in_a_row_an_execution_gives_up() {
    let mut b = Bench::new();
    b.send("a");
    for step in 0..6 {
        let call = format!("c{step}");
        b.call(X, &call);
        b.step_end(X);
        let Input::ToolResult { turn, execution, call, result, .. } = result("t:1", &call) else { panic!() };
        let said = b.put(Input::ToolResult { turn, execution, call, result, is_error: true });
        assert_eq!(said.contains("turn-end t:1 error"), step == 5, "{said}");
    }
}
