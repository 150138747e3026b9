//! What streams into a turn: deltas, calls, output, results, approvals, notices, its end.

use crate::model::{
    CallId, Cut, Decision, DeltaKind, ExecutionId, Json, MessageId, Opaque, Origin, Outcome, PartId, Parts, Role, Spot,
    StatusKind, Stream, TurnId,
};

use super::asks::Out;
use super::input::Code;
use super::live::{Orphan, Owner, RowId, Slot, Source, TurnPhase};
use super::thread::Thread;
use super::view::{BlockId, Marked};

impl Thread {
    /// The turn that an event is for. Only content opens a turn; nothing ever goes to "the current one" by mistake (L10).
    fn turn_for(&mut self, turn: Option<TurnId>, call: Option<&CallId>, out: &mut Out<'_>) -> Option<TurnId> {
        match turn {
            Some(turn) => {
                if !self.open_turn(&turn) {
                    self.report(out, Code::Late, format!("turn {turn} is over"));
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
    fn running_turn(&mut self, turn: Option<TurnId>, call: Option<&CallId>, out: &mut Out<'_>) -> Option<TurnId> {
        let turn = self.turn_for(turn, call, out)?;
        match self.live.turns.get(&turn).map(|record| &record.phase) {
            Some(TurnPhase::Running) => Some(turn),
            Some(TurnPhase::Ended { .. }) | None => {
                self.report(out, Code::Late, format!("turn {turn} has ended"));
                None
            }
        }
    }

    /// The row that an execution's content goes to; a new one where the last was closed.
    fn answer_row(&mut self, turn: &TurnId, execution: Option<&ExecutionId>) -> Option<RowId> {
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
        if delta.is_empty() {
            return;
        }
        let Some(id) = self.answer_row(&turn, execution) else { return };
        let origin = Origin { message: origin.0, part: origin.1 };
        let Some(row) = self.live.row_mut(id) else { return };
        let spot = row.parts.delta(kind, delta, &origin);
        self.grew(&turn, id, spot);
    }

    /// Marks growth. A turn that is drawn from its chunks draws its rows anew, if at all.
    fn grew(&mut self, turn: &TurnId, id: RowId, spot: Spot) {
        match self.live.turns.get(turn).map(|record| record.source) {
            Some(Source::Live) if self.view.touched.grew(id.0, spot) == Marked::Row => {}
            Some(Source::Live | Source::Chunks) | None => self.view.touch(BlockId::Turn(turn.clone())),
        }
        if spot.opened {
            self.view.touched.head = true;
            // The first part of a row brings its group.
            if spot.part == 0 {
                self.view.touch(BlockId::Turn(turn.clone()));
            }
        }
    }

    fn changed(&mut self, turn: &TurnId, id: RowId, part: usize) {
        self.grew(turn, id, Spot { part, field: crate::model::Field::Text, from: 0, opened: true });
    }

    /// Changes the part of a call, wherever in the turn it is; the newest row that has it counts.
    fn on_call(
        &mut self,
        turn: &TurnId,
        execution: Option<&ExecutionId>,
        change: &mut dyn FnMut(&mut Parts) -> Option<usize>,
    ) -> bool {
        let rows: Vec<RowId> = self.live.rows_of(turn).map(|(id, _)| id).collect();
        // An execution's own rows first: call ids are unique to one execution only.
        let own = |id: &&RowId| self.live.row(**id).is_some_and(|row| row.execution.as_ref() == execution);
        let ordered: Vec<RowId> =
            rows.iter().rev().filter(own).chain(rows.iter().rev().filter(|id| !own(id))).copied().collect();
        for id in ordered {
            if let Some(part) = self.live.row_mut(id).and_then(|row| change(&mut row.parts)) {
                self.changed(turn, id, part);
                return true;
            }
        }
        false
    }

    pub(super) fn on_reasoning_end(
        &mut self,
        execution: Option<&ExecutionId>,
        metadata: Option<Json>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, None, out) else { return };
        let Some(id) = self.answer_row(&turn, execution) else { return };
        let Some(row) = self.live.row_mut(id) else { return };
        let newest = row.parts.list().iter().rposition(|part| matches!(part, crate::model::Part::Reasoning { .. }));
        if row.parts.reasoning_end(metadata)
            && let Some(part) = newest
        {
            self.changed(&turn, id, part);
        }
    }

    pub(super) fn on_tool_input(
        &mut self,
        execution: Option<&ExecutionId>,
        call: &CallId,
        input: ToolInput<'_>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, Some(call), out) else { return };
        let open = |row: &super::live::LiveRow| row.parts.has_open_call(call) && row.execution.as_ref() == execution;
        let known = self.live.rows_of(&turn).rev().find(|(_, row)| open(row)).map(|(id, _)| id);
        let Some(id) = known.or_else(|| self.answer_row(&turn, execution)) else { return };
        let Some(row) = self.live.row_mut(id) else { return };
        match input {
            ToolInput::Start { name, step } => {
                let part = row.parts.tool_input_start(call, name, step);
                self.changed(&turn, id, part);
            }
            ToolInput::Delta(delta) => match row.parts.tool_input_delta(call, delta) {
                Some(spot) => self.grew(&turn, id, spot),
                None => {
                    // Arguments without a start: the call opens, its name comes with the whole call.
                    if !row.parts.has_call(call) {
                        row.parts.tool_input_start(call, "", None);
                        if let Some(spot) = row.parts.tool_input_delta(call, delta) {
                            self.grew(&turn, id, spot);
                        }
                    }
                }
            },
            ToolInput::Whole { name, arguments, step } => {
                let part = row.parts.tool_call(call, name, arguments, step);
                self.changed(&turn, id, part);
                self.join_orphan(&turn, id, call);
            }
        }
        self.view.touched.head = true;
    }

    /// A result that came before its call joins it.
    fn join_orphan(&mut self, turn: &TurnId, id: RowId, call: &CallId) {
        let Some(record) = self.live.turns.get_mut(turn) else { return };
        let Some(index) = record.orphans.iter().position(|orphan| orphan.call == *call) else { return };
        let orphan = record.orphans.remove(index);
        if let Some(part) =
            self.live.row_mut(id).and_then(|row| row.parts.tool_result(call, &orphan.result, orphan.is_error))
        {
            self.changed(turn, id, part);
        }
    }

    pub(super) fn on_tool_output(
        &mut self,
        execution: Option<&ExecutionId>,
        call: Option<&CallId>,
        stream: Stream,
        data: &Cut,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, call, out) else { return };
        let rows: Vec<RowId> = self.live.rows_of(&turn).map(|(id, _)| id).collect();
        let own = |id: &&RowId| self.live.row(**id).is_some_and(|row| row.execution.as_ref() == execution);
        let ordered: Vec<RowId> =
            rows.iter().rev().filter(own).chain(rows.iter().rev().filter(|id| !own(id))).copied().collect();
        for id in ordered {
            if let Some(spot) = self.live.row_mut(id).and_then(|row| row.parts.tool_output(call, stream, data)) {
                self.grew(&turn, id, spot);
                return;
            }
        }
        self.report(out, Code::Late, "output of a call that is not here");
    }

    pub(super) fn on_tool_result(
        &mut self,
        execution: Option<&ExecutionId>,
        call: &CallId,
        result: &Json,
        is_error: bool,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.turn_for(turn, Some(call), out) else { return };
        self.view.touched.head = true;
        if self.on_call(&turn, execution, &mut |parts| parts.tool_result(call, result, is_error)) {
            return;
        }
        let holds = self.live.rows_of(&turn).any(|(_, row)| row.parts.has_call(call));
        match self.live.turns.get_mut(&turn) {
            // The call has its result: the first one stands.
            Some(_) if holds => {}
            Some(record) if record.phase == TurnPhase::Running => {
                record.orphans.push(Orphan { call: call.clone(), result: result.clone(), is_error });
            }
            Some(_) | None => self.report(out, Code::Late, format!("result of call {call} after the end of {turn}")),
        }
    }

    pub(super) fn on_approval_request(
        &mut self,
        execution: Option<&ExecutionId>,
        call: &CallId,
        prompt: Option<&String>,
        options: Option<&Json>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, Some(call), out) else { return };
        self.view.touched.head = true;
        let mut ask = |parts: &mut Parts| parts.approval_request(call, prompt.cloned(), options.cloned());
        if self.on_call(&turn, execution, &mut ask) || self.live.rows_of(&turn).any(|(_, row)| row.parts.has_call(call))
        {
            return;
        }
        // The question came before its call.
        let Some(id) = self.answer_row(&turn, execution) else { return };
        let Some(row) = self.live.row_mut(id) else { return };
        let part = row.parts.tool_input_start(call, "", None);
        row.parts.approval_request(call, prompt.cloned(), options.cloned());
        self.changed(&turn, id, part);
    }

    pub(super) fn on_approval_resolved(
        &mut self,
        execution: Option<&ExecutionId>,
        call: &CallId,
        decision: Decision,
        reason: Option<&String>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.running_turn(turn, Some(call), out) else { return };
        self.view.touched.head = true;
        self.on_call(&turn, execution, &mut |parts| parts.approval_resolved(call, decision, reason.cloned()));
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
        let same = |row: &super::live::LiveRow| {
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

    /// A notice, or an error: in its turn, else in the running one, else after the last one.
    pub(super) fn on_line(
        &mut self,
        execution: Option<&ExecutionId>,
        line: &Line<'_>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let turn = match turn {
            Some(turn) => {
                if !self.open_turn(&turn) {
                    self.report(out, Code::Late, format!("turn {turn} is over"));
                    return;
                }
                Some(turn)
            }
            None => self.live.running().cloned(),
        };
        match (turn, line) {
            (Some(turn), Line::Error { text, code }) => {
                let Some(id) = self.answer_row(&turn, execution) else { return };
                let Some(row) = self.live.row_mut(id) else { return };
                let part = row.parts.error((*text).to_owned(), code.cloned());
                self.changed(&turn, id, part);
            }
            (Some(turn), Line::Notice { text }) => self.on_turn_notice(&turn, text),
            (None, line) => self.on_note(line),
        }
        self.view.touched.head = true;
        out.flush(&self.id);
    }

    /// A notice in a turn is a row of the system: the log seals it so. Neighbours join.
    fn on_turn_notice(&mut self, turn: &TurnId, text: &str) {
        let last = self.live.rows_of(turn).next_back().filter(|(_, row)| row.role == Role::System).map(|(id, _)| id);
        let id = match last {
            Some(id) => id,
            None => {
                let owner = Owner::Turn { turn: turn.clone() };
                let row = self.new_row(String::new(), owner, Role::System, Parts::default());
                let id = self.live.insert(row);
                if let Some(record) = self.live.turns.get_mut(turn) {
                    record.slots.push(Slot::Row(id));
                    record.current.clear();
                }
                id
            }
        };
        if let Some(row) = self.live.row_mut(id) {
            row.parts.notice(text.to_owned(), None);
        }
        self.view.touch(BlockId::Turn(turn.clone()));
    }

    fn on_note(&mut self, line: &Line<'_>) {
        let after = self.view.order.last_turn().cloned();
        let last = self.notes.get(&after).and_then(|notes| notes.last().copied());
        let joins = last.filter(|id| {
            matches!(line, Line::Notice { .. }) && self.live.row(*id).is_some_and(|row| row.role == Role::System)
        });
        let id = match joins {
            Some(id) => id,
            None => {
                let role = if matches!(line, Line::Notice { .. }) { Role::System } else { Role::Assistant };
                let mut row = self.new_row(String::new(), Owner::Note { after: after.clone() }, role, Parts::default());
                row.key = super::view::row_key(&[], &[], None, row.stamp);
                let id = self.live.insert(row);
                self.notes.entry(after).or_default().push(id);
                id
            }
        };
        if let Some(row) = self.live.row_mut(id) {
            match line {
                Line::Notice { text } => row.parts.notice((*text).to_owned(), None),
                Line::Error { text, code } => row.parts.error((*text).to_owned(), code.cloned()),
            };
        }
        self.place_row(id);
    }

    pub(super) fn on_turn_end(&mut self, turn: &TurnId, outcome: Outcome, error: Option<String>, out: &mut Out<'_>) {
        if !self.open_turn(turn) {
            self.report(out, Code::Late, format!("turn {turn} is over"));
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
                while let Some(turn) = self.live.running().cloned() {
                    self.end_turn(&turn, None, None);
                }
                self.legacy = (status == StatusKind::Error).then_some(StatusKind::Error);
                out.flush(&self.id);
            }
        }
    }
}

/// What a `tool-input-start`, a `tool-input-delta` or a `tool-call` brings.
pub(super) enum ToolInput<'a> {
    Start { name: &'a str, step: Option<u32> },
    Delta(&'a Cut),
    Whole { name: &'a str, arguments: Json, step: Option<u32> },
}

/// What a `notice` or an `error` brings.
pub(super) enum Line<'a> {
    Notice { text: &'a str },
    Error { text: &'a str, code: Option<&'a Json> },
}
