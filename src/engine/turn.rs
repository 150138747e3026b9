//! One turn: what a user said, and the executions that answer it.

use crate::model::{Body, Chunk, ClientId, ExecutionId, MessageId, Outcome, Part, Phase, Role, TurnId};

use super::execution::{Execution, Stage};
use super::input::TimerId;
use super::policy::{Mixed, OnSteer, Policy};
use super::queue::Item;
use super::rows::{self, Cause};

/// One turn that is not sealed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    /// What it answers; absent after a restart, when it is in the log.
    pub(super) said: Said,
    /// What it was told while it ran.
    pub(super) injected: Vec<Said>,
    /// What is shown of it, in the order in which it was told.
    pub(super) shown: Vec<Shown>,
    /// One for each model, in their order; the last attempt counts.
    /// None after a restart: what it wrote is told from its rows.
    pub(super) slots: Vec<Vec<Execution>>,
    pub(super) end: TurnPhase,
    /// All rows so far.
    pub(super) rows: Vec<Chunk>,
    /// How many rows are handed over.
    pub(super) handed: usize,
    /// The place of the first row of the newest `append` or `seal`.
    pub(super) newest: usize,
    /// The place of the first row that could not be written.
    pub(super) unwritten: Option<usize>,
}

/// What a turn shows behind its first message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// An execution spoke: its parts from there on, until it spoke anew.
    Spoke { execution: ExecutionId, from: usize },
    /// A message that it was told while it ran.
    Injected(usize),
}

impl Shown {
    /// From where on an execution spoke, where it did.
    pub(super) fn from(&self, id: &ExecutionId) -> Option<usize> {
        match self {
            Self::Spoke { execution, from } if execution == id => Some(*from),
            Self::Spoke { .. } | Self::Injected(_) => None,
        }
    }
}

/// Where a turn stands: `Open -> Ended -> Sealed`; a sealed one is forgotten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TurnPhase {
    /// At least one execution goes on.
    Open,
    /// Over, not yet known to be written.
    Ended { outcome: Outcome, write: Write },
}

/// Where the writing of an ended turn stands: `Asked -> Backoff -> Asked`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Write {
    /// The host writes.
    Asked { attempt: u32 },
    /// It failed and is tried again when the timer fires.
    Backoff { attempt: u32, timer: TimerId },
}

/// What users said, as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub(super) messages: Vec<MessageId>,
    pub(super) clients: Vec<ClientId>,
    pub(super) body: Body,
}

impl Said {
    pub(super) fn of(items: &[Item]) -> Self {
        Self {
            messages: items.iter().map(|item| item.0.id.clone()).collect(),
            clients: items.iter().filter_map(|item| item.0.client.clone()).collect(),
            body: Body::joined(items.iter().map(|item| &item.0.body)),
        }
    }

    /// The one id, where there is one only.
    pub(super) fn message(&self) -> Option<MessageId> {
        if let [only] = self.messages.as_slice() { Some(only.clone()) } else { None }
    }
}

impl Turn {
    pub(super) fn new(id: TurnId, said: Said, models: &[String]) -> Self {
        let many = models.len() > 1;
        let named: Vec<Option<String>> =
            if models.is_empty() { vec![None] } else { models.iter().cloned().map(Some).collect() };
        let new = |(place, model)| vec![Execution::new(&id, place, 1, model, many)];
        let slots = named.into_iter().enumerate().map(new).collect();
        let (injected, shown, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self { id, said, injected, shown, slots, end: TurnPhase::Open, rows, handed: 0, newest: 0, unwritten: None }
    }

    /// True where the turn took the message.
    pub(super) fn answers(&self, message: &MessageId) -> bool {
        self.injected.iter().chain([&self.said]).any(|said| said.messages.contains(message))
    }

    /// L12: the rows that are not handed over yet stand in the order of the models, not in that of their ends.
    pub(super) fn sort_rows(&mut self) {
        let order: Vec<&ExecutionId> = self.slots.iter().flatten().filter_map(|it| it.tag.as_ref()).collect();
        let place = |row: &Chunk| row.execution.as_ref().and_then(|id| order.iter().position(|known| *known == id));
        if let Some(fresh) = self.rows.get_mut(self.handed..) {
            fresh.sort_by_key(place);
        }
    }

    /// Arguments that never became whole are no row. Where clients were shown nothing else, a row behind the message
    /// proves to them that this is all there is.
    pub(super) fn prove(&mut self) {
        if self.rows.iter().any(|row| row.role != Role::User) {
            return;
        }
        let torn = |it: &Execution| {
            let mut parts = it.parts.list().iter();
            let tool = parts.find_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None })?;
            let (execution, step) = (it.tag.clone(), Some(tool.step));
            let row = rows::interrupted(&self.id, &tool.call, Cause::Stopped, false);
            Some(Chunk { execution, step, ..row })
        };
        let row = self.attempts().find_map(torn);
        self.rows.extend(row);
    }

    /// Books who has spoken since the last message: each of them opens a row of its own.
    pub(super) fn note_speech(&mut self) {
        let since = self.shown.iter().rposition(|shown| matches!(shown, Shown::Injected(_))).map_or(0, |at| at + 1);
        let recent = self.shown.get(since..).unwrap_or_default();
        let is_booked = |id: &ExecutionId| recent.iter().any(|shown| shown.from(id).is_some());
        let new = self.attempts().filter(|it| it.parts.list().len() > it.shown && !is_booked(&it.id));
        let new: Vec<Shown> = new.map(|it| Shown::Spoke { execution: it.id.clone(), from: it.shown }).collect();
        self.shown.extend(new);
    }

    /// A message was told: what comes next opens new rows.
    pub(super) fn note_injected(&mut self, said: Said) {
        self.shown.push(Shown::Injected(self.injected.len()));
        self.injected.push(said);
        for execution in self.slots.iter_mut().flatten() {
            execution.shown = execution.parts.list().len();
        }
    }

    /// True where a steer is told inside this turn.
    pub(super) fn injects(&self, policy: &Policy) -> bool {
        policy.steer == OnSteer::Inject && self.slots.len() == 1
    }

    pub(super) fn is_open(&self) -> bool {
        self.end == TurnPhase::Open
    }

    pub(super) fn ended(&self) -> Option<Outcome> {
        if let TurnPhase::Ended { outcome, .. } = &self.end { Some(*outcome) } else { None }
    }

    /// The attempts that count, in the order of the models.
    pub(super) fn executions(&self) -> impl Iterator<Item = &Execution> {
        self.slots.iter().filter_map(|slot| slot.last())
    }

    pub(super) fn executions_mut(&mut self) -> impl Iterator<Item = &mut Execution> {
        self.slots.iter_mut().filter_map(|slot| slot.last_mut())
    }

    /// All attempts.
    pub(super) fn attempts(&self) -> impl Iterator<Item = &Execution> {
        self.slots.iter().flatten()
    }

    pub(super) fn execution(&self, id: &ExecutionId) -> Option<&Execution> {
        self.executions().find(|execution| execution.id == *id)
    }

    pub(super) fn execution_mut(&mut self, id: &ExecutionId) -> Option<&mut Execution> {
        self.executions_mut().find(|execution| execution.id == *id)
    }

    /// The phase of the whole: the most wanting of its executions.
    pub(super) fn phase(&self) -> Phase {
        if !self.is_open() {
            return Phase::Ended;
        }
        let phases: Vec<Phase> = self.executions().map(Execution::phase).collect();
        let order = [Phase::AwaitingApproval, Phase::AwaitingTool, Phase::Streaming, Phase::Pending];
        let found = order.into_iter().find(|phase| phases.contains(phase));
        match found {
            // One of several has spoken already.
            Some(Phase::Pending) if self.attempts().any(|it| it.outcome().is_some()) => Phase::Streaming,
            Some(phase) => phase,
            None => Phase::Ended,
        }
    }

    /// L12: how the turn ended, where all its executions have: the same for each order in which they did.
    pub(super) fn settled(&self, mixed: Mixed) -> Option<Outcome> {
        let outcomes: Option<Vec<Outcome>> = self.executions().map(Execution::outcome).collect();
        let outcomes = outcomes?;
        if outcomes.contains(&Outcome::Error) {
            return Some(Outcome::Error);
        }
        let aborted = |outcome: &Outcome| *outcome == Outcome::Aborted;
        let is_aborted = match mixed {
            Mixed::Done => outcomes.iter().all(aborted),
            Mixed::Aborted => outcomes.iter().any(aborted),
        };
        Some(if is_aborted { Outcome::Aborted } else { Outcome::Done })
    }

    /// The error of the first model that failed.
    pub(super) fn error(&self) -> Option<String> {
        self.executions().find_map(|execution| match &execution.stage {
            Stage::Ended { outcome: Outcome::Error, error } => error.clone(),
            Stage::Ended { .. } | Stage::Pending | Stage::Streaming { .. } | Stage::Waiting { .. } => None,
        })
    }
}
