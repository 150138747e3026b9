//! The list of inputs: one arm, one `on_` function.

use super::input::Input;
use super::stream::Called;
use super::thread::{Out, Thread};

impl Thread {
    pub(super) fn on_input(&mut self, input: Input, out: &mut Out<'_>) {
        self.on_one(input, out);
        self.note_speech();
    }

    fn on_one(&mut self, input: Input, out: &mut Out<'_>) {
        match input {
            Input::Send(message) => self.on_send(message, out),
            Input::Stop { turn } => self.on_stop(turn.as_ref(), out),
            Input::Delta { execution, kind, delta } => self.on_delta(&execution, kind, delta, out),
            Input::ReasoningEnd { execution, metadata } => self.on_reasoning_end(&execution, metadata, out),
            Input::ToolInput { execution, call, name, delta } => {
                self.on_tool_input(&execution, &call, name, delta, out);
            }
            Input::Part { execution, part } => self.on_part(&execution, part, out),
            Input::Usage { execution, usage } => self.on_usage(&execution, &usage, out),
            Input::ToolCall { execution, call, name, arguments, approval } => {
                self.on_tool_call(&execution, Called { call, name, arguments, approval }, out);
            }
            Input::ToolOutput { turn, execution, call, data, stream } => {
                self.on_tool_output((&turn, execution.as_ref(), &call), data, stream, out);
            }
            Input::ToolResult { turn, execution, call, result, is_error } => {
                self.on_tool_result((&turn, execution.as_ref(), &call), result, is_error, out);
            }
            Input::StepEnd { execution } => self.on_step_end(&execution, out),
            Input::ExecutionEnd { execution, outcome, error } => self.on_execution_end(&execution, outcome, error, out),
            Input::Approve(target) => self.on_approve(target, out),
            Input::Deny(target) => self.on_deny(target, out),
            Input::Persisted { turn, chunks } => self.on_persisted(&turn, chunks, out),
            Input::PersistFailed { turn, from, error } => self.on_persist_failed(&turn, from, &error, out),
            Input::Retry { turn, execution } => self.on_retry(&turn, &execution, out),
            Input::Watchers { count } => self.on_watchers(count, out),
            Input::CancelQueued { message } => self.on_cancel_queued(message, out),
            Input::EditQueued { message, text } => self.on_edit_queued(message, text, out),
            Input::MoveQueued { message, index } => self.on_move_queued(message, index, out),
            Input::SendNow { message } => self.on_send_now(message, out),
            Input::ResumeQueue => self.on_resume_queue(out),
            Input::TimerFired { timer } => self.on_timer(timer, out),
        }
    }
}
