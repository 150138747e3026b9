//! One thread: its turns that are not sealed, its queue, what it has answered.

use std::collections::BTreeSet;

use crate::model::{CallId, Envelope, Event, ExecutionId, Seq, ThreadId, TurnId};

use super::Options;
use super::answers::Answers;
use super::effect::{Code, Diagnostic, Effect, Why};
use super::execution::Execution;
use super::input::TimerId;
use super::policy::Policy;
use super::queue::Queue;
use super::turn::Turn;

/// So many places of the newest rows are remembered, to tell clients what stands before a turn.
const SEQS_MAX: usize = 1024;

/// One thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Thread {
    pub(super) id: ThreadId,
    /// Every turn that is not sealed, in start order; only the last can be open.
    pub(super) turns: Vec<Turn>,
    pub(super) queue: Queue,
    pub(super) answers: Answers,
    /// How many turns were ever started.
    pub(super) started: u64,
    /// The number of the last event.
    pub(super) n: u64,
    /// The name of the last timer.
    pub(super) timers: u64,
    /// The places of the newest rows of the log.
    pub(super) seqs: BTreeSet<Seq>,
}

/// What an input leads to, as it grows.
pub(super) struct Out<'a> {
    pub(super) options: &'a Options,
    pub(super) effects: Vec<Effect>,
}

impl<'a> Out<'a> {
    pub(super) fn new(options: &'a Options) -> Self {
        Self { options, effects: Vec::new() }
    }

    pub(super) fn policy(&self) -> &'a Policy {
        &self.options.policy
    }

    pub(super) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn report(&mut self, code: Code, turn: Option<&TurnId>, detail: impl Into<String>) {
        self.push(Effect::Diagnostic(Diagnostic { code, turn: turn.cloned(), detail: detail.into() }));
    }
}

impl Thread {
    pub(super) fn new(id: ThreadId) -> Self {
        Self {
            id,
            turns: Vec::new(),
            queue: Queue::default(),
            answers: Answers::default(),
            started: 0,
            n: 0,
            timers: 0,
            seqs: BTreeSet::new(),
        }
    }

    /// True where nothing has happened yet.
    pub(super) fn is_blank(&self) -> bool {
        self.started == 0 && self.n == 0 && self.turns.is_empty() && self.queue.is_empty() && self.seqs.is_empty()
    }

    pub(super) fn publish(&mut self, execution: Option<ExecutionId>, event: Event, out: &mut Out<'_>) {
        self.n += 1;
        out.push(Effect::Publish(Envelope { thread: self.id.clone(), n: Some(self.n), execution, event }));
    }

    pub(super) fn start_timer(&mut self, after_ms: u64, why: Why, out: &mut Out<'_>) -> TimerId {
        self.timers += 1;
        let timer = TimerId(self.timers);
        out.push(Effect::StartTimer { timer, after_ms, why });
        timer
    }

    /// The running turn.
    pub(super) fn open(&self) -> Option<&Turn> {
        self.turns.last().filter(|turn| turn.is_open())
    }

    pub(super) fn open_mut(&mut self) -> Option<&mut Turn> {
        self.turns.last_mut().filter(|turn| turn.is_open())
    }

    /// Books, in each turn, who has spoken.
    pub(super) fn note_speech(&mut self) {
        self.turns.iter_mut().for_each(Turn::note_speech);
    }

    pub(super) fn turn_mut(&mut self, id: &TurnId) -> Option<&mut Turn> {
        self.turns.iter_mut().find(|turn| turn.id == *id)
    }

    pub(super) fn execution(&self, id: &ExecutionId) -> Option<&Execution> {
        self.open()?.execution(id)
    }

    pub(super) fn execution_mut(&mut self, id: &ExecutionId) -> Option<&mut Execution> {
        self.open_mut()?.execution_mut(id)
    }

    /// The running turn and the name in events of an execution that goes on. L10: anything else is late.
    pub(super) fn running(&self, id: &ExecutionId, out: &mut Out<'_>) -> Option<(TurnId, Option<ExecutionId>)> {
        let found = self.open().and_then(|turn| Some((turn, turn.execution(id)?)));
        if let Some((turn, execution)) = found
            && execution.outcome().is_none()
        {
            return Some((turn.id.clone(), execution.tag.clone()));
        }
        let turn = self.turns.iter().find(|turn| turn.attempts().any(|execution| execution.id == *id));
        out.report(Code::Late, turn.map(|turn| &turn.id), format!("execution {id} is over"));
        None
    }

    /// As [`Self::running`], and its model is still answering.
    pub(super) fn answering(&self, id: &ExecutionId, out: &mut Out<'_>) -> Option<(TurnId, Option<ExecutionId>)> {
        let found = self.running(id, out)?;
        if self.execution(id).is_some_and(Execution::is_answering) {
            return Some(found);
        }
        out.report(Code::Late, Some(&found.0), format!("the response of execution {id} is over"));
        None
    }

    /// The execution of the running turn that holds an open call; the newest call of that id where none is named.
    pub(super) fn with_call(
        &self,
        call: &CallId,
        turn: Option<&TurnId>,
        execution: Option<&ExecutionId>,
        fits: fn(&super::execution::OpenCall) -> bool,
    ) -> Option<ExecutionId> {
        let open = self.open().filter(|open| turn.is_none_or(|turn| open.id == *turn))?;
        let holds = |it: &&Execution| it.open().iter().any(|open| open.call == *call && fits(open));
        let named = |it: &&Execution| execution.is_none_or(|id| it.id == *id);
        open.executions().filter(named).filter(holds).last().map(|it| it.id.clone())
    }

    pub(super) fn learn(&mut self, seqs: impl Iterator<Item = Seq>) {
        self.seqs.extend(seqs);
        while self.seqs.len() > SEQS_MAX {
            self.seqs.pop_first();
        }
    }
}
