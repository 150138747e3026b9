//! What the host has to do.

use crate::model::{CallId, Chunk, ClientId, Envelope, ExecutionId, Json, MessageId, TurnId};

use super::input::TimerId;

/// What the host has to do, in the order in which it comes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Ask the model now. Its context is the transcript of all chunks handed over so far, written or not.
    Request {
        /// The turn.
        turn: TurnId,
        /// Names the answers.
        execution: ExecutionId,
        /// The step, from 0.
        step: u32,
        /// Whom to ask, where the engine was told.
        model: Option<String>,
    },
    /// A steer waits: the execution will not be asked for a further step.
    Yield {
        /// Which.
        execution: ExecutionId,
    },
    /// The answer of the model is no longer wanted.
    CancelRequest {
        /// Whose.
        execution: ExecutionId,
    },
    /// Run a tool.
    RunTool {
        /// The turn.
        turn: TurnId,
        /// The execution.
        execution: ExecutionId,
        /// Names the answers.
        call: CallId,
        /// The tool.
        name: String,
        /// The arguments.
        arguments: Json,
    },
    /// The answer of a tool is no longer wanted.
    CancelTool {
        /// The turn.
        turn: TurnId,
        /// The execution.
        execution: ExecutionId,
        /// The call.
        call: CallId,
    },
    /// Write rows durably, behind all rows of earlier effects. A failure is told by `persist-failed`; after one, no row
    /// of the turn is written until its `seal`, which brings them again.
    Append {
        /// The turn.
        turn: TurnId,
        /// The place of the first row in the turn, from 0.
        from: usize,
        /// The rows; their seq is the host's to give.
        chunks: Vec<Chunk>,
    },
    /// Write the last rows of a turn durably, in one transaction; answered by `persisted` or `persist-failed`. Where a
    /// result that came late is to be written (`OnLateOutput::Replace`), one more follows.
    Seal {
        /// The turn.
        turn: TurnId,
        /// The place of the first row in the turn, from 0.
        from: usize,
        /// The rows; their seq is the host's to give.
        chunks: Vec<Chunk>,
    },
    /// Tell all clients.
    Publish(Envelope),
    /// Give `timer-fired` after that time.
    StartTimer {
        /// Its name.
        timer: TimerId,
        /// Milliseconds.
        after_ms: u64,
        /// For the reader of a recording.
        why: Why,
    },
    /// The timer shall not fire.
    CancelTimer {
        /// Its name.
        timer: TimerId,
    },
    /// Answer the one who asked.
    Answer(Answer),
    /// Something that a developer should know; nothing was changed.
    Diagnostic(Diagnostic),
}

/// Why a timer runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A turn could not be written and is tried again.
    SealBackoff,
    /// An approval expires.
    Approval,
    /// A model has said nothing.
    Idle,
}

impl Why {
    /// The word, as it is shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SealBackoff => "seal-backoff",
            Self::Approval => "approval",
            Self::Idle => "idle",
        }
    }
}

/// What became of a send, a queue edit or a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The type of the input.
    pub to: &'static str,
    /// The client's name for the message.
    pub client: Option<ClientId>,
    /// The message.
    pub message: Option<MessageId>,
    /// The call.
    pub call: Option<CallId>,
    /// What became of it.
    pub status: Status,
    /// The turn that took it.
    pub turn: Option<TurnId>,
    /// The number of the last event that was published when this was decided.
    pub n: u64,
}

/// What became of an input that is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is carried out.
    Ok,
    /// The message waits.
    Queued,
    /// The message came too late and is given back.
    Returned,
    /// What it is about is no longer there.
    Stale,
    /// It cannot be taken.
    Refused,
}

impl Status {
    /// The word, as JavaScript uses it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Queued => "queued",
            Self::Returned => "returned",
            Self::Stale => "stale",
            Self::Refused => "refused",
        }
    }
}

/// Something that a developer should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// A word to look up.
    pub code: Code,
    /// The turn, where one is meant.
    pub turn: Option<TurnId>,
    /// In words.
    pub detail: String,
}

/// The codes of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// Of a turn or an execution that has ended, or that is not known; dropped.
    Late,
    /// About a call, a message or a timer that is no longer there; dropped.
    Stale,
    /// Cannot be taken; dropped.
    Refused,
    /// A write failed; it is tried again.
    PersistFailed,
    /// `persisted` does not tell all rows of the turn; clients load it.
    Unconfirmed,
}

impl Code {
    /// The word, as it is shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::Stale => "stale",
            Self::Refused => "refused",
            Self::PersistFailed => "persist-failed",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}
