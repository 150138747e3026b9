//! The steps of an execution: asked for, over, gone on from; and a failed one begun anew.

use crate::model::{CallId, Consumed, Decision, Event, ExecutionId, MessageId, Outcome, TurnId};

use super::effect::{Code, Effect, Why};
use super::execution::{Execution, Idle, Stage};
use super::queue::Item;
use super::rows::{self, Cause};
use super::thread::{Out, Thread};
use super::turn::Said;

impl Thread {
    /// Asks the model of an execution for its running step.
    pub(super) fn request(&mut self, id: &ExecutionId, out: &mut Out<'_>) {
        let Some(turn) = self.open().map(|turn| turn.id.clone()) else { return };
        if let Some(after_ms) = out.policy().idle_timeout_ms {
            let timer = self.start_timer(after_ms, Why::Idle, out);
            if let Some(execution) = self.execution_mut(id) {
                execution.idle = Some(Idle { timer, heard: false });
            }
        }
        if let Some(execution) = self.execution(id) {
            let (step, model) = (execution.step, execution.model.clone());
            out.push(Effect::Request { turn, execution: id.clone(), step, model });
        }
    }

    /// Hands over what is not handed over yet.
    pub(super) fn append(&mut self, out: &mut Out<'_>) {
        let Some(turn) = self.open_mut() else { return };
        let from = turn.handed;
        let chunks = turn.rows.get(from..).unwrap_or_default().to_vec();
        if !chunks.is_empty() {
            turn.handed = turn.rows.len();
            turn.newest = from;
            out.push(Effect::Append { turn: turn.id.clone(), from, chunks });
        }
    }

    pub(super) fn on_step_end(&mut self, id: &ExecutionId, out: &mut Out<'_>) {
        if self.answering(id, out).is_none() {
            return;
        }
        if !self.execution(id).is_some_and(Execution::has_called) {
            // Nothing was called, so there is nothing to ask again for.
            self.end_execution(id, Outcome::Done, None, Cause::Stopped, out);
            return;
        }
        self.close_response(id, out);
        self.go_on(id, out);
        self.supersede(out);
    }

    /// The response is over; its calls may be open.
    pub(super) fn close_response(&mut self, id: &ExecutionId, out: &mut Out<'_>) {
        let Some(execution) = self.execution_mut(id) else { return };
        if let Stage::Streaming { open } = &mut execution.stage {
            execution.stage = Stage::Waiting { open: std::mem::take(open) };
        }
        if let Some(idle) = execution.idle.take() {
            out.push(Effect::CancelTimer { timer: idle.timer });
        }
        // Arguments that never became whole are no call: nobody is to wait for it.
        let torn: Vec<CallId> = execution.torn().cloned().collect();
        for call in torn {
            self.resolve(id, &call, Decision::Cancelled, None, out);
        }
    }

    /// Asks for the next step where the response is over and all its calls have their results.
    pub(super) fn go_on(&mut self, id: &ExecutionId, out: &mut Out<'_>) {
        let failures_max = out.policy().tool_failures_max;
        let Some(turn) = self.open_mut() else { return };
        let (turn_id, injects) = (turn.id.clone(), turn.injects(out.policy()));
        let Some(execution) = turn.execution_mut(id) else { return };
        if !matches!(&execution.stage, Stage::Waiting { open } if open.is_empty()) {
            return;
        }
        if failures_max > 0 && execution.failures >= failures_max {
            let error = format!("{failures_max} tool calls failed in a row");
            self.end_execution(id, Outcome::Error, Some(error), Cause::Stopped, out);
            return;
        }
        if self.has_steer() && !injects {
            self.end_execution(id, Outcome::Done, None, Cause::Stopped, out);
            return;
        }
        let Some(turn) = self.open_mut() else { return };
        let Some(execution) = turn.execution_mut(id) else { return };
        let mut fresh = execution.take_rows(&turn_id, Cause::Stopped);
        execution.step += 1;
        execution.stage = Stage::Pending;
        turn.rows.append(&mut fresh);
        if injects && self.has_steer() {
            self.inject(out);
        }
        self.append(out);
        self.request(id, out);
    }

    /// Tells the steers that wait inside the running turn.
    fn inject(&mut self, out: &mut Out<'_>) {
        let items: Vec<Item> = self.queue.take_steers();
        let Some(turn) = self.open_mut() else { return };
        let id = turn.id.clone();
        for item in &items {
            let said = Said::of(std::slice::from_ref(item));
            turn.rows.extend(rows::user(&id, &said));
            turn.note_injected(said);
        }
        let messages: Vec<MessageId> = items.into_iter().map(|item| item.0.id).collect();
        if !messages.is_empty() {
            let consumed = Event::MessageConsumed { messages, reason: Consumed::Interrupt, turn: Some(id) };
            self.publish(None, consumed, out);
        }
    }

    /// A failed execution of the running turn starts anew, in its old place.
    pub(super) fn on_retry(&mut self, turn_id: &TurnId, id: &ExecutionId, out: &mut Out<'_>) {
        let failed = |it: &Execution| it.id == *id && it.outcome() == Some(Outcome::Error);
        let Some(turn) = self.open_mut().filter(|turn| turn.id == *turn_id) else {
            out.report(Code::Late, Some(turn_id), format!("retry: the turn of {id} is over"));
            return;
        };
        let Some(place) = turn.slots.iter().position(|slot| slot.last().is_some_and(failed)) else {
            out.report(Code::Stale, Some(turn_id), format!("retry: execution {id} has not failed"));
            return;
        };
        let Some(slot) = turn.slots.get_mut(place) else { return };
        let Some(old) = slot.last() else { return };
        let new = Execution::new(turn_id, place, old.attempt + 1, old.model.clone(), old.tag.is_some());
        let new_id = new.id.clone();
        slot.push(new);
        self.append(out);
        self.request(&new_id, out);
    }
}
