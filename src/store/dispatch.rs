//! Hands each input to its thread.

use crate::model::{ApprovalState, CallId, Decision, Envelope, Event, MessageId, QueueItem, ThreadId};

use super::asks::{Asked, Out, Question};
use super::cursor::{Resync, Turnstile, counts_itself};
use super::evidence::Evidence;
use super::input::{Action, Answer, Code, Command, Connection, Effect, Failure, FailureKind, RequestId, TimerId};
use super::live::Owner;
use super::loader::KeptPage;
use super::stream::{Line, ToolInput};
use super::thread::Thread;
use super::{Saved, Store};

impl Store {
    /// The name that a thread has now.
    pub(super) fn real<'a>(&'a self, thread: &'a ThreadId) -> &'a ThreadId {
        self.aliases.get(thread).unwrap_or(thread)
    }

    /// Runs something on a thread, which is created if it is new.
    fn on_thread(&mut self, id: &ThreadId, effects: &mut Vec<Effect>, run: impl FnOnce(&mut Thread, &mut Out<'_>)) {
        let id = self.real(id).clone();
        if !self.threads.contains_key(&id) {
            self.make_room(effects);
            self.threads.insert(id.clone(), Box::new(Thread::new(id.clone())));
        }
        if self.limits.threads <= self.threads.len() {
            self.uses += 1;
            self.recent.insert(id.clone(), self.uses);
        }
        let mut out = Out { effects, asks: &mut self.asks, limits: self.limits };
        if let Some(thread) = self.threads.get_mut(&id) {
            run(thread, &mut out);
            thread.persist(&mut out);
        }
    }

    /// Evicts the least recent thread without anything live, where there are too many.
    fn make_room(&mut self, effects: &mut Vec<Effect>) {
        if self.threads.len() < self.limits.threads.max(1) {
            return;
        }
        let idle = self.threads.values().filter(|thread| !thread.is_busy()).map(|thread| thread.id.clone());
        let oldest = idle.min_by_key(|id| self.recent.get(id).copied().unwrap_or(0));
        if let Some(id) = oldest {
            self.threads.remove(&id);
            self.recent.remove(&id);
            self.asks.open.retain(|_, asked| asked.thread != id);
            let mut out = Out { effects, asks: &mut self.asks, limits: self.limits };
            out.report(&id, Code::ThreadEvicted, "too many threads".to_owned());
        }
    }

    pub(super) fn on_envelope(&mut self, envelope: Envelope, effects: &mut Vec<Effect>) {
        match envelope.event {
            Event::Statuses(list) => {
                let listed: Vec<ThreadId> = list.iter().map(|(id, _)| self.real(id).clone()).collect();
                for (id, status) in list {
                    self.on_thread(&id, effects, |thread, out| thread.on_thread_status(Some(status), out));
                }
                let others: Vec<ThreadId> = self.threads.keys().filter(|id| !listed.contains(id)).cloned().collect();
                for id in others {
                    self.on_thread(&id, effects, |thread, out| thread.on_thread_status(None, out));
                }
            }
            Event::ThreadRenamed { ref from, ref to } => {
                let (from, to) = (from.clone(), to.clone());
                let n = envelope.n;
                self.rename(&from, &to, effects);
                self.on_thread(&to, effects, |thread, _| {
                    if let Some(n) = n {
                        thread.cursor.pass(n);
                    }
                });
            }
            _ => {
                let id = envelope.thread.clone();
                self.on_thread(&id, effects, |thread, out| thread.on_envelope(envelope, out));
            }
        }
    }

    /// A temporary name becomes the server's: everything moves along, the old name stays an alias.
    fn rename(&mut self, from: &ThreadId, to: &ThreadId, effects: &mut Vec<Effect>) {
        let from = self.real(from).clone();
        if from == *to {
            return;
        }
        if let Some(mut thread) = self.threads.remove(&from) {
            if let Some(mut known) = self.threads.remove(to) {
                let mut out = Out { effects, asks: &mut self.asks, limits: self.limits };
                known.merge_from(&thread, &mut out);
                thread = known;
            }
            thread.id = to.clone();
            thread.view.touched.head = true;
            thread.pending_changed = true;
            self.threads.insert(to.clone(), thread);
        }
        self.recent.remove(&from);
        for (_, asked) in self.asks.open.iter_mut() {
            if asked.thread == from {
                asked.thread = to.clone();
            }
        }
        for (_, (thread, _)) in self.asks.timers.iter_mut() {
            if *thread == from {
                *thread = to.clone();
            }
        }
        for (_, alias) in self.aliases.iter_mut() {
            if *alias == from {
                *alias = to.clone();
            }
        }
        self.aliases.remove(to);
        self.aliases.insert(from.clone(), to.clone());
        effects.push(Effect::Renamed { from, to: to.clone() });
    }

    pub(super) fn on_command(&mut self, id: &ThreadId, command: Command, effects: &mut Vec<Effect>) {
        self.on_thread(id, effects, |thread, out| thread.on_command(command, out));
    }

    pub(super) fn on_answer(&mut self, request: RequestId, answer: Answer, effects: &mut Vec<Effect>) {
        let Some(asked) = self.asks.open.remove(&request) else { return };
        let id = asked.thread.clone();
        self.on_thread(&id, effects, |thread, out| thread.on_answer(request, &asked, answer, out));
    }

    pub(super) fn on_timer(&mut self, timer: TimerId, effects: &mut Vec<Effect>) {
        let Some((id, why)) = self.asks.timers.remove(&timer) else { return };
        self.on_thread(&id, effects, |thread, out| thread.on_timer(timer, why, out));
    }

    pub(super) fn on_connection(&mut self, connection: Connection, effects: &mut Vec<Effect>) {
        self.connection = connection;
        let all: Vec<ThreadId> = self.threads.keys().cloned().collect();
        for id in all {
            self.on_thread(&id, effects, |thread, out| {
                thread.view.touched.head = true;
                if connection == Connection::Online {
                    thread.on_online(out);
                }
            });
        }
    }

    pub(super) fn on_drawn(&mut self, id: &ThreadId) {
        let id = self.real(id).clone();
        if let Some(thread) = self.threads.get_mut(&id) {
            thread.view.drawn();
        }
    }

    pub(super) fn on_restore(&mut self, id: &ThreadId, saved: Saved, effects: &mut Vec<Effect>) {
        self.on_thread(id, effects, |thread, out| thread.on_saved(saved, out));
    }
}

impl Thread {
    /// Tells the host which messages are not known to have arrived, where that changed.
    fn persist(&mut self, out: &mut Out<'_>) {
        if std::mem::take(&mut self.pending_changed) {
            out.effects.push(Effect::Persist { thread: self.id.clone(), sends: self.pending_sends() });
        }
    }

    fn on_envelope(&mut self, envelope: Envelope, out: &mut Out<'_>) {
        let Some(n) = envelope.n else {
            self.on_event(envelope, out);
            return;
        };
        if !counts_itself(&envelope.event) {
            self.on_told_number(n, envelope, out);
            return;
        }
        match self.cursor.judge(n) {
            Turnstile::Repeat => {}
            Turnstile::Pass => {
                self.cursor.pass(n);
                self.on_event(envelope, out);
                self.drain(out);
            }
            Turnstile::Wait => {
                self.cursor.park(n, envelope);
                self.want_resync(out);
            }
        }
    }

    /// Events that tell a number without having one of their own.
    fn on_told_number(&mut self, n: u64, envelope: Envelope, out: &mut Out<'_>) {
        match envelope.event {
            Event::Ping => {
                if self.cursor.tell(n) {
                    self.want_resync(out);
                }
            }
            Event::Snapshot(snapshot) => {
                let other_epoch = !self.same_epoch(snapshot.epoch.as_deref());
                if self.cursor.applied.is_some_and(|applied| n <= applied) && !other_epoch {
                    return;
                }
                self.take_snapshot(Some(n), *snapshot, out);
            }
            _ => self.on_event(envelope, out),
        }
    }

    /// Takes a snapshot with its number, also downwards: a restarted server counts anew.
    fn take_snapshot(&mut self, n: Option<u64>, snapshot: crate::model::Snapshot, out: &mut Out<'_>) {
        if let Some(n) = n {
            if self.cursor.applied.is_some_and(|applied| n < applied) {
                self.cursor.restart();
            }
            self.cursor.applied = Some(n);
        }
        self.speaks_for = n;
        self.cursor.answered();
        self.end_resync(out);
        self.on_snapshot(snapshot, out);
        self.drain(out);
    }

    /// Applies what waited and is next now.
    fn drain(&mut self, out: &mut Out<'_>) {
        if !self.cursor.has_hole() {
            if self.cursor.resync != Resync::Idle && !self.cursor.is_behind() {
                self.end_resync(out);
            }
            return;
        }
        while let Some(envelope) = self.cursor.next() {
            if let Some(n) = envelope.n {
                self.cursor.pass(n);
            }
            self.on_event(envelope, out);
        }
        if self.cursor.has_hole() {
            self.want_resync(out);
        } else {
            self.end_resync(out);
        }
    }

    /// One arm an event.
    fn on_event(&mut self, envelope: Envelope, out: &mut Out<'_>) {
        self.speaks_for = envelope.n;
        let execution = envelope.execution.as_ref();
        match envelope.event {
            Event::Delta { kind, delta, turn, message, part } => {
                self.on_delta(execution, kind, &delta, turn, (message, part), out);
            }
            Event::TurnStart { turn, user, messages } => {
                self.on_turn_start(&turn, user, &messages, out);
                self.view.touched.head = true;
            }
            Event::ReasoningEnd { metadata, turn } => self.on_reasoning_end(execution, metadata, turn, out),
            Event::ToolInputStart { call, name, turn, step } => {
                self.on_tool_input(execution, &call, ToolInput::Start { name: &name, step }, turn, out);
            }
            Event::ToolInputDelta { call, delta, turn } => {
                self.on_tool_input(execution, &call, ToolInput::Delta(&delta), turn, out);
            }
            Event::ToolCall { call, name, arguments, turn, step } => {
                self.on_tool_input(execution, &call, ToolInput::Whole { name: &name, arguments, step }, turn, out);
            }
            Event::ToolOutput { data, stream, call, turn } => {
                self.on_tool_output(execution, call.as_ref(), stream, &data, turn, out);
            }
            Event::ToolResult { call, result, is_error, turn } => {
                self.on_tool_result(execution, &call, &result, is_error, turn, out);
            }
            Event::ApprovalRequest { call, prompt, options, turn } => {
                self.on_approval_request(execution, &call, prompt.as_ref(), options.as_ref(), turn, out);
            }
            Event::ApprovalResolved { call, decision, reason, turn } => {
                self.on_approval_resolved(execution, &call, decision, reason.as_ref(), turn, out);
            }
            Event::Part { part, turn } => self.on_part(execution, part, turn, out),
            Event::MessageQueued { message, body, client, intent } => {
                self.on_queued(message, body, client, intent);
                self.view.touched.head = true;
            }
            Event::MessageConsumed { messages, reason, turn } => self.on_consumed(&messages, reason, turn, out),
            Event::MessageCancelled { message } => self.on_cancelled(&message),
            Event::MessageEdited { message, body, rev } => self.on_edited(&message, body, rev),
            Event::QueueSnapshot { items, held, version } => self.on_queue_snapshot(items, held, version, out),
            Event::TurnEnd { turn, outcome, error } => self.on_turn_end(&turn, outcome, error, out),
            Event::Status(status) => self.on_status(status, out),
            Event::TurnSealed { turn, first: _, last, prev, chunks } => self.on_sealed(&turn, last, prev, chunks, out),
            Event::Notice { message, turn } => self.on_line(execution, &Line::Notice { text: &message }, turn, out),
            Event::Error { error, status_code, turn } => {
                let line = Line::Error { text: &error, code: status_code.as_ref() };
                self.on_line(execution, &line, turn, out);
            }
            Event::Snapshot(snapshot) => self.take_snapshot(None, *snapshot, out),
            Event::ChunksLoaded(page) => {
                let asked = self.tick();
                self.opened = true;
                self.on_page(KeptPage { page, limit: None, asked, reach: None }, out);
                self.view.touched.head = true;
            }
            Event::LogTruncated { from, epoch } => self.on_truncated(from, epoch, out),
            Event::LogReset { epoch } => self.on_log_reset(epoch, out),
            Event::ChunksUpdated { chunks } => self.on_chunks_updated(chunks, out),
            Event::Meta { kind, json } => {
                self.meta.insert(kind, json);
                self.view.touched.head = true;
            }
            Event::Statuses(_) | Event::ThreadRenamed { .. } | Event::Ping | Event::Nothing => {}
        }
    }

    fn on_queue_snapshot(&mut self, items: Vec<QueueItem>, held: bool, version: u64, out: &mut Out<'_>) {
        if self.queue.version.is_some_and(|known| version < known) {
            return;
        }
        self.queue.version = Some(version);
        self.on_queue(items, Some(held), out);
    }

    fn on_command(&mut self, command: Command, out: &mut Out<'_>) {
        match command {
            Command::Open => self.first_load(out),
            Command::Send { client, body, intent } => {
                self.on_send(super::PendingSend { client, body, intent }, out);
            }
            Command::Stop => self.on_stop(out),
            Command::CancelQueued(message) => self.on_cancel(&message, out),
            Command::EditQueued(message, text) => {
                let question = Question::Edit { message: message.clone(), text: text.clone() };
                self.ask_about(message.clone(), question, Action::EditQueued(message, text), out);
            }
            Command::MoveQueued(message, index) => {
                let question = Question::Move { message: message.clone(), index };
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
            self.report(out, Code::UnknownTarget, format!("no queued message {message}"));
            return;
        }
        let at = self.tick();
        out.ask(&self.id, at, question, action);
    }

    fn queued_row(&self, message: &MessageId) -> Option<super::live::RowId> {
        let id = self.live.by_message(message)?;
        let queued = self.live.row(id).is_some_and(|row| matches!(row.owner, Owner::Queued { .. }));
        (queued && !self.hidden.contains(&id)).then_some(id)
    }

    /// The row is hidden at once; the server's answer takes it away or brings it back.
    fn on_cancel(&mut self, message: &MessageId, out: &mut Out<'_>) {
        let Some(id) = self.queued_row(message) else {
            self.report(out, Code::UnknownTarget, format!("no queued message {message}"));
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
            self.report(out, Code::UnknownTarget, format!("no open approval for call {call}"));
            return;
        };
        let at = self.tick();
        let question = Question::Decide { call: call.clone(), turn: Some(turn.clone()) };
        out.ask(&self.id, at, question, Action::ResolveApproval { call, turn: Some(turn), decision, reason });
    }

    /// Marks the approval of a call in the newest turn that has it open. A decision on its way is not made twice.
    fn mark_approval(
        &mut self,
        call: &CallId,
        turn: Option<&crate::model::TurnId>,
        state: ApprovalState,
    ) -> Option<crate::model::TurnId> {
        let open = self.head_approvals().into_iter().rev().find(|open| {
            open.call == *call
                && turn.is_none_or(|turn| open.turn == *turn)
                && (open.answering == (state != ApprovalState::Answering))
        })?;
        let rows: Vec<_> = self.live.rows_of(&open.turn).map(|(id, _)| id).collect();
        for id in rows {
            if self.live.row_mut(id).is_some_and(|row| row.parts.approval_answering(call, state)) {
                self.view.touch(super::BlockId::Turn(open.turn.clone()));
            }
        }
        self.view.touched.head = true;
        Some(open.turn)
    }

    fn on_answer(&mut self, request: RequestId, asked: &Asked, answer: Answer, out: &mut Out<'_>) {
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
                if self.queued_row(message).is_some() {
                    self.on_edited(message, crate::model::Body::text(text.clone()), None);
                }
            }
            (Question::Move { message, index }, Answer::Done) => self.on_moved(message, *index),
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
    fn on_moved(&mut self, message: &MessageId, index: u32) {
        if self.queue.version.is_some() || self.queued_row(message).is_none() {
            return;
        }
        let mut order: Vec<MessageId> = self.queue.order().filter(|id| *id != message).cloned().collect();
        let at = usize::try_from(index).unwrap_or(usize::MAX).min(order.len());
        order.insert(at, message.clone());
        self.queue.replace(order);
        self.rank_queue();
        self.view.touched.head = true;
    }

    fn on_resynced(&mut self, request: RequestId, n: Option<u64>, snapshot: crate::model::Snapshot, out: &mut Out<'_>) {
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
