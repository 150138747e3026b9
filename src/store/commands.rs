//! What the user wants: each command becomes a question to the host, or a change that only this client makes.

use crate::model::{ApprovalState, CallId, Decision, MessageId, TurnId, joined};

use super::asks::{Out, Question};
use super::effect::{Action, Code};
use super::input::{Command, PendingSend};
use super::live::{Owner, RowId};
use super::thread::Thread;
use super::view::BlockId;

impl Thread {
    pub(super) fn on_command(&mut self, command: Command, out: &mut Out<'_>) {
        match command {
            Command::Open => self.first_load(out),
            Command::Send { client, body, intent } => {
                self.on_send(PendingSend { client, body, intent }, out);
            }
            Command::Stop => self.on_stop(out),
            Command::CancelQueued(message) => self.on_cancel(&message, out),
            Command::EditQueued(message, text) => {
                let question = Question::Edit { message: message.clone(), text: text.clone() };
                self.ask_about(message.clone(), question, Action::EditQueued(message, text), out);
            }
            Command::MoveQueued(message, index) => {
                let order = self.queue.order().cloned().collect();
                let question = Question::Move { message: message.clone(), index, order };
                self.ask_about(message.clone(), question, Action::MoveQueued(message, index), out);
            }
            Command::SendNow(message) => {
                self.ask_about(message.clone(), Question::Other, Action::SendNow(message), out);
            }
            Command::ResumeQueue => {
                let at = self.tick();
                out.ask(&self.id, at, Question::Other, Action::ResumeQueue);
            }
            Command::Decide { call, decision, reason } => self.on_decide(call, decision, reason, out),
            Command::Retry(client) => self.on_retry(&client, out),
            Command::Dismiss(key) => self.on_dismiss(&key, out),
            Command::LoadOlder => self.on_load_older(out),
            Command::ScrolledUp(up) => self.on_scrolled_up(up, out),
            Command::Restore(sends) => self.on_restore(sends),
        }
    }

    /// Repeated stops of one turn ask once.
    fn on_stop(&mut self, out: &mut Out<'_>) {
        let turn = self.live.running().cloned();
        if let Some(record) = turn.as_ref().and_then(|turn| self.live.turns.get_mut(turn)) {
            if record.stopping {
                return;
            }
            record.stopping = true;
        }
        let at = self.tick();
        out.ask(&self.id, at, Question::Stop { turn: turn.clone() }, Action::Stop { turn });
        self.view.touched.head = true;
    }

    fn ask_about(&mut self, message: MessageId, question: Question, action: Action, out: &mut Out<'_>) {
        if self.queued_row(&message).is_none() {
            self.report(out, Code::UnknownTarget, joined(&["no queued message ", message.as_str()]));
            return;
        }
        let at = self.tick();
        out.ask(&self.id, at, question, action);
    }

    pub(super) fn queued_row(&self, message: &MessageId) -> Option<RowId> {
        let id = self.live.by_message(message)?;
        let queued = self.live.row(id).is_some_and(|row| matches!(row.owner, Owner::Queued { .. }));
        (queued && !self.hidden.contains(&id)).then_some(id)
    }

    /// The row is hidden at once; the server's answer takes it away or brings it back.
    fn on_cancel(&mut self, message: &MessageId, out: &mut Out<'_>) {
        let Some(id) = self.queued_row(message) else {
            self.report(out, Code::UnknownTarget, joined(&["no queued message ", message.as_str()]));
            return;
        };
        self.hidden.insert(id);
        self.place_row(id);
        let at = self.tick();
        let question = Question::Cancel { message: message.clone() };
        out.ask(&self.id, at, question, Action::CancelQueued(message.clone()));
    }

    fn on_decide(&mut self, call: CallId, decision: Decision, reason: Option<String>, out: &mut Out<'_>) {
        let turn = self.mark_approval(&call, None, ApprovalState::Answering);
        let Some(turn) = turn else {
            self.report(out, Code::UnknownTarget, joined(&["no open approval for call ", call.as_str()]));
            return;
        };
        let at = self.tick();
        let question = Question::Decide { call: call.clone(), turn: Some(turn.clone()) };
        out.ask(&self.id, at, question, Action::ResolveApproval { call, turn: Some(turn), decision, reason });
    }

    /// Marks the approval of a call in the newest turn that has it open. A decision on its way is not made twice.
    pub(super) fn mark_approval(
        &mut self,
        call: &CallId,
        turn: Option<&TurnId>,
        state: ApprovalState,
    ) -> Option<TurnId> {
        let open = self.head_approvals().into_iter().rev().find(|open| {
            open.call == *call
                && turn.is_none_or(|turn| open.turn == *turn)
                && (open.answering == (state != ApprovalState::Answering))
        })?;
        let rows: Vec<_> = self.live.rows_of(&open.turn).map(|(id, _)| id).collect();
        for id in rows {
            if self.live.row_mut(id).is_some_and(|row| row.parts.approval_answering(call, state)) {
                self.view.touch(BlockId::Turn(open.turn.clone()));
            }
        }
        self.view.touched.head = true;
        Some(open.turn)
    }
}
