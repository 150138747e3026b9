//! One model's part in a turn.

use crate::model::{
    CallId, ChunkBody, DeltaKind, ExecutionId, MessageId, Origin, Outcome, Part, Parts, Phase, Tool, TurnId,
};

use super::input::TimerId;

/// One model's part in a turn, with all that it wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Execution {
    pub(super) id: ExecutionId,
    /// Its name in events and rows: absent where the turn has no other.
    pub(super) tag: Option<ExecutionId>,
    pub(super) model: Option<String>,
    pub(super) attempt: u32,
    pub(super) stage: Stage,
    pub(super) step: u32,
    pub(super) parts: Parts,
    /// How many parts were there when the step began; they are rows already.
    pub(super) taken: usize,
    /// How many parts stand before the last message that the turn was told.
    pub(super) shown: usize,
    /// Rows of the step that are no new part.
    pub(super) later: Vec<ChunkBody>,
    /// Failed tool calls in a row.
    pub(super) failures: u32,
    pub(super) idle: Option<Idle>,
}

/// Where an execution stands: `Pending -> Streaming -> Waiting -> Pending .. -> Ended`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// The model is asked, nothing came yet.
    Pending,
    /// The model answers; calls may be open already.
    Streaming { open: Vec<OpenCall> },
    /// The answer is over; at least one call is open.
    Waiting { open: Vec<OpenCall> },
    /// Over.
    Ended { outcome: Outcome, error: Option<String> },
}

/// A call without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OpenCall {
    pub(super) call: CallId,
    pub(super) state: CallState,
}

/// Where an open call stands: `Asking -> Running`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CallState {
    /// A person has to decide, until the timer fires.
    Asking { timer: Option<TimerId> },
    /// The tool runs.
    Running,
}

/// Watches for silence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Idle {
    pub(super) timer: TimerId,
    pub(super) heard: bool,
}

impl OpenCall {
    pub(super) fn is_asking(&self) -> bool {
        matches!(self.state, CallState::Asking { .. })
    }
}

impl Execution {
    pub(super) fn new(turn: &TurnId, place: usize, attempt: u32, model: Option<String>, is_one_of_many: bool) -> Self {
        let id = match attempt {
            1 => ExecutionId::new(format!("{turn}.{}", place + 1)),
            _ => ExecutionId::new(format!("{turn}.{}.{attempt}", place + 1)),
        };
        Self {
            tag: is_one_of_many.then(|| id.clone()),
            id,
            model,
            attempt,
            stage: Stage::Pending,
            step: 0,
            parts: Parts::default(),
            taken: 0,
            shown: 0,
            later: Vec::new(),
            failures: 0,
            idle: None,
        }
    }

    pub(super) fn open(&self) -> &[OpenCall] {
        match &self.stage {
            Stage::Streaming { open } | Stage::Waiting { open } => open,
            Stage::Pending | Stage::Ended { .. } => &[],
        }
    }

    pub(super) fn open_mut(&mut self) -> Option<&mut Vec<OpenCall>> {
        match &mut self.stage {
            Stage::Streaming { open } | Stage::Waiting { open } => Some(open),
            Stage::Pending | Stage::Ended { .. } => None,
        }
    }

    pub(super) fn phase(&self) -> Phase {
        match &self.stage {
            Stage::Pending => Phase::Pending,
            Stage::Streaming { open } | Stage::Waiting { open } if open.iter().any(OpenCall::is_asking) => {
                Phase::AwaitingApproval
            }
            Stage::Streaming { open } if open.is_empty() => Phase::Streaming,
            Stage::Streaming { .. } | Stage::Waiting { .. } => Phase::AwaitingTool,
            Stage::Ended { .. } => Phase::Ended,
        }
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        if let Stage::Ended { outcome, .. } = &self.stage { Some(*outcome) } else { None }
    }

    /// True while an answer of the model may come.
    pub(super) fn is_answering(&self) -> bool {
        matches!(self.stage, Stage::Pending | Stage::Streaming { .. })
    }

    /// The first word of a response.
    pub(super) fn begin(&mut self) {
        if self.stage == Stage::Pending {
            self.stage = Stage::Streaming { open: Vec::new() };
        }
        if let Some(idle) = &mut self.idle {
            idle.heard = true;
        }
    }

    /// True where the running step has called a tool.
    pub(super) fn has_called(&self) -> bool {
        self.step_tools().next().is_some()
    }

    /// The whole calls of the running step.
    pub(super) fn step_tools(&self) -> impl DoubleEndedIterator<Item = &Tool> {
        let fresh = self.parts.list().get(self.taken..).unwrap_or_default();
        fresh.iter().filter_map(|part| match part {
            Part::Tool(tool) if tool.arguments.is_some() => Some(&**tool),
            Part::Tool(_)
            | Part::Text { .. }
            | Part::Reasoning { .. }
            | Part::Opaque(_)
            | Part::Notice { .. }
            | Part::Error { .. } => None,
        })
    }

    /// The calls of the running step whose arguments are not whole.
    pub(super) fn torn(&self) -> impl Iterator<Item = &CallId> {
        let fresh = self.parts.list().iter().skip(self.taken);
        fresh.filter_map(|part| match part {
            Part::Tool(tool) if tool.arguments.is_none() && tool.state.is_open() => Some(&tool.call),
            Part::Tool(_)
            | Part::Text { .. }
            | Part::Reasoning { .. }
            | Part::Opaque(_)
            | Part::Notice { .. }
            | Part::Error { .. } => None,
        })
    }

    pub(super) fn tool(&self, call: &CallId) -> Option<&Tool> {
        self.step_tools().rev().find(|tool| tool.call == *call)
    }

    /// True unless the call is known to wait for a person.
    pub(super) fn started(&self, call: &CallId) -> bool {
        !self.open().iter().any(|open| open.call == *call && open.is_asking())
    }

    /// Under which name a delta goes, so that text of this step never joins the row of an earlier one.
    pub(super) fn origin(&self, kind: DeltaKind) -> Origin {
        let joins = match (self.parts.list().last(), kind) {
            (Some(Part::Text { .. }), DeltaKind::Text) => true,
            (Some(Part::Reasoning { sealed, .. }), DeltaKind::Reasoning) => !sealed,
            (_, _) => false,
        };
        let message = if !joins {
            None
        } else if self.parts.list().len() > self.taken {
            self.parts.origins().last().and_then(|origin| origin.message.clone())
        } else {
            Some(MessageId::new(format!("{}:{}", self.id, self.step)))
        };
        Origin { message, part: None }
    }
}
