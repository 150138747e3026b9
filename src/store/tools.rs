//! Tool calls in a turn: arguments, output, results, approvals.

use crate::model::{CallId, Cut, Decision, ExecutionId, Json, Parts, Stream, TurnId, joined};

use super::asks::Out;
use super::effect::Code;
use super::live::{LiveRow, Orphan, RowId, TurnPhase};
use super::thread::Thread;

impl Thread {
    pub(super) fn on_tool_input(
        &mut self,
        execution: Option<&ExecutionId>,
        call: &CallId,
        input: ToolInput<'_>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let turn = turn.or_else(|| self.turn_that_opens(call, &input));
        let Some(turn) = self.running_turn(turn, Some(call), out) else { return };
        let open = |row: &LiveRow| row.parts.has_open_call(call) && row.execution.as_ref() == execution;
        let known = self.live.rows_of(&turn).rev().find(|(_, row)| open(row)).map(|(id, _)| id);
        let Some(id) = known.or_else(|| self.answer_row(&turn, execution)) else { return };
        let told = self.next_step(&turn, id);
        let Some(row) = self.live.row_mut(id) else { return };
        match input {
            ToolInput::Start { name, step } => {
                let part = row.parts.tool_input_start(call, name, step.or(told));
                self.changed(&turn, id, part);
            }
            ToolInput::Delta(delta) => {
                if let Some(spot) = row.parts.tool_input_delta(call, delta) {
                    return self.grew(&turn, id, spot);
                }
                // Arguments without a start: the call opens, its name comes with the whole call.
                if !row.parts.has_call(call) {
                    row.parts.tool_input_start(call, "", told);
                    if let Some(spot) = row.parts.tool_input_delta(call, delta) {
                        self.grew(&turn, id, spot);
                    }
                }
            }
            ToolInput::Whole { name, arguments, step } => {
                let part = row.parts.tool_call(call, name, arguments, step.or(told));
                self.changed(&turn, id, part);
                self.join_orphan(&turn, id, call);
            }
        }
        self.view.touched.head = true;
    }

    /// A call that begins without a turnId begins in the running turn, unless that id is still open elsewhere.
    fn turn_that_opens(&self, call: &CallId, input: &ToolInput<'_>) -> Option<TurnId> {
        match input {
            ToolInput::Delta(_) => None,
            ToolInput::Start { .. } | ToolInput::Whole { .. } => {
                let open = |turn: &&TurnId| self.live.rows_of(turn).any(|(_, row)| row.parts.has_open_call(call));
                let elsewhere = self.live.turns.keys().any(|turn| open(&turn));
                if elsewhere { None } else { self.live.running().cloned() }
            }
        }
    }

    /// Steps are counted over the turn: where a row has no call yet, the rows before it tell.
    fn next_step(&self, turn: &TurnId, id: RowId) -> Option<u32> {
        let row = self.live.row(id)?;
        if row.parts.next_step().is_some() {
            return None;
        }
        let same = self.live.rows_of(turn).rev().filter(|(_, other)| other.execution == row.execution);
        same.filter_map(|(_, other)| other.parts.next_step()).next()
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

    /// The rows of a turn, newest first; an execution's own before others: call ids are unique to one execution only.
    fn rows_of_execution_first(&self, turn: &TurnId, execution: Option<&ExecutionId>) -> Vec<RowId> {
        let own = |row: &LiveRow| row.execution.as_ref() == execution;
        let rows = || self.live.rows_of(turn).rev();
        let ids = rows().filter(|(_, row)| own(row)).chain(rows().filter(|(_, row)| !own(row)));
        ids.map(|(id, _)| id).collect()
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
        for id in self.rows_of_execution_first(&turn, execution) {
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
            Some(_) | None => self.report(
                out,
                Code::Late,
                joined(&["result of call ", call.as_str(), " after the end of ", turn.as_str()]),
            ),
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

    /// Changes the part of a call, wherever in the turn it is; the newest row that has it counts.
    fn on_call(
        &mut self,
        turn: &TurnId,
        execution: Option<&ExecutionId>,
        change: &mut dyn FnMut(&mut Parts) -> Option<usize>,
    ) -> bool {
        for id in self.rows_of_execution_first(turn, execution) {
            if let Some(part) = self.live.row_mut(id).and_then(|row| change(&mut row.parts)) {
                self.changed(turn, id, part);
                return true;
            }
        }
        false
    }
}

/// What a `tool-input-start`, a `tool-input-delta` or a `tool-call` brings.
pub(super) enum ToolInput<'a> {
    Start { name: &'a str, step: Option<u32> },
    Delta(&'a Cut),
    Whole { name: &'a str, arguments: Json, step: Option<u32> },
}
