//! What came of the questions to the host.

use crate::model::{ApprovalState, Body, Decision, MessageId, Snapshot};

use super::asks::{Asked, Out, Question};
use super::cursor::Resync;
use super::effect::Code;
use super::evidence::Evidence;
use super::input::{Answer, Failure, FailureKind, RequestId};
use super::live::Owner;
use super::loader::KeptPage;
use super::thread::Thread;

impl Thread {
    pub(super) fn on_answer(&mut self, request: RequestId, asked: &Asked, answer: Answer, out: &mut Out<'_>) {
        if let Answer::Failed(failure) = &answer {
            self.on_failed(request, asked, failure, out);
            return;
        }
        match (&asked.question, answer) {
            (Question::Newest { limit, epoch, reach }, Answer::Page(page)) => {
                let moved =
                    self.log.epoch.as_ref().is_some_and(|known| epoch.as_ref().is_some_and(|then| then != known));
                if moved {
                    self.report(out, Code::Stale, "a page of an older generation of the log was dropped");
                    return;
                }
                let kept = KeptPage { page, limit: Some(*limit), asked: asked.at, reach: *reach };
                self.on_newest(request, kept, out);
            }
            (Question::Older { before, limit, .. }, Answer::Page(page)) => {
                self.close_older(request);
                self.on_older_page(page, *before, *limit, out);
            }
            (Question::Send { client }, Answer::Sent(receipt)) => self.on_receipt(client, receipt, asked, out),
            (Question::Cancel { message }, Answer::Cancelled(gone)) => self.on_cancel_answer(message, gone),
            (Question::Cancel { message }, Answer::Done) => self.on_cancel_answer(message, true),
            (Question::Edit { message, text }, Answer::Done) => {
                let known = self.queued_row(message);
                let unchanged = known.filter(|id| self.live.row(*id).is_some_and(|row| row.edited < asked.at));
                if let Some(id) = unchanged {
                    self.edit(id, Body::text(text.clone()), None);
                }
            }
            (Question::Move { message, index, order }, Answer::Done) => self.on_moved(message, *index, order),
            (Question::Resync, Answer::Snapshot { n, snapshot }) => self.on_resynced(request, n, *snapshot, out),
            (Question::Decide { call, turn }, Answer::Unknown) => {
                if let Some(turn) = self.mark_approval(call, turn.as_ref(), ApprovalState::Open) {
                    self.on_approval_resolved(None, call, Decision::Expired, None, Some(turn), out);
                }
            }
            (Question::Decide { .. } | Question::Stop { .. } | Question::Other, _) => {}
            (question, _) => {
                let failure =
                    Failure { kind: FailureKind::Failed, error: "the answer does not fit the question".to_owned() };
                let asked = Asked { question: question.clone(), ..asked.clone() };
                self.on_failed(request, &asked, &failure, out);
            }
        }
    }

    fn on_cancel_answer(&mut self, message: &MessageId, gone: bool) {
        let Some(id) = self.live.by_message(message) else { return };
        self.hidden.remove(&id);
        let queued = self.live.row(id).is_some_and(|row| matches!(row.owner, Owner::Queued { .. }));
        if gone && queued {
            self.release(id, &Evidence::Dismissed);
            self.queue.forget(message);
        } else {
            self.place_row(id);
        }
    }

    /// The server moved a message; a queue snapshot will say the same with more words.
    fn on_moved(&mut self, message: &MessageId, index: u32, then: &[MessageId]) {
        let moved = !self.queue.order().eq(then);
        if moved || self.queue.version.is_some() || self.queued_row(message).is_none() {
            return;
        }
        let mut order: Vec<MessageId> = self.queue.order().filter(|id| *id != message).cloned().collect();
        let at = usize::try_from(index).unwrap_or(usize::MAX).min(order.len());
        order.insert(at, message.clone());
        self.queue.replace(order);
        self.rank_queue();
        self.view.touched.head = true;
    }

    fn on_resynced(&mut self, request: RequestId, n: Option<u64>, snapshot: Snapshot, out: &mut Out<'_>) {
        let current = matches!(self.cursor.resync, Resync::InFlight { request: current, .. } if current == request);
        if current {
            self.cursor.resync = Resync::Idle;
            self.take_snapshot(n, snapshot, out);
        } else if n.is_none_or(|n| self.cursor.applied.is_none_or(|applied| n > applied)) {
            self.take_snapshot(n, snapshot, out);
        }
    }

    fn on_failed(&mut self, request: RequestId, asked: &Asked, failure: &Failure, out: &mut Out<'_>) {
        match &asked.question {
            Question::Newest { .. } => self.on_load_failed(request, failure, out),
            Question::Older { .. } => {
                self.close_older(request);
                self.load_error = Some(failure.error.clone());
                self.report(out, Code::LoadFailed, failure.error.clone());
            }
            Question::Send { client } => self.on_send_failed(client, failure, out),
            Question::Resync => {
                if self.on_resync_failed(request, failure, out) {
                    self.drain(out);
                }
            }
            Question::Cancel { message } => {
                self.on_cancel_answer(message, false);
                self.report(out, Code::CommandFailed, failure.error.clone());
            }
            Question::Stop { turn } => {
                if let Some(record) = turn.as_ref().and_then(|turn| self.live.turns.get_mut(turn)) {
                    record.stopping = false;
                }
                self.report(out, Code::CommandFailed, failure.error.clone());
            }
            Question::Decide { call, turn } => {
                self.mark_approval(call, turn.as_ref(), ApprovalState::Open);
                self.report(out, Code::CommandFailed, failure.error.clone());
            }
            Question::Edit { .. } | Question::Move { .. } | Question::Other => {
                self.report(out, Code::CommandFailed, failure.error.clone());
            }
        }
        self.view.touched.head = true;
    }
}
