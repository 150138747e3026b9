//! The whole live state of a thread at once: after a connect, after a resync.

use crate::model::{
    ApprovalState, CallId, Decision, ExecutionId, OpenApproval, Origin, Part, Parts, Phase, Role, Seq, Snapshot,
    SnapshotRow, SnapshotTurn, StatusKind, ThreadStatus, TurnId, UserMessage,
};

use super::asks::Out;
use super::evidence::Evidence;
use super::flat::Set;
use super::live::{Owner, RowId, Seal, Slot, Source, TurnPhase};
use super::thread::Thread;
use super::view::BlockId;

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
        if self.late.has(&turn) || !self.open_turn(&turn) {
            return;
        }
        let (users, answers): (Vec<SnapshotRow>, Vec<SnapshotRow>) =
            rows.into_iter().partition(|row| row.role == Role::User);
        if let Some(record) = self.live.turns.get_mut(&turn)
            && !answers.is_empty()
        {
            // The snapshot has the whole turn: nothing of it needs to be drawn from chunks while it runs.
            record.source = Source::Live;
        }
        self.replace_users(&turn, users, out);
        self.replace_answers(&turn, answers);
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

    /// User rows of a listed turn: known ones are named, unknown ones come in, each once.
    fn replace_users(&mut self, turn: &TurnId, users: Vec<SnapshotRow>, out: &mut Out<'_>) {
        for (index, row) in users.into_iter().enumerate() {
            let body = crate::model::Body { parts: row.parts };
            let mut ids = row.messages;
            if let Some(id) = row.message
                && !ids.contains(&id)
            {
                ids.insert(0, id);
            }
            if index == 0 {
                let user = UserMessage { message: None, clients: row.clients.clone(), body };
                self.on_turn_start(turn, Some(user), &ids, out);
                continue;
            }
            if let Some(seq) = self.log.user_chunk(&ids, &row.clients) {
                if let Some(id) = self.live.find(&ids, &row.clients) {
                    self.take_over(id, seq);
                }
                continue;
            }
            for id in &ids {
                self.queue.forget(id);
            }
            let owner = Owner::Turn { turn: turn.clone() };
            let id = match self.live.find(&ids, &row.clients) {
                Some(id) => {
                    if self.live.row(id).is_some_and(|row| row.owner != owner) {
                        self.move_row(id, owner);
                        if let Some(record) = self.live.turns.get_mut(turn) {
                            record.slots.push(Slot::Row(id));
                        }
                    }
                    id
                }
                None => {
                    let n = u64::try_from(index).unwrap_or(u64::MAX);
                    let key = super::view::row_key(&row.clients, &ids, Some(turn), n);
                    let new = self.new_row(key, owner, Role::User, Parts::whole(body.parts));
                    let id = self.live.insert(new);
                    if let Some(record) = self.live.turns.get_mut(turn) {
                        record.slots.push(Slot::Row(id));
                    }
                    id
                }
            };
            self.live.name(id, &ids, &row.clients);
        }
    }

    /// Rows of assistants and of the system are replaced whole; their groups keep their keys by their place.
    fn replace_answers(&mut self, turn: &TurnId, answers: Vec<SnapshotRow>) {
        if answers.is_empty() {
            return;
        }
        let known: Vec<RowId> =
            self.live.rows_of(turn).filter(|(_, row)| row.role != Role::User).map(|(id, _)| id).collect();
        // Steers that stand between answers keep their place among them: count the answers before each.
        let steers = self.steer_places(turn);
        for id in known {
            self.release(id, &Evidence::Replaced);
        }
        let mut added: Vec<RowId> = Vec::new();
        let mut current: Vec<(Option<ExecutionId>, RowId)> = Vec::new();
        for row in answers {
            let role = if row.role == Role::Tool { Role::Assistant } else { row.role };
            let joins = current.iter().find(|(execution, _)| *execution == row.execution).map(|(_, id)| *id);
            if let Some(id) = joins.filter(|_| role == Role::Assistant)
                && let Some(known) = self.live.row_mut(id)
            {
                let mut parts = known.parts.list().to_vec();
                parts.extend(row.parts);
                known.parts = Parts::whole(parts);
                continue;
            }
            let owner = Owner::Turn { turn: turn.clone() };
            let mut new = self.new_row(String::new(), owner, role, Parts::default());
            new.execution.clone_from(&row.execution);
            new.parts = Parts::named(row.parts, &Origin { message: row.message, part: None });
            let id = self.live.insert(new);
            added.push(id);
            if role == Role::Assistant {
                current.push((row.execution, id));
            } else {
                current.clear();
            }
        }
        if let Some(record) = self.live.turns.get_mut(turn) {
            for (index, id) in added.into_iter().enumerate() {
                let before = steers.iter().filter(|place| **place <= index).count();
                let at = (before + index).min(record.slots.len());
                let at = if steers.len() == before { record.slots.len() } else { at };
                record.slots.insert(at, Slot::Row(id));
            }
            record.current = current;
            record.orphans.clear();
        }
        self.view.touch(BlockId::Turn(turn.clone()));
    }

    /// For each user slot of a turn: how many answers stand before it.
    fn steer_places(&self, turn: &TurnId) -> Vec<usize> {
        let Some(record) = self.live.turns.get(turn) else { return Vec::new() };
        let mut answers = 0;
        let mut places = Vec::new();
        for slot in &record.slots {
            let user = match slot {
                Slot::Chunk(_) => true,
                Slot::Row(id) => self.live.row(*id).is_some_and(|row| row.role == Role::User),
            };
            if user {
                places.push(answers);
            } else {
                answers += 1;
            }
        }
        places
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
            let holder = self
                .live
                .rows_of(&open.turn)
                .rev()
                .find(|(_, row)| row.parts.has_open_call(&open.call))
                .map(|(id, _)| id);
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
                        if let Some(record) = self.live.turns.get_mut(&turn) {
                            record.source = Source::Live;
                        }
                        let row = SnapshotRow {
                            role: Role::Assistant,
                            execution: None,
                            message: None,
                            messages: Vec::new(),
                            clients: Vec::new(),
                            parts,
                        };
                        self.replace_answers(&turn, vec![row]);
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
