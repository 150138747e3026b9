//! Results that come after the end of their turn.

use crate::model::{ApprovalState, CallId, Chunk, ChunkBody, Event, ExecutionId, Json, Part, Role, ToolState, TurnId};

use super::effect::Code;
use super::execution::Execution;
use super::policy::OnLateOutput;
use super::rows;
use super::stream::Address;
use super::thread::{Out, Thread};
use super::turn::Turn;

impl Thread {
    /// L10: a late result never touches another turn. Where the policy says so, it is shown with its call; and it is
    /// written, as long as no model was told that the call has no result.
    pub(super) fn on_late_result(&mut self, at: Address<'_>, result: Json, is_error: bool, out: &mut Out<'_>) {
        let (turn, execution, call) = at;
        let found = match out.policy().late_output {
            OnLateOutput::Discard => None,
            OnLateOutput::Display | OnLateOutput::Replace => self.interrupted(turn, execution, call),
        };
        let Some((id, step)) = found else {
            out.report(Code::Late, Some(turn), format!("call {call} is not open"));
            return;
        };
        let is_newest = self.turns.last().is_some_and(|last| last.id == *turn);
        let replaces = out.policy().late_output == OnLateOutput::Replace && is_newest;
        let Some(known) = self.turn_mut(turn) else { return };
        let Some(execution) = known.slots.iter_mut().flatten().find(|it| it.id == id) else { return };
        execution.parts.tool_result(call, &result, is_error);
        let tag = execution.tag.clone();
        if replaces {
            let name = name_of(execution, call);
            let body =
                ChunkBody::ToolResult { call: call.clone(), name, result: result.clone(), is_error, output: None };
            let row = rows::row(turn, Role::Tool, body);
            known.rows.push(Chunk { execution: tag.clone(), step: Some(step), ..row });
        }
        let event = Event::ToolResult { call: call.clone(), result, is_error, turn: Some(turn.clone()) };
        self.publish(tag, event, out);
    }

    /// The execution and the step of the newest call of that id that an ended turn has left without a result though it
    /// ran.
    fn interrupted(&self, turn: &TurnId, execution: Option<&ExecutionId>, call: &CallId) -> Option<(ExecutionId, u32)> {
        let turn = self.turns.iter().find(|known| known.id == *turn && !known.is_open())?;
        let named = |it: &&Execution| execution.is_none_or(|id| it.id == *id);
        let left = |it: &Execution| {
            let tools = it.parts.list().iter().rev();
            let mut tools = tools.filter_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None });
            let tool = tools.find(|tool| tool.call == *call)?;
            let ran = tool.arguments.is_some()
                && tool.approval.as_ref().is_none_or(|approval| approval.state == ApprovalState::Approved);
            let is_left = tool.state == ToolState::Interrupted && tool.result.is_none();
            (ran && is_left).then(|| (it.id.clone(), tool.step))
        };
        Turn::executions(turn).filter(named).filter_map(left).last()
    }
}

fn name_of(execution: &Execution, call: &CallId) -> Option<String> {
    let mut parts = execution.parts.list().iter().rev();
    parts.find_map(|part| match part {
        Part::Tool(tool) if tool.call == *call => Some(tool.name.clone()),
        Part::Tool(_)
        | Part::Text { .. }
        | Part::Reasoning { .. }
        | Part::Opaque(_)
        | Part::Notice { .. }
        | Part::Error { .. } => None,
    })
}
