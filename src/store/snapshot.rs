//! The whole live state of a thread at once: after a connect, after a resync.

use crate::model::{
    ApprovalState, Body, CallId, Decision, ExecutionId, MessageId, OpenApproval, Origin, Part, Parts, Phase, Role, Seq,
    Snapshot, SnapshotRow, SnapshotTurn, StatusKind, ThreadStatus, TurnId, UserMessage,
};

use super::asks::Out;
use super::evidence::Evidence;
use super::flat::Set;
use super::live::{LiveRow, Owner, RowId, Seal, Slot, Source, TurnPhase};
use super::thread::Thread;
use super::view::{BlockId, Shown, draw_block};

impl Thread {
    /// Replaces by turn and message; keeps what only this client knows (SPEC 4, 5.10).
    pub(super) fn on_snapshot(&mut self, snapshot: Snapshot, out: &mut Out<'_>) {
        self.snapshot_at = self.tick();
        if !self.same_epoch(snapshot.epoch.as_deref()) {
            self.reset_log(snapshot.epoch.clone());
            self.reload(out);
        } else if snapshot.epoch.is_some() {
            self.log.epoch.clone_from(&snapshot.epoch);
        }
        self.log.tell(snapshot.last_seq);
        let listed: Set<TurnId> = snapshot.turns.iter().map(|turn| turn.turn.clone()).collect();
        for turn in snapshot.turns {
            self.take_turn(turn, out);
        }
        self.snapshot_at = self.tick();
        self.seal_unlisted(&listed, snapshot.last_seq, out);
        if let Some(items) = snapshot.queue {
            self.on_queue(items, snapshot.held, out);
            // The whole list is here: versions of before say nothing any more.
            self.queue.version = None;
        } else if let Some(held) = snapshot.held {
            self.queue.held = held;
        }
        self.depart_unlisted(&listed, out);
        if let Some(approvals) = snapshot.approvals {
            self.take_approvals(&approvals);
        }
        self.legacy = None;
        self.view.touched.head = true;
        self.fold_what_is_loaded(out);
        let behind = match (snapshot.last_seq, self.log.newest()) {
            (Some(last), Some(newest)) => last > newest,
            (Some(_), None) => true,
            (None, _) => true,
        };
        if behind || !self.opened {
            self.want_page(out);
        }
        out.flush(&self.id);
    }

    fn take_turn(&mut self, turn: SnapshotTurn, out: &mut Out<'_>) {
        let SnapshotTurn { turn, phase, outcome, sealed, rows } = turn;
        if self.late.has(turn.as_str()) || !self.open_turn(&turn) {
            return;
        }
        self.take_rows(&turn, rows, out);
        let over = phase == Phase::Ended || outcome.is_some();
        match self.live.turns.get(&turn).map(|record| record.phase.clone()) {
            Some(TurnPhase::Ended { outcome: None, .. }) if !over => {
                if let Some(record) = self.live.turns.get_mut(&turn) {
                    record.phase = TurnPhase::Running;
                    self.view.touch(BlockId::Turn(turn.clone()));
                }
            }
            _ if over => self.end_turn(&turn, outcome, None),
            _ => {}
        }
        if sealed {
            self.on_sealed(&turn, None, None, None, out);
        }
    }

    /// Rows of a listed turn, in their order: users are recognised by their names, all others are replaced whole.
    fn take_rows(&mut self, turn: &TurnId, rows: Vec<SnapshotRow>, out: &mut Out<'_>) {
        let answered = rows.iter().any(|row| row.role != Role::User);
        let named = rows.iter().skip(1).flat_map(|row| row.message.iter().chain(&row.messages));
        let later: Vec<MessageId> = named.cloned().collect();
        let mut slots: Vec<Slot> = Vec::new();
        let mut current: Vec<(Option<ExecutionId>, RowId)> = Vec::new();
        let mut fresh: Vec<RowId> = Vec::new();
        for (index, row) in rows.into_iter().enumerate() {
            match row.role {
                Role::User => {
                    current.clear();
                    slots.extend(self.take_user(turn, row, index, &later, out));
                }
                Role::System => {
                    current.clear();
                    let id = self.new_answer(turn, row, Role::System);
                    fresh.push(id);
                    slots.push(Slot::Row(id));
                }
                Role::Assistant | Role::Tool => {
                    let joins = current.iter().find(|(known, _)| *known == row.execution).map(|(_, id)| *id);
                    if let Some(known) = joins.and_then(|id| self.live.row_mut(id)) {
                        known.parts.join(row.parts, &Origin { message: row.message, part: None });
                        continue;
                    }
                    let execution = row.execution.clone();
                    let id = self.new_answer(turn, row, Role::Assistant);
                    fresh.push(id);
                    slots.push(Slot::Row(id));
                    current.push((execution, id));
                }
            }
        }
        if answered && self.tells_less(turn, &fresh) {
            fresh.into_iter().for_each(|id| drop(self.live.release(id, &Evidence::Replaced)));
        } else if answered {
            self.replace_slots(turn, slots, current, &fresh);
        }
    }

    /// True where the turn is drawn from chunks that hold more than the snapshot: it is older than they are (L1).
    fn tells_less(&self, turn: &TurnId, fresh: &[RowId]) -> bool {
        if self.live.turns.get(turn).is_none_or(|record| record.source == Source::Live) {
            return false;
        }
        let told = fresh.iter().filter_map(|id| self.live.row(*id)).map(|row| row.parts.list().len()).sum::<usize>();
        let rows = self.log.chunks_of(turn).filter(|chunk| matches!(chunk.role, Role::Assistant | Role::System));
        told < rows.count()
    }

    /// The whole turn is told: its slots are those of the snapshot, and user rows that it does not speak of keep their
    /// place among the answers (L1).
    fn replace_slots(
        &mut self,
        turn: &TurnId,
        mut slots: Vec<Slot>,
        current: Vec<(Option<ExecutionId>, RowId)>,
        fresh: &[RowId],
    ) {
        let Some(record) = self.live.turns.get(turn) else { return };
        let block = BlockId::Turn(turn.clone());
        let was_sealed = record.source == Source::Chunks;
        let mut answers = 0;
        let mut replaced: Vec<RowId> = Vec::new();
        for slot in record.slots.clone() {
            let is_user = match slot {
                Slot::Chunk(_) => true,
                Slot::Row(id) => self.live.row(id).is_some_and(|row| row.role == Role::User),
            };
            if !is_user {
                answers += 1;
                if let Slot::Row(id) = slot {
                    replaced.push(id);
                }
            } else if !slots.contains(&slot) {
                let is_answer = |slot: &Slot| matches!(slot, Slot::Row(id) if fresh.contains(id));
                let behind = slots.iter().enumerate().filter(|(_, slot)| is_answer(slot)).nth(answers);
                let at = behind.map_or(slots.len(), |(at, _)| at);
                slots.insert(if answers == 0 { 0 } else { at }, slot);
            }
        }
        for id in replaced {
            self.release(id, &Evidence::Replaced);
        }
        let line = fresh.last().copied().filter(|id| {
            let ends = slots.last() == Some(&Slot::Row(*id));
            ends && self.live.row(*id).is_some_and(|row| row.role == Role::System)
        });
        if let Some(record) = self.live.turns.get_mut(turn) {
            // The snapshot has the whole turn: nothing of it needs to be drawn from chunks while it runs.
            record.source = Source::Live;
            record.slots = slots;
            record.current = current;
            record.line = line;
            record.orphans.clear();
        }
        if was_sealed {
            let numbers = self.view.numbers(turn).cloned().unwrap_or_default();
            let drawn = draw_block(&self.log, &self.live, &self.view, &block);
            let numbers = numbers.resumed(&self.log, turn, &Shown::all(&drawn));
            self.view.set_numbers(turn, numbers);
        }
        self.view.touch(block);
    }

    fn new_answer(&mut self, turn: &TurnId, row: SnapshotRow, role: Role) -> RowId {
        let owner = Owner::Turn { turn: turn.clone() };
        let mut new = self.new_row(String::new(), owner, role, Parts::default());
        new.execution = row.execution;
        new.parts = Parts::named(row.parts, &Origin { message: row.message, part: None });
        self.live.insert(new)
    }

    /// The message that begins a listed turn and has no name: it is none of those that the snapshot names later.
    fn take_unnamed(&mut self, turn: &TurnId, body: Body, later: &[MessageId], out: &mut Out<'_>) -> Option<Slot> {
        let record = self.live.turns.get(turn)?;
        let first = |slot: &&Slot| {
            let names = self.names_of(**slot);
            names.is_some_and(|(messages, _)| !messages.iter().any(|id| later.contains(id)))
        };
        if let Some(known) = record.slots.iter().find(first) {
            return Some(*known);
        }
        if self.has_live_user(turn) {
            return Some(Slot::Row(self.insert_initiator(turn, Vec::new(), Vec::new(), body)));
        }
        let user = UserMessage { message: None, clients: Vec::new(), body };
        self.on_turn_start(turn, Some(user), &[], out);
        self.live.turns.get(turn).and_then(|record| record.slots.first().copied())
    }

    /// A user's row of a listed turn: known by its names, by its chunk, or new. Gives its place.
    fn take_user(
        &mut self,
        turn: &TurnId,
        row: SnapshotRow,
        index: usize,
        later: &[MessageId],
        out: &mut Out<'_>,
    ) -> Option<Slot> {
        let body = Body { parts: row.parts };
        let mut ids = row.messages;
        if let Some(id) = row.message
            && !ids.contains(&id)
        {
            ids.insert(0, id);
        }
        if index == 0 && ids.is_empty() && row.clients.is_empty() {
            return self.take_unnamed(turn, body, later, out);
        }
        if index == 0 {
            let names = (ids.clone(), row.clients.clone());
            let user = UserMessage { message: None, clients: row.clients, body };
            self.on_turn_start(turn, Some(user), &ids, out);
            let sealed = self.log.user_chunk(&names.0, &names.1).map(Slot::Chunk);
            let here = |id: &RowId| self.live.row(*id).is_some_and(|row| row.owner.turn() == Some(turn));
            let known = sealed.or_else(|| self.live.find(&names.0, &names.1).filter(here).map(Slot::Row));
            return known.or_else(|| self.live.turns.get(turn).and_then(|record| record.slots.first().copied()));
        }
        for id in &ids {
            self.queue.forget(id);
        }
        let known = self.live.find(&ids, &row.clients);
        if let Some(seq) = self.log.user_chunk(&ids, &row.clients) {
            if let Some(id) = known {
                self.take_over(id, seq);
            }
            return Some(Slot::Chunk(seq));
        }
        let owner = Owner::Turn { turn: turn.clone() };
        let is_own = |id: &RowId| self.live.row(*id).is_some_and(|row| row.owner == owner);
        let own = known.filter(is_own);
        let id = own.or(known).unwrap_or_else(|| {
            let key = self.free_key(turn, &row.clients, &ids, index);
            let new = self.new_row(key, owner.clone(), Role::User, Parts::whole(body.parts));
            self.live.insert(new)
        });
        if known.is_some() && own.is_none() {
            self.move_row(id, owner);
        }
        if own.is_none()
            && let Some(record) = self.live.turns.get_mut(turn)
        {
            record.slots.push(Slot::Row(id));
        }
        self.name_row(id, &ids, &row.clients);
        self.view.touch(BlockId::Turn(turn.clone()));
        Some(Slot::Row(id))
    }

    /// A turn that was held as unsealed and is not listed is sealed (SPEC 5.10).
    fn seal_unlisted(&mut self, listed: &Set<TurnId>, last: Option<Seq>, out: &mut Out<'_>) {
        let unlisted: Vec<TurnId> = self
            .live
            .turns
            .iter()
            .filter(|(turn, record)| !listed.contains(*turn) && matches!(record.seal, Seal::Open))
            .map(|(turn, _)| turn.clone())
            .collect();
        for turn in unlisted {
            self.on_sealed(&turn, None, None, None, out);
            self.reach_to(&turn, last);
        }
    }

    /// An accepted message that the snapshot lists nowhere departed.
    fn depart_unlisted(&mut self, listed: &Set<TurnId>, out: &mut Out<'_>) {
        let lost: Vec<(RowId, Option<TurnId>)> = self
            .live
            .rows()
            .filter(|(_, row)| !self.is_too_old_for(row))
            .filter_map(|(id, row)| row.owner.awaited().map(|turn| (id, turn.cloned())))
            .collect();
        for (id, turn) in lost {
            match turn.filter(|turn| listed.contains(turn)) {
                Some(turn) => self.initiate(&turn, vec![id], None),
                None => self.depart(id, out),
            }
        }
    }

    /// The open approvals as the server lists them. What it does not list can no longer be decided.
    fn take_approvals(&mut self, approvals: &[OpenApproval]) {
        let rows: Vec<(RowId, TurnId, Vec<CallId>)> = self
            .live
            .turns
            .keys()
            .flat_map(|turn| {
                self.live.rows_of(turn).map(move |(id, row)| (id, turn.clone(), open_approvals(row.parts.list())))
            })
            .collect();
        for (id, turn, calls) in rows {
            for call in calls {
                if !approvals.iter().any(|open| open.call == call && open.turn == turn)
                    && let Some(row) = self.live.row_mut(id)
                {
                    row.parts.approval_resolved(&call, Decision::Expired, None);
                    self.view.touch(BlockId::Turn(turn.clone()));
                }
            }
        }
        for open in approvals {
            // Where several executions have a call of that name, the one that asks already is meant.
            let asks = |row: &LiveRow| open_approvals(row.parts.list()).contains(&open.call);
            let rows = || self.live.rows_of(&open.turn).rev();
            if rows().any(|(_, row)| asks(row)) {
                continue;
            }
            let holder = rows().find(|(_, row)| row.parts.has_open_call(&open.call)).map(|(id, _)| id);
            if let Some(row) = holder.and_then(|id| self.live.row_mut(id)) {
                row.parts.approval_request(&open.call, open.prompt.clone(), open.options.clone());
                self.view.touch(BlockId::Turn(open.turn.clone()));
            }
        }
    }

    /// The legacy snapshot of one thread. A thread that is idle in it has no running turn: what ran is sealed.
    pub(super) fn on_thread_status(&mut self, status: Option<ThreadStatus>, out: &mut Out<'_>) {
        self.snapshot_at = self.tick();
        let running = status.filter(|status| status.status == StatusKind::Running);
        let current = running.as_ref().and_then(|status| status.turn.clone());
        let over: Vec<TurnId> = self
            .live
            .turns
            .iter()
            .filter(|(turn, record)| record.phase == TurnPhase::Running && current.as_ref() != Some(*turn))
            .map(|(turn, _)| turn.clone())
            .collect();
        let unnamed = running.is_some() && current.is_none();
        if !unnamed {
            for turn in over {
                self.on_sealed(&turn, None, None, None, out);
            }
        }
        if let Some(status) = running {
            match status.turn {
                Some(turn) => {
                    if self.open_turn(&turn)
                        && let Some(parts) = status.parts
                    {
                        let row = SnapshotRow {
                            role: Role::Assistant,
                            execution: None,
                            message: None,
                            messages: Vec::new(),
                            clients: Vec::new(),
                            parts,
                        };
                        self.take_rows(&turn, vec![row], out);
                    }
                }
                None => self.legacy = Some(StatusKind::Running),
            }
            if let Some(tasks) = status.tasks {
                self.meta.insert("task-list-update".to_owned(), tasks);
            }
        }
        self.view.touched.head = true;
        self.first_load(out);
        out.flush(&self.id);
    }
}

fn open_approvals(parts: &[Part]) -> Vec<CallId> {
    let open = parts.iter().filter_map(|part| match part {
        Part::Tool(tool) => {
            let waits = tool.approval.as_ref().is_some_and(|approval| match approval.state {
                ApprovalState::Open | ApprovalState::Answering => true,
                ApprovalState::Approved | ApprovalState::Denied | ApprovalState::Expired | ApprovalState::Cancelled => {
                    false
                }
            });
            (waits && tool.state.is_open()).then(|| tool.call.clone())
        }
        Part::Text { .. } | Part::Reasoning { .. } | Part::Opaque(_) | Part::Notice { .. } | Part::Error { .. } => None,
    });
    open.collect()
}
