//! How models and tools speak while they work.

use std::sync::Arc;

use tokio::sync::mpsc::Sender;
use tokio_util::sync::CancellationToken;

use crate::engine::Input;
use crate::model::{CallId, Cut, DeltaKind, Json, Opaque, Stream};

use super::host::{Call, Request, Tools, json};

/// What somebody at work reports.
#[derive(Debug)]
pub(super) struct Report {
    /// Cancelled where nobody waits for it any more.
    pub(super) token: CancellationToken,
    /// What it says.
    pub(super) input: Input,
    /// Whether it is its last word.
    pub(super) is_last: bool,
}

/// The line of one worker to its thread.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) reports: Sender<Report>,
    pub(super) token: CancellationToken,
}

impl Line {
    async fn say(&self, input: Input) {
        self.send(input, false).await;
    }

    pub(super) async fn end(&self, input: Input) {
        self.send(input, true).await;
    }

    async fn send(&self, input: Input, is_last: bool) {
        let report = Report { token: self.token.clone(), input, is_last };
        // Where the thread is gone nobody is left to tell.
        let _ = self.reports.send(report).await;
    }
}

/// How a model says its answer. What is said after the answer is no longer wanted is dropped.
#[derive(Clone)]
pub struct Voice {
    pub(super) line: Line,
    pub(super) about: Arc<Request>,
    pub(super) tools: Arc<dyn Tools>,
    pub(super) hint: CancellationToken,
}

impl std::fmt::Debug for Voice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Voice").field("execution", &self.about.execution).finish_non_exhaustive()
    }
}

impl Voice {
    /// Adds to the text.
    pub async fn text(&self, delta: &str) {
        self.delta(DeltaKind::Text, delta).await;
    }

    /// Adds to the reasoning.
    pub async fn reasoning(&self, delta: &str) {
        self.delta(DeltaKind::Reasoning, delta).await;
    }

    async fn delta(&self, kind: DeltaKind, delta: &str) {
        let delta = Cut::whole(delta);
        self.line.say(Input::Delta { execution: self.about.execution.clone(), kind, delta }).await;
    }

    /// The reasoning is whole; `metadata` goes back to the same vendor unchanged.
    pub async fn reasoning_end(&self, metadata: Option<Json>) {
        self.line.say(Input::ReasoningEnd { execution: self.about.execution.clone(), metadata }).await;
    }

    /// Adds to the arguments of a call that is not whole yet.
    pub async fn tool_input(&self, call: &CallId, name: &str, delta: &str) {
        let (execution, call, name) = (self.about.execution.clone(), call.clone(), Some(name.to_owned()));
        self.line.say(Input::ToolInput { execution, call, name, delta: Cut::whole(delta) }).await;
    }

    /// A call is whole. It runs at once, or when a person lets it. Arguments that are no JSON become a JSON string.
    pub async fn tool_call(&self, call: &CallId, name: &str, arguments: &str) {
        let Request { thread, turn, execution, .. } = &*self.about;
        let made = Call {
            thread: thread.clone(),
            turn: turn.clone(),
            execution: execution.clone(),
            call: call.clone(),
            name: name.to_owned(),
            arguments: json(arguments),
        };
        let approval = self.tools.approval(&made);
        let Call { execution, call, name, arguments, .. } = made;
        self.line.say(Input::ToolCall { execution, call, name, arguments, approval }).await;
    }

    /// A file, a source or data.
    pub async fn part(&self, part: Opaque) {
        self.line.say(Input::Part { execution: self.about.execution.clone(), part }).await;
    }

    /// Token counts.
    pub async fn usage(&self, usage: Json) {
        self.line.say(Input::Usage { execution: self.about.execution.clone(), usage }).await;
    }

    /// True where a steer waits: a model that can end its response early may do so.
    #[must_use]
    pub fn is_yielding(&self) -> bool {
        self.hint.is_cancelled()
    }
}

/// How a tool tells what it prints, and hears that it is no longer wanted.
#[derive(Clone, Debug)]
pub struct Output {
    pub(super) line: Line,
    pub(super) about: Arc<Call>,
}

impl Output {
    /// Prints.
    pub async fn stdout(&self, data: &str) {
        self.print(Stream::Stdout, data).await;
    }

    /// Prints to the stream of errors.
    pub async fn stderr(&self, data: &str) {
        self.print(Stream::Stderr, data).await;
    }

    async fn print(&self, stream: Stream, data: &str) {
        let Call { turn, execution, call, .. } = &*self.about;
        let (turn, execution, call) = (turn.clone(), Some(execution.clone()), call.clone());
        self.line.say(Input::ToolOutput { turn, execution, call, data: Cut::whole(data), stream }).await;
    }

    /// True once the result is no longer wanted.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.line.token.is_cancelled()
    }

    /// Waits until the result is no longer wanted.
    pub async fn cancelled(&self) {
        self.line.token.cancelled().await;
    }
}
