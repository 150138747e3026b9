//! Events of one thread: their numbers first, then one arm an event.

use crate::model::{Envelope, Event, QueueItem, Snapshot};

use super::asks::Out;
use super::cursor::{Resync, Turnstile, counts_itself};
use super::effect::Effect;
use super::lines::Line;
use super::loader::KeptPage;
use super::thread::Thread;
use super::tools::ToolInput;

impl Thread {
    /// Tells the host which messages are not known to have arrived, where that changed.
    pub(super) fn persist(&mut self, out: &mut Out<'_>) {
        if std::mem::take(&mut self.pending_changed) {
            out.effects.push(Effect::Persist { thread: self.id.clone(), sends: self.pending_sends() });
        }
    }

    pub(super) fn on_envelope(&mut self, envelope: Envelope, out: &mut Out<'_>) {
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

    /// Deltas that came as one: the numbers before the last one are applied with it.
    pub(super) fn on_deltas(&mut self, whole: Envelope, count: u64, out: &mut Out<'_>) {
        if let Some(n) = whole.n {
            if !self.cursor.is_next(n.saturating_sub(count) + 1) {
                return;
            }
            self.cursor.pass(n - 1);
        }
        self.on_envelope(whole, out);
    }

    /// Events that tell a number without having one of their own.
    fn on_told_number(&mut self, n: u64, envelope: Envelope, out: &mut Out<'_>) {
        if let Event::Snapshot(snapshot) = envelope.event {
            let other_epoch = !self.same_epoch(snapshot.epoch.as_deref());
            if self.cursor.applied.is_none_or(|applied| n > applied) || other_epoch {
                self.take_snapshot(Some(n), *snapshot, out);
            } else {
                self.first_load(out);
            }
        } else if matches!(envelope.event, Event::Ping) {
            if self.cursor.tell(n) {
                self.want_resync(out);
            }
        } else {
            self.on_event(envelope, out);
        }
    }

    /// Takes a snapshot with its number, also downwards: a restarted server counts anew.
    pub(super) fn take_snapshot(&mut self, n: Option<u64>, snapshot: Snapshot, out: &mut Out<'_>) {
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
    pub(super) fn drain(&mut self, out: &mut Out<'_>) {
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
                self.on_page(KeptPage { page, limit: None, asked, reach: self.log.told }, out);
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
}
