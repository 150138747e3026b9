//! What models and tools say.

use crate::model::{CallId, ChunkBody, Cut, DeltaKind, Event, ExecutionId, Json, Opaque, Part, Stream, TurnId};

use super::effect::{Code, Effect, Why};
use super::execution::{CallState, OpenCall};
use super::input::Ask;
use super::text;
use super::thread::{Out, Thread};

/// A call as a model makes it.
pub(super) struct Called {
    pub(super) call: CallId,
    pub(super) name: String,
    pub(super) arguments: Json,
    pub(super) approval: Option<Ask>,
}

/// The address of a call: its turn, its execution where told, its id.
pub(super) type Address<'a> = (&'a TurnId, Option<&'a ExecutionId>, &'a CallId);

impl Thread {
    pub(super) fn on_delta(&mut self, id: &ExecutionId, kind: DeltaKind, delta: Cut, out: &mut Out<'_>) {
        let Some((turn, tag)) = self.answering(id, out) else { return };
        if delta.is_empty() {
            return;
        }
        let Some(execution) = self.execution_mut(id) else { return };
        execution.begin();
        let origin = execution.origin(kind);
        execution.parts.delta(kind, &delta, &origin);
        let event = Event::Delta { kind, delta, turn: Some(turn), message: origin.message, part: None };
        self.publish(tag, event, out);
    }

    pub(super) fn on_reasoning_end(&mut self, id: &ExecutionId, metadata: Option<Json>, out: &mut Out<'_>) {
        let Some((turn, tag)) = self.answering(id, out) else { return };
        let Some(execution) = self.execution_mut(id) else { return };
        let mut fresh = execution.parts.list().iter().skip(execution.taken);
        let open = fresh.clone().any(|part| matches!(part, Part::Reasoning { sealed: false, .. }));
        let last = fresh.next_back();
        let told = matches!(last, Some(Part::Reasoning { metadata: known, .. }) if *known == metadata);
        if !open && (metadata.is_none() || told) {
            out.report(Code::Stale, Some(&turn), format!("no open reasoning of execution {id}"));
            return;
        }
        execution.begin();
        if !open {
            // Reasoning that the provider encrypted has no text: an empty piece opens it, so that it reaches the log.
            let origin = execution.origin(DeltaKind::Reasoning);
            execution.parts.delta(DeltaKind::Reasoning, &Cut::default(), &origin);
            let (kind, delta) = (DeltaKind::Reasoning, Cut::default());
            let opened = Event::Delta { kind, delta, turn: Some(turn.clone()), message: origin.message, part: None };
            self.publish(tag.clone(), opened, out);
        }
        let Some(execution) = self.execution_mut(id) else { return };
        execution.parts.reasoning_end(metadata.clone());
        self.publish(tag, Event::ReasoningEnd { metadata, turn: Some(turn) }, out);
    }

    pub(super) fn on_tool_input(
        &mut self,
        id: &ExecutionId,
        call: &CallId,
        name: Option<String>,
        delta: Cut,
        out: &mut Out<'_>,
    ) {
        let Some((turn, tag)) = self.answering(id, out) else { return };
        let Some(execution) = self.execution_mut(id) else { return };
        if execution.tool(call).is_some() {
            out.report(Code::Stale, Some(&turn), format!("the arguments of call {call} are whole"));
            return;
        }
        execution.begin();
        let step = Some(execution.step);
        let is_new = !execution.parts.has_open_call(call);
        let name = name.unwrap_or_default();
        execution.parts.tool_input_start(call, &name, step);
        if !delta.is_empty() {
            execution.parts.tool_input_delta(call, &delta);
        }
        if is_new {
            let start = Event::ToolInputStart { call: call.clone(), name, turn: Some(turn.clone()), step };
            self.publish(tag.clone(), start, out);
        }
        if !delta.is_empty() {
            self.publish(tag, Event::ToolInputDelta { call: call.clone(), delta, turn: Some(turn) }, out);
        }
    }

    pub(super) fn on_part(&mut self, id: &ExecutionId, part: Opaque, out: &mut Out<'_>) {
        let Some((turn, tag)) = self.answering(id, out) else { return };
        let Some(execution) = self.execution_mut(id) else { return };
        execution.begin();
        let at = execution.parts.opaque(part.clone());
        if at < execution.taken {
            // Its row is handed over: a later row of the same id replaces it, as it does live.
            execution.later.push(ChunkBody::Part(part.clone()));
        }
        self.publish(tag, Event::Part { part, turn: Some(turn) }, out);
    }

    /// Token counts may come behind the last word of a response.
    pub(super) fn on_usage(&mut self, id: &ExecutionId, usage: &Json, out: &mut Out<'_>) {
        let Some((turn, tag)) = self.running(id, out) else { return };
        let Some(execution) = self.execution_mut(id) else { return };
        execution.later.push(ChunkBody::Usage(usage.clone()));
        self.publish(tag, Event::Meta { kind: "usage".to_owned(), json: text::usage(&turn, usage) }, out);
    }

    pub(super) fn on_tool_call(&mut self, id: &ExecutionId, called: Called, out: &mut Out<'_>) {
        let Some((turn, tag)) = self.answering(id, out) else { return };
        let Some(execution) = self.execution_mut(id) else { return };
        let Called { call, name, arguments, approval } = called;
        if execution.tool(&call).is_some() {
            out.report(Code::Refused, Some(&turn), format!("call {call} comes twice in one step"));
            return;
        }
        execution.begin();
        let step = Some(execution.step);
        execution.parts.tool_call(&call, &name, arguments.clone(), step);
        if let Some(ask) = &approval {
            execution.parts.approval_request(&call, ask.prompt.clone(), ask.options.clone());
        }
        let (told, told_name, told_arguments) = (call.clone(), name.clone(), arguments.clone());
        let event =
            Event::ToolCall { call: told, name: told_name, arguments: told_arguments, turn: Some(turn.clone()), step };
        self.publish(tag.clone(), event, out);
        let state = match approval {
            Some(Ask { prompt, options }) => {
                let event = Event::ApprovalRequest { call: call.clone(), prompt, options, turn: Some(turn.clone()) };
                self.publish(tag, event, out);
                let after = out.policy().approval_timeout_ms;
                let timer = after.map(|after_ms| self.start_timer(after_ms, Why::Approval, out));
                CallState::Asking { timer }
            }
            None => {
                let (turn, execution, call) = (turn, id.clone(), call.clone());
                out.push(Effect::RunTool { turn, execution, call, name, arguments });
                CallState::Running
            }
        };
        if let Some(open) = self.execution_mut(id).and_then(|it| it.open_mut()) {
            open.push(OpenCall { call, state });
        }
    }

    pub(super) fn on_tool_output(&mut self, at: Address<'_>, data: Cut, stream: Stream, out: &mut Out<'_>) {
        let (turn, execution, call) = at;
        let Some(id) = self.with_call(call, Some(turn), execution, |open| !open.is_asking()) else {
            // L10: what a tool prints when nobody waits for it is counted and dropped.
            out.report(Code::Late, Some(turn), format!("call {call} is not open"));
            return;
        };
        let Some(execution) = self.execution_mut(&id) else { return };
        execution.parts.tool_output(Some(call), stream, &data);
        let tag = execution.tag.clone();
        let event = Event::ToolOutput { data, stream, call: Some(call.clone()), turn: Some(turn.clone()) };
        self.publish(tag, event, out);
    }

    pub(super) fn on_tool_result(&mut self, at: Address<'_>, result: Json, is_error: bool, out: &mut Out<'_>) {
        let Some(id) = self.with_call(at.2, Some(at.0), at.1, |_| true) else {
            return self.on_late_result(at, result, is_error, out);
        };
        if let Some(execution) = self.execution_mut(&id) {
            execution.failures = if is_error { execution.failures + 1 } else { 0 };
        }
        self.settle_call(&id, at.2, result, is_error, out);
        self.go_on(&id, out);
        self.supersede(out);
    }

    /// A call has its result.
    pub(super) fn settle_call(
        &mut self,
        id: &ExecutionId,
        call: &CallId,
        result: Json,
        is_error: bool,
        out: &mut Out<'_>,
    ) {
        let Some(turn) = self.open().map(|turn| turn.id.clone()) else { return };
        let Some(execution) = self.execution_mut(id) else { return };
        execution.parts.tool_result(call, &result, is_error);
        let tag = execution.tag.clone();
        let Some(open) = execution.open_mut() else { return };
        if let Some(at) = open.iter().rposition(|open| open.call == *call)
            && let CallState::Asking { timer: Some(timer) } = open.remove(at).state
        {
            out.push(Effect::CancelTimer { timer });
        }
        self.publish(tag, Event::ToolResult { call: call.clone(), result, is_error, turn: Some(turn) }, out);
    }
}
