//! How executions and turns end, and what follows from it.

use crate::model::{Event, ExecutionId, Outcome, TurnId};

use super::effect::{Code, Effect};
use super::execution::{CallState, Execution, OpenCall, Stage};
use super::policy::{OnApproval, OnEnd};
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
        self.close_execution(id, outcome, error, cause, out);
        if let Some(outcome) = self.open().and_then(Turn::settled) {
            self.end_turn(outcome, out);
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
        execution.parts.end();
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

    /// Ends the running turn as aborted, whatever its executions did.
    pub(super) fn abort(&mut self, cause: Cause, out: &mut Out<'_>) {
        let ids: Vec<ExecutionId> =
            self.open().into_iter().flat_map(Turn::executions).map(|it| it.id.clone()).collect();
        for id in ids {
            self.close_execution(&id, Outcome::Aborted, None, cause, out);
        }
        self.end_turn(Outcome::Aborted, out);
    }

    /// Where the policy says so: a message that waits takes the place of calls that only wait for a person.
    pub(super) fn supersede(&mut self, out: &mut Out<'_>) {
        if out.policy().on_approval != OnApproval::Supersede || self.queue.is_held() || self.queue.is_empty() {
            return;
        }
        let only_asks = |it: &Execution| match &it.stage {
            Stage::Waiting { open } => !open.is_empty() && open.iter().all(OpenCall::is_asking),
            Stage::Ended { .. } => true,
            Stage::Pending | Stage::Streaming { .. } => false,
        };
        if !self.open().is_some_and(|turn| turn.executions().all(only_asks)) {
            return;
        }
        let items = self.queue.take(out.policy().batch);
        self.abort_for(items, out);
    }

    /// The message is an explicit act of the user: what waits behind it goes on as before.
    fn abort_for(&mut self, items: Vec<Item>, out: &mut Out<'_>) {
        let rest = self.queue.clear();
        self.abort(Cause::Superseded, out);
        let waited = items.iter().map(|item| item.0.id.clone()).collect();
        let version = self.queue.version;
        self.queue = super::queue::Queue::new(rest, Flow::Flowing, version);
        if self.may_start(out) {
            self.start(items, waited, out);
        } else {
            for Item(message) in items.into_iter().rev() {
                let id = message.id.clone();
                self.queue.push(message);
                self.queue.move_to(&id, 0);
            }
        }
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
