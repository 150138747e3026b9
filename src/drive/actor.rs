//! One thread at work: inputs in, effects carried out, one at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc::{self, Receiver, UnboundedReceiver};
use tokio::sync::oneshot;

use crate::engine::{Answer, Code, Diagnostic, Engine, Input, Meta, Saved};
use crate::model::{ExecutionId, ThreadId};

use super::context::Context;
use super::fan::{Fan, Subscription};
use super::gate::{Gate, Out};
use super::host::Host;
use super::timers::Timers;
use super::tree::Tree;
use super::voice::Report;
use super::writer::{Desk, Writer, Written};
use super::{Limits, Options};

/// Who waits for an answer.
pub(super) type Reply = oneshot::Sender<Option<Answer>>;

/// What a handle asks of a thread.
#[derive(Debug)]
pub(super) enum Command {
    Put { input: Input, reply: Reply },
    Subscribe { after: Option<u64>, reply: oneshot::Sender<Subscription> },
    Close { reply: oneshot::Sender<()> },
}

/// One thread.
#[derive(Debug)]
pub(super) struct Actor {
    pub(super) thread: ThreadId,
    pub(super) host: Host,
    pub(super) engine: Engine,
    commands: Receiver<Command>,
    reports: Receiver<Report>,
    written: UnboundedReceiver<Written>,
    pub(super) writer: Writer,
    pub(super) context: Context,
    pub(super) tree: Tree,
    pub(super) timers: Timers,
    pub(super) gate: Gate,
    pub(super) fan: Fan,
    /// What was given to the writer last, beside the rows.
    pub(super) kept: Meta,
    /// Who waits for the end of all work.
    closing: Vec<oneshot::Sender<()>>,
}

impl Actor {
    /// A thread as it was left. What was open is sealed as aborted, a queue is held.
    pub(super) fn new(
        thread: ThreadId,
        host: Host,
        options: Options,
        commands: Receiver<Command>,
        saved: Saved,
    ) -> Self {
        let Limits { grace, events, waiting, .. } = options.limits;
        let (reports_in, reports) = mpsc::channel(waiting.max(1));
        let (told, written) = mpsc::unbounded_channel();
        let mut tree = Tree::new(reports_in, grace);
        let context = Context::new(saved.chunks.clone(), &saved.meta.open);
        let desk = Desk::new(thread.clone(), Arc::clone(&host.log), options.engine.policy.clone(), &saved, told);
        let writer = desk.open(|task| tree.serve(task));
        let (kept, fan) = (saved.meta.clone(), Fan::new(events, waiting));
        let (engine, restored) = Engine::restore(options.engine, vec![(thread.clone(), saved)]);
        let (timers, gate, closing) = (Timers::default(), Gate::default(), Vec::new());
        let mut actor = Self {
            thread,
            host,
            engine,
            commands,
            reports,
            written,
            writer,
            context,
            tree,
            timers,
            gate,
            fan,
            kept,
            closing,
        };
        for (_, effects) in restored {
            actor.carry(effects, true, None);
        }
        actor
    }

    /// Works until nobody can ask any more, or somebody has asked to end.
    pub(super) async fn run(mut self, rests: Arc<AtomicBool>) {
        while self.closing.is_empty() || !self.rests() {
            rests.store(self.rests(), Ordering::Release);
            // In this order: a stop overtakes what a model says.
            tokio::select! {
                biased;
                command = self.commands.recv() => match command {
                    Some(command) => self.on_command(command),
                    None => return,
                },
                Some(written) = self.written.recv() => self.on_written(written),
                timer = self.timers.next() => self.apply(Input::TimerFired { timer }, None),
                Some(report) = self.reports.recv() => self.on_report(report),
                () = self.tree.reap() => {}
            }
        }
        for reply in self.closing {
            let _ = reply.send(());
        }
    }

    /// True where nothing is at work and everything is written: what it knows can be read again from the log.
    fn rests(&self) -> bool {
        // A turn that could not be sealed has a timer.
        self.gate.is_empty() && self.writer.is_idle() && self.tree.is_idle() && self.timers.is_empty()
    }

    fn on_command(&mut self, command: Command) {
        match command {
            Command::Put { input, reply } => self.apply(input, Some(reply)),
            Command::Subscribe { after, reply } => {
                let snapshot = Arc::new(self.engine.snapshot(&self.thread));
                self.gate.push(Out::Subscribe(reply, after, snapshot));
                self.release();
            }
            Command::Close { reply } => {
                self.closing.push(reply);
                self.apply(Input::Stop { turn: None }, None);
            }
        }
    }

    /// L10: a worker that nobody waits for has nothing to say.
    fn on_report(&mut self, Report { token, input, is_last }: Report) {
        if token.is_cancelled() {
            let detail = "something that was cancelled went on to speak".to_owned();
            self.report(&Diagnostic { code: Code::Late, turn: None, detail });
            return;
        }
        if is_last {
            token.cancel();
        }
        self.apply(input, None);
    }

    fn on_written(&mut self, written: Written) {
        self.writer.told(&written);
        match written {
            Written::Kept { is_bound: true } => {
                self.gate.open();
                self.release();
            }
            Written::Kept { is_bound: false } => {}
            Written::Delayed { error } => {
                self.report(&Diagnostic { code: Code::PersistFailed, turn: None, detail: error });
            }
            Written::Sealed { turn, rows } => {
                self.context.sealed(&turn);
                self.apply(Input::Persisted { turn, chunks: rows }, None);
            }
            Written::Unsealed { turn, from, error } => {
                self.apply(Input::PersistFailed { turn, from: Some(from), error }, None);
            }
        }
    }

    pub(super) fn report(&self, diagnostic: &Diagnostic) {
        (self.host.diagnostics)(&self.thread, diagnostic);
    }

    fn apply(&mut self, input: Input, reply: Option<Reply>) {
        let is_stop = matches!(input, Input::Stop { .. });
        let decides = decides(&input);
        let over = ended(&input);
        let effects = self.engine.apply(&self.thread, input);
        if is_stop {
            self.writer.hurry();
        }
        if let Some(execution) = over {
            self.tree.cancel(&execution);
        }
        self.carry(effects, decides, reply);
    }
}

/// The execution that an input ends. The engine cancels only what was stopped; this ends what has failed.
fn ended(input: &Input) -> Option<ExecutionId> {
    if let Input::ExecutionEnd { execution, .. } = input { Some(execution.clone()) } else { None }
}

/// False for what streams: it changes neither a queue nor a turn's start or end.
fn decides(input: &Input) -> bool {
    match input {
        Input::Delta { .. }
        | Input::ReasoningEnd { .. }
        | Input::ToolInput { .. }
        | Input::Part { .. }
        | Input::Usage { .. }
        | Input::ToolCall { .. }
        | Input::ToolOutput { .. } => false,
        Input::Send(_)
        | Input::Stop { .. }
        | Input::ToolResult { .. }
        | Input::StepEnd { .. }
        | Input::ExecutionEnd { .. }
        | Input::Approve(_)
        | Input::Deny(_)
        | Input::Persisted { .. }
        | Input::PersistFailed { .. }
        | Input::Retry { .. }
        | Input::CancelQueued { .. }
        | Input::EditQueued { .. }
        | Input::MoveQueued { .. }
        | Input::SendNow { .. }
        | Input::ResumeQueue
        | Input::Watchers { .. }
        | Input::TimerFired { .. } => true,
    }
}
