//! What streams into a turn: deltas, calls, output, results, approvals, notices, its end.

use crate::model::{
    CallId, Cut, DeltaKind, ExecutionId, Json, MessageId, Opaque, Origin, Outcome, PartId, Parts, Role, Spot,
    StatusKind, TurnId, joined,
};

use super::asks::Out;
use super::effect::Code;
use super::live::{LiveRow, Owner, RowId, Slot, Source, TurnPhase};
use super::thread::Thread;
use super::view::{BlockId, Marked};

impl Thread {
    /// The turn that an event is for. Only content opens a turn; nothing ever goes to "the current one" by mistake (L10).
    pub(super) fn turn_for(
        &mut self,
        turn: Option<TurnId>,
        call: Option<&CallId>,
        out: &mut Out<'_>,
    ) -> Option<TurnId> {
        match turn {
            Some(turn) => {
                if !self.open_turn(&turn) {
                    self.report(out, Code::Late, joined(&["turn ", turn.as_str(), " is over"]));
                    return None;
                }
                Some(turn)
            }
            None => {
                let held = call.and_then(|call| self.turn_with_call(call));
                let found = held.or_else(|| self.live.running().cloned());
                if found.is_none() {
                    self.report(out, Code::NoTurn, "an event without turnId while no turn runs");
                }
                found
            }
        }
    }

    /// The newest turn that holds a call.
    fn turn_with_call(&self, call: &CallId) -> Option<TurnId> {
        let holds = |turn: &&TurnId| self.live.rows_of(turn).any(|(_, row)| row.parts.has_call(call));
        let newest =
            self.live.turns.keys().filter(holds).max_by_key(|id| self.live.turns.get(*id).map(|turn| turn.start));
        newest.cloned()
    }

    /// A turn that has ended takes no more content.
    pub(super) fn running_turn(
        &mut self,
        turn: Option<TurnId>,
        call: Option<&CallId>,
        out: &mut Out<'_>,
    ) -> Option<TurnId> {
        let turn = self.turn_for(turn, call, out)?;
        match self.live.turns.get(&turn).map(|record| &record.phase) {
            Some(TurnPhase::Running) => Some(turn),
            Some(TurnPhase::Ended { .. }) | None => {
                self.report(out, Code::Late, joined(&["turn ", turn.as_str(), " has ended"]));
                None
            }
        }
    }

    /// The row that an execution's content goes to; a new one where the last was closed.
    pub(super) fn answer_row(&mut self, turn: &TurnId, execution: Option<&ExecutionId>) -> Option<RowId> {
        let record = self.live.turns.get(turn)?;
        let known = record.current.iter().find(|(known, _)| known.as_ref() == execution).map(|(_, id)| *id);
        if known.is_some() {
            return known;
        }
        let owner = Owner::Turn { turn: turn.clone() };
        let mut row = self.new_row(String::new(), owner, Role::Assistant, Parts::default());
        row.execution = execution.cloned();
        let id = self.live.insert(row);
        let record = self.live.turns.get_mut(turn)?;
        record.slots.push(Slot::Row(id));
        record.current.push((execution.cloned(), id));
        record.line = None;
        self.view.touch(BlockId::Turn(turn.clone()));
        Some(id)
    }

    pub(super) fn on_delta(
        &mut self,
        execution: Option<&ExecutionId>,
        kind: DeltaKind,
        delta: &Cut,
        turn: Option<TurnId>,
        origin: (Option<MessageId>, Option<PartId>),
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, None, out) else { return };
        // An empty piece of reasoning opens its part: what the provider encrypted comes with its end.
        if delta.is_empty() && kind == DeltaKind::Text {
            return;
        }
        let Some(id) = self.answer_row(&turn, execution) else { return };
        let origin = Origin { message: origin.0, part: origin.1 };
        let Some(row) = self.live.row_mut(id) else { return };
        let spot = row.parts.delta(kind, delta, &origin);
        self.grew(&turn, id, spot);
    }

    /// Marks growth. A turn that is drawn from its chunks draws its rows anew, if at all.
    pub(super) fn grew(&mut self, turn: &TurnId, id: RowId, spot: Spot) {
        match self.live.turns.get(turn).map(|record| record.source) {
            Some(Source::Live) if self.view.touched.grew(id.0, spot) == Marked::Row => {}
            Some(Source::Live | Source::Chunks) | None => self.view.touch(BlockId::Turn(turn.clone())),
        }
        if spot.opened {
            self.view.touched.head = true;
            // The first part of a row brings its group, the first that is named names it.
            let names = |row: &LiveRow| row.parts.origins().iter().position(|origin| origin.message.is_some());
            let renames = || self.live.row(id).and_then(names) == Some(spot.part);
            if spot.part == 0 || (renames() && self.view.touched.meta(id.0) == Marked::Crowded) {
                self.view.touch(BlockId::Turn(turn.clone()));
            }
        }
    }

    pub(super) fn changed(&mut self, turn: &TurnId, id: RowId, part: usize) {
        self.grew(turn, id, Spot { part, field: crate::model::Field::Text, from: 0, opened: true });
    }

    pub(super) fn on_reasoning_end(
        &mut self,
        execution: Option<&ExecutionId>,
        metadata: Option<Json>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, None, out) else { return };
        let current = self.live.turns.get(&turn).map(|record| record.current.as_slice()).unwrap_or_default();
        let Some(id) = current.iter().find(|(known, _)| known.as_ref() == execution).map(|(_, id)| *id) else { return };
        let Some(row) = self.live.row_mut(id) else { return };
        let newest = row.parts.list().iter().rposition(|part| matches!(part, crate::model::Part::Reasoning { .. }));
        if row.parts.reasoning_end(metadata)
            && let Some(part) = newest
        {
            self.changed(&turn, id, part);
        }
    }

    pub(super) fn on_part(
        &mut self,
        execution: Option<&ExecutionId>,
        part: Opaque,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, None, out) else { return };
        // The same id is replaced in place, in whichever row of the turn it stands.
        let same = |row: &LiveRow| {
            row.execution.as_ref() == execution
                && row.parts.list().iter().any(|known| {
                    matches!(known, crate::model::Part::Opaque(known)
                        if known.kind == part.kind && known.id.is_some() && known.id == part.id)
                })
        };
        let known = self.live.rows_of(&turn).rev().find(|(_, row)| same(row)).map(|(id, _)| id);
        let Some(id) = known.or_else(|| self.answer_row(&turn, execution)) else { return };
        let Some(row) = self.live.row_mut(id) else { return };
        let index = row.parts.opaque(part);
        self.changed(&turn, id, index);
    }

    pub(super) fn on_turn_end(&mut self, turn: &TurnId, outcome: Outcome, error: Option<String>, out: &mut Out<'_>) {
        if !self.hear_of(turn) {
            self.report(out, Code::Late, joined(&["turn ", turn.as_str(), " is over"]));
            return;
        }
        self.end_turn(turn, Some(outcome), error);
        out.flush(&self.id);
    }

    /// Ends a turn. The first end wins (L9); the legacy `status` is no end that another could not overrule.
    pub(super) fn end_turn(&mut self, turn: &TurnId, outcome: Option<Outcome>, error: Option<String>) {
        let newest = self.live.turns.values().map(|record| record.start).max();
        let Some(record) = self.live.turns.get_mut(turn) else { return };
        match &record.phase {
            TurnPhase::Running | TurnPhase::Ended { outcome: None, .. } => {}
            TurnPhase::Ended { outcome: Some(_), .. } => return,
        }
        record.phase = TurnPhase::Ended { outcome, error };
        record.current.clear();
        record.stopping = false;
        record.orphans.clear();
        if record.source == Source::Chunks {
            // Its rows stand in groups of chunks: their ends show there.
            self.view.touch(BlockId::Turn(turn.clone()));
        }
        if newest == Some(record.start) {
            self.failed = outcome == Some(Outcome::Error);
        }
        let rows: Vec<RowId> = self.live.rows_of(turn).map(|(id, _)| id).collect();
        for id in rows {
            if let Some(row) = self.live.row_mut(id)
                && row.role != Role::User
                && row.parts.end()
            {
                self.view.touch(BlockId::Turn(turn.clone()));
            }
            if self.view.touched.meta(id.0) == Marked::Crowded {
                self.view.touch(BlockId::Turn(turn.clone()));
            }
        }
        self.view.touched.head = true;
    }

    /// The legacy word on the thread. It ends streaming and proves nothing.
    pub(super) fn on_status(&mut self, status: StatusKind, out: &mut Out<'_>) {
        self.view.touched.head = true;
        match status {
            StatusKind::Running => self.legacy = self.live.running().is_none().then_some(StatusKind::Running),
            StatusKind::Idle | StatusKind::Error => {
                // A call that waits for a person streams nothing: its turn goes on, whatever the word on the thread is.
                let asks: Vec<TurnId> = self.head_approvals().into_iter().map(|open| open.turn).collect();
                let running = self.live.turns.iter().filter(|(_, record)| record.phase == TurnPhase::Running);
                let over: Vec<TurnId> =
                    running.map(|(turn, _)| turn.clone()).filter(|turn| !asks.contains(turn)).collect();
                for turn in over {
                    self.end_turn(&turn, None, None);
                }
                self.legacy = (status == StatusKind::Error).then_some(StatusKind::Error);
                out.flush(&self.id);
            }
        }
    }
}
