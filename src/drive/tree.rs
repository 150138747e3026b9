//! All that is at work for a thread: one tree a turn, with executions and their calls as branches.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::Sender;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::engine::Input;
use crate::model::{CallId, ExecutionId, Outcome, TurnId};

use super::caught::caught;
use super::host::{Call, Host, Request, json, string};
use super::voice::{Line, Output, Report, Voice};

/// The tasks of a thread. Dropping it ends them all.
#[derive(Debug)]
pub(super) struct Tree {
    tasks: JoinSet<()>,
    turns: BTreeMap<TurnId, CancellationToken>,
    executions: BTreeMap<ExecutionId, Branch>,
    reports: Sender<Report>,
    grace: Duration,
}

/// One execution.
#[derive(Debug)]
struct Branch {
    turn: TurnId,
    token: CancellationToken,
    /// Cancelled where a steer waits.
    hint: CancellationToken,
    calls: BTreeMap<CallId, CancellationToken>,
}

impl Tree {
    pub(super) fn new(reports: Sender<Report>, grace: Duration) -> Self {
        Self { tasks: JoinSet::new(), turns: BTreeMap::new(), executions: BTreeMap::new(), reports, grace }
    }

    /// True where no turn is at work.
    pub(super) fn is_idle(&self) -> bool {
        self.turns.is_empty()
    }

    /// Something that serves the thread and ends with it.
    pub(super) fn serve(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Waits for a task to end; never, where there is none.
    pub(super) async fn reap(&mut self) {
        if self.tasks.join_next().await.is_none() {
            std::future::pending().await
        }
    }

    /// The place of a request. It is there before the request is carried out, so that it can be cancelled before.
    pub(super) fn place(&mut self, turn: &TurnId, execution: &ExecutionId) -> CancellationToken {
        let root = self.turns.entry(turn.clone()).or_default().clone();
        let branch = self.executions.entry(execution.clone()).or_insert_with(|| Branch {
            turn: turn.clone(),
            token: root.child_token(),
            hint: CancellationToken::new(),
            calls: BTreeMap::new(),
        });
        branch.token.child_token()
    }

    /// The place of a call.
    pub(super) fn place_call(&mut self, turn: &TurnId, execution: &ExecutionId, call: &CallId) -> CancellationToken {
        let token = self.place(turn, execution);
        if let Some(branch) = self.executions.get_mut(execution) {
            branch.calls.insert(call.clone(), token.clone());
        }
        token
    }

    /// Asks a model, unless that was cancelled before.
    pub(super) fn request(&mut self, request: Request, token: CancellationToken, host: &Host) {
        let Some(branch) = self.executions.get(&request.execution).filter(|_| !token.is_cancelled()) else { return };
        let line = Line { reports: self.reports.clone(), token: token.clone() };
        let (hint, tools, about) = (branch.hint.clone(), Arc::clone(&host.tools), Arc::new(request.clone()));
        let voice = Voice { line: line.clone(), about, tools, hint };
        let (model, execution) = (Arc::clone(&host.model), request.execution.clone());
        self.tasks.spawn(async move {
            let work = caught(move || model.answer(request, voice));
            // What is cancelled is dropped where it stands.
            let Some(end) = token.run_until_cancelled(work).await else { return };
            let failed = |error| Input::ExecutionEnd { execution: execution.clone(), outcome: Outcome::Error, error };
            let input = match end {
                Ok(Ok(())) => Input::StepEnd { execution },
                Ok(Err(error)) => failed(Some(error)),
                Err(panic) => failed(Some(format!("the model panicked: {panic}"))),
            };
            line.end(input).await;
        });
    }

    /// Runs a tool, unless that was cancelled before.
    pub(super) fn run(&mut self, call: Call, token: CancellationToken, host: &Host) {
        if token.is_cancelled() {
            return;
        }
        let line = Line { reports: self.reports.clone(), token: token.clone() };
        let output = Output { line: line.clone(), about: Arc::new(call.clone()) };
        let (tools, grace, about) = (Arc::clone(&host.tools), self.grace, call.clone());
        self.tasks.spawn(async move {
            let mut work = std::pin::pin!(caught(move || tools.run(call, output)));
            match token.run_until_cancelled(&mut work).await {
                Some(end) => line.end(answered(about, end)).await,
                // It was told. What it still says is late, and where it does not end it is dropped.
                None => drop(timeout(grace, work).await),
            }
        });
    }

    /// A steer waits for this execution.
    pub(super) fn hint(&self, execution: &ExecutionId) {
        if let Some(branch) = self.executions.get(execution) {
            branch.hint.cancel();
        }
    }

    /// Ends all work of an execution.
    pub(super) fn cancel(&mut self, execution: &ExecutionId) {
        if let Some(branch) = self.executions.remove(execution) {
            branch.token.cancel();
        }
    }

    /// Ends the work of a call.
    pub(super) fn cancel_call(&mut self, execution: &ExecutionId, call: &CallId) {
        let branch = self.executions.get_mut(execution);
        if let Some(token) = branch.and_then(|branch| branch.calls.remove(call)) {
            token.cancel();
        }
    }

    /// L9: a turn that has ended has nothing at work.
    pub(super) fn end(&mut self, turn: &TurnId) {
        if let Some(root) = self.turns.remove(turn) {
            root.cancel();
        }
        self.executions.retain(|_, branch| branch.turn != *turn);
    }
}

/// What became of a call. A panic is no answer that a model could use: it ends the execution.
fn answered(call: Call, end: Result<Result<crate::model::Json, String>, String>) -> Input {
    let Call { turn, execution, call, name, .. } = call;
    let (result, is_error) = match end {
        Ok(Ok(result)) => (json(result.as_str()), false),
        Ok(Err(error)) => (string(&error), true),
        Err(panic) => {
            let error = Some(format!("the tool {name} panicked: {panic}"));
            return Input::ExecutionEnd { execution, outcome: Outcome::Error, error };
        }
    };
    Input::ToolResult { turn, execution: Some(execution), call, result, is_error }
}
