//! What people decide about calls, and what timers decide instead of them.

use crate::model::{CallId, Decision, Event, ExecutionId, Outcome, TurnId};

use super::effect::{Answer, Code, Effect, Status, Why};
use super::execution::{CallState, Execution, Idle, OpenCall};
use super::input::{Target, TimerId};
use super::policy::OnDeny;
use super::rows::Cause;
use super::text;
use super::thread::{Out, Thread};

impl Thread {
    pub(super) fn on_approve(&mut self, target: Target, out: &mut Out<'_>) {
        let Some((id, target)) = self.asked("approve", target, out) else { return };
        let call = target.call;
        self.resolve(&id, &call, Decision::Approved, target.reason, out);
        self.answer_decision("approve", &call, Status::Ok, None, out);
        let turn = self.open().map(|turn| turn.id.clone());
        let Some(execution) = self.execution_mut(&id) else { return };
        let tool = execution.tool(&call).and_then(|tool| Some((tool.name.clone(), tool.arguments.clone()?)));
        let open = execution.open_mut().and_then(|open| open.iter_mut().rev().find(|open| open.call == call));
        if let (Some(turn), Some((name, arguments)), Some(open)) = (turn, tool, open) {
            open.state = CallState::Running;
            out.push(Effect::RunTool { turn, execution: id, call, name, arguments });
        }
    }

    pub(super) fn on_deny(&mut self, target: Target, out: &mut Out<'_>) {
        let Some((id, target)) = self.asked("deny", target, out) else { return };
        let result = text::denied(target.reason.as_deref());
        self.resolve(&id, &target.call, Decision::Denied, target.reason, out);
        self.answer_decision("deny", &target.call, Status::Ok, None, out);
        self.settle_call(&id, &target.call, result, true, out);
        match out.policy().on_deny {
            OnDeny::Continue => {
                self.go_on(&id, out);
                self.supersede(out);
            }
            OnDeny::End => self.end_execution(&id, Outcome::Aborted, None, Cause::Stopped, out),
        }
    }

    /// The execution whose call waits for a person. Where none does, that is the answer.
    fn asked(&mut self, to: &'static str, target: Target, out: &mut Out<'_>) -> Option<(ExecutionId, Target)> {
        let (turn, execution) = (target.turn.as_ref(), target.execution.as_ref());
        let found = self.with_call(&target.call, turn, execution, OpenCall::is_asking);
        if found.is_none() {
            out.report(Code::Stale, turn, format!("{to}: call {} waits for nobody", target.call));
            self.answer_decision(to, &target.call, Status::Stale, target.turn.clone(), out);
        }
        found.map(|id| (id, target))
    }

    fn answer_decision(
        &self,
        to: &'static str,
        call: &CallId,
        status: Status,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let turn = turn.or_else(|| self.open().filter(|_| status == Status::Ok).map(|turn| turn.id.clone()));
        let call = Some(call.clone());
        out.push(Effect::Answer(Answer { to, client: None, message: None, call, status, turn, n: self.n }));
    }

    /// Tells a decision, and stops its clock.
    pub(super) fn resolve(
        &mut self,
        id: &ExecutionId,
        call: &CallId,
        decision: Decision,
        reason: Option<String>,
        out: &mut Out<'_>,
    ) {
        let turn = self.open().map(|turn| turn.id.clone());
        let Some(execution) = self.execution_mut(id) else { return };
        execution.parts.approval_resolved(call, decision, reason.clone());
        let tag = execution.tag.clone();
        let open = execution.open_mut().and_then(|open| open.iter_mut().rev().find(|open| open.call == *call));
        if let Some(OpenCall { state: CallState::Asking { timer }, .. }) = open
            && let Some(timer) = timer.take()
        {
            out.push(Effect::CancelTimer { timer });
        }
        self.publish(tag, Event::ApprovalResolved { call: call.clone(), decision, reason, turn }, out);
    }

    /// A timer belongs to a turn that is not written, to a call that waits, or to a model that is silent.
    pub(super) fn on_timer(&mut self, timer: TimerId, out: &mut Out<'_>) {
        if self.write_again(timer, out) || self.expire(timer, out) || self.silent(timer, out) {
            return;
        }
        out.report(Code::Stale, None, format!("timer {} is over", timer.0));
    }

    fn expire(&mut self, timer: TimerId, out: &mut Out<'_>) -> bool {
        let asks = |open: &&OpenCall| open.state == CallState::Asking { timer: Some(timer) };
        let asked = |it: &Execution| Some((it.id.clone(), it.open().iter().find(asks)?.call.clone()));
        let found = self.open().and_then(|turn| turn.executions().find_map(asked));
        let Some((id, call)) = found else { return false };
        if let Some(open) = self.execution_mut(&id).and_then(|it| it.open_mut()) {
            for open in open.iter_mut().filter(|open| open.call == call) {
                // It has fired, so nothing is left to cancel.
                open.state = CallState::Asking { timer: None };
            }
        }
        self.resolve(&id, &call, Decision::Expired, None, out);
        self.settle_call(&id, &call, text::expired(), true, out);
        self.go_on(&id, out);
        self.supersede(out);
        true
    }

    fn silent(&mut self, timer: TimerId, out: &mut Out<'_>) -> bool {
        let watched = |it: &Execution| {
            let idle = it.idle.as_ref().filter(|idle| idle.timer == timer)?;
            Some((it.id.clone(), idle.heard))
        };
        let found = self.open().and_then(|turn| turn.executions().find_map(watched));
        let Some((id, heard)) = found else { return false };
        if heard && let Some(after_ms) = out.policy().idle_timeout_ms {
            let timer = self.start_timer(after_ms, Why::Idle, out);
            if let Some(execution) = self.execution_mut(&id) {
                execution.idle = Some(Idle { timer, heard: false });
            }
            return true;
        }
        if let Some(execution) = self.execution_mut(&id) {
            execution.idle = None;
        }
        self.end_execution(&id, Outcome::Aborted, None, Cause::TimedOut, out);
        true
    }
}
