//! How executions and turns end, and what follows from it.

use crate::model::{CallId, Decision, Event, ExecutionId, Outcome, Part, TurnId};

use super::effect::{Code, Effect};
use super::execution::{CallState, Execution, OpenCall, Stage};
use super::policy::{Background, Mixed, OnApproval, OnEnd};
use super::queue::{Flow, Item};
use super::rows::Cause;
use super::thread::{Out, Thread};
use super::turn::{Turn, TurnPhase, Write};

impl Thread {
    pub(super) fn on_execution_end(
        &mut self,
        id: &ExecutionId,
        outcome: Outcome,
        error: Option<String>,
        out: &mut Out<'_>,
    ) {
        if self.running(id, out).is_none() {
            return;
        }
        let is_open = self.execution(id).is_some_and(|it| !it.open().is_empty());
        match outcome {
            Outcome::Done if is_open => {
                // The response is over and its calls are not: their results go back to the model.
                self.close_response(id, out);
                self.supersede(out);
            }
            Outcome::Done => self.end_execution(id, Outcome::Done, None, Cause::Stopped, out),
            Outcome::Aborted => self.end_execution(id, Outcome::Aborted, None, Cause::Stopped, out),
            Outcome::Error => self.end_execution(id, Outcome::Error, error, Cause::Stopped, out),
        }
    }

    /// Ends one execution. The first end wins; what it still waits for is given up.
    pub(super) fn end_execution(
        &mut self,
        id: &ExecutionId,
        outcome: Outcome,
        error: Option<String>,
        cause: Cause,
        out: &mut Out<'_>,
    ) {
        let others = |turn: &Turn| turn.executions().any(|it| it.id != *id && it.outcome().is_none());
        if self.open().is_some_and(others) {
            self.hush(id, out);
        }
        self.close_execution(id, outcome, error, cause, out);
        self.settle_turn(out);
        // L12: the others may have waited for nobody but this one and a person.
        self.supersede(out);
    }

    fn settle_turn(&mut self, out: &mut Out<'_>) {
        if let Some(outcome) = self.open().and_then(|turn| turn.settled(out.policy().mixed)) {
            self.end_turn(outcome, out);
        }
    }

    /// The turn goes on without this execution, so nothing tells its readers yet that it waits for nobody: its calls are
    /// cancelled and its reasoning is whole.
    fn hush(&mut self, id: &ExecutionId, out: &mut Out<'_>) {
        let Some(turn) = self.open().map(|turn| turn.id.clone()) else { return };
        let Some(execution) = self.execution(id) else { return };
        let open = |part: &Part| if let Part::Tool(tool) = part { tool.state.is_open() } else { false };
        let tools = execution.parts.list().iter().filter(|part| open(part));
        let calls: Vec<CallId> =
            tools.filter_map(|part| if let Part::Tool(tool) = part { Some(tool.call.clone()) } else { None }).collect();
        for call in calls {
            self.resolve(id, &call, Decision::Cancelled, None, out);
        }
        let Some(execution) = self.execution_mut(id) else { return };
        let tag = execution.tag.clone();
        if execution.parts.reasoning_end(None) {
            self.publish(tag, Event::ReasoningEnd { metadata: None, turn: Some(turn) }, out);
        }
    }

    fn close_execution(
        &mut self,
        id: &ExecutionId,
        outcome: Outcome,
        error: Option<String>,
        cause: Cause,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.open_mut() else { return };
        let turn_id = turn.id.clone();
        let Some(execution) = turn.execution_mut(id) else { return };
        if execution.outcome().is_some() {
            return;
        }
        // Where several answer, the log tells which of them failed.
        let is_mute = outcome == Outcome::Error && error.is_none() && execution.tag.is_some();
        let error = if is_mute { Some("the model failed".to_owned()) } else { error };
        if let Some(idle) = execution.idle.take() {
            out.push(Effect::CancelTimer { timer: idle.timer });
        }
        if execution.is_answering() && outcome == Outcome::Aborted {
            out.push(Effect::CancelRequest { execution: id.clone() });
        }
        for open in execution.open() {
            give_up(&turn_id, id, open, out);
        }
        if let Some(text) = &error {
            execution.parts.error(text.clone(), None);
        }
        let mut fresh = execution.take_rows(&turn_id, cause);
        execution.stage = Stage::Ended { outcome, error: error.clone() };
        let tag = execution.tag.clone();
        turn.rows.append(&mut fresh);
        if let Some(error) = error {
            self.publish(tag, Event::Error { error, status_code: None, turn: Some(turn_id) }, out);
        }
    }

    /// L9: ends the running turn once, tells it, hands its rows over, and starts what may follow.
    fn end_turn(&mut self, outcome: Outcome, out: &mut Out<'_>) {
        let Some(turn) = self.open_mut() else { return };
        let error = if outcome == Outcome::Error { turn.error() } else { None };
        turn.end = TurnPhase::Ended { outcome, write: Write::Asked { attempt: 0 } };
        for execution in turn.slots.iter_mut().flatten() {
            execution.parts.end();
        }
        turn.sort_rows();
        turn.prove();
        let id = turn.id.clone();
        self.publish(None, Event::TurnEnd { turn: id.clone(), outcome, error }, out);
        self.seal(&id, out);
        match outcome {
            Outcome::Done => {}
            Outcome::Aborted => self.after(out.policy().on_stop, out),
            Outcome::Error => self.after(out.policy().on_error, out),
        }
        self.chain(out);
    }

    /// L11: nothing is chained onto a turn that was aborted or has failed, unless the policy says so.
    fn after(&mut self, policy: OnEnd, out: &mut Out<'_>) {
        if self.queue.is_empty() {
            return;
        }
        match policy {
            OnEnd::Hold if self.queue.is_held() => {}
            OnEnd::Hold => {
                self.queue.set(Flow::Held);
                self.publish_queue(out);
            }
            OnEnd::Drop => {
                for Item(message) in self.queue.clear() {
                    self.answers.forget(&message.id);
                    self.publish(None, Event::MessageCancelled { message: message.id }, out);
                }
            }
            OnEnd::Run => {}
        }
    }

    /// L9: a stop answers at once, in every phase.
    pub(super) fn on_stop(&mut self, turn: Option<&TurnId>, out: &mut Out<'_>) {
        let known = turn.is_none_or(|id| self.turns.iter().any(|known| known.id == *id));
        if !known {
            out.report(Code::Late, turn, "stop: the turn is sealed, or not known");
            return;
        }
        let is_open = self.open().is_some_and(|open| turn.is_none_or(|id| open.id == *id));
        if is_open {
            self.abort(Cause::Stopped, out);
        } else {
            self.write_now(out);
            if self.open().is_none() {
                // A message that waits for the seal is not to start by itself any more.
                self.after(out.policy().on_stop, out);
            }
        }
    }

    /// Nobody looks on any more: where the policy says so, the running turn stops.
    pub(super) fn on_watchers(&mut self, count: usize, out: &mut Out<'_>) {
        if count == 0 && out.policy().background == Background::Abort && self.open().is_some() {
            self.abort(Cause::Stopped, out);
        }
    }

    /// Ends the running turn as aborted, whatever its executions did.
    pub(super) fn abort(&mut self, cause: Cause, out: &mut Out<'_>) {
        let ids: Vec<ExecutionId> =
            self.open().into_iter().flat_map(Turn::executions).map(|it| it.id.clone()).collect();
        for id in ids {
            self.close_execution(&id, Outcome::Aborted, None, cause, out);
        }
        self.end_turn(Outcome::Aborted, out);
    }

    /// Where the policy says so: a message that waits takes the place of calls that only wait for a person. The turn is
    /// done then: the user went on, nobody stopped it.
    pub(super) fn supersede(&mut self, out: &mut Out<'_>) {
        if out.policy().on_approval != OnApproval::Supersede || self.queue.is_held() || self.queue.is_empty() {
            return;
        }
        let only_asks = |it: &Execution| match &it.stage {
            Stage::Waiting { open } => !open.is_empty() && open.iter().all(OpenCall::is_asking),
            // L11: nothing is chained onto a failed turn, so nothing would be gained.
            Stage::Ended { outcome: Outcome::Done, .. } => true,
            Stage::Ended { outcome: Outcome::Aborted, .. } => out.policy().mixed == Mixed::Done,
            Stage::Ended { outcome: Outcome::Error, .. } => false,
            Stage::Pending | Stage::Streaming { .. } => false,
        };
        let Some(turn) = self.open().filter(|turn| turn.executions().all(only_asks)) else { return };
        let asking: Vec<ExecutionId> =
            turn.executions().filter(|it| it.outcome().is_none()).map(|it| it.id.clone()).collect();
        for id in asking {
            self.close_execution(&id, Outcome::Done, None, Cause::Superseded, out);
        }
        self.settle_turn(out);
    }
}

/// Tells that the answer to an open call is no longer wanted.
fn give_up(turn: &TurnId, execution: &ExecutionId, open: &OpenCall, out: &mut Out<'_>) {
    match &open.state {
        CallState::Running => {
            let (turn, execution, call) = (turn.clone(), execution.clone(), open.call.clone());
            out.push(Effect::CancelTool { turn, execution, call });
        }
        CallState::Asking { timer: Some(timer) } => out.push(Effect::CancelTimer { timer: *timer }),
        CallState::Asking { timer: None } => {}
    }
}
