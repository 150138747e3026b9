//! What goes into the engine.

use crate::model::{
    Body, CallId, Chunk, ClientId, Cut, DeltaKind, ExecutionId, Intent, Json, MessageId, Opaque, Outcome, Stream,
    TurnId,
};

/// Names a timer of a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TimerId(pub u64);

/// A message of a user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The server's name for it.
    pub id: MessageId,
    /// The client's name for it: a known one is the same message.
    pub client: Option<ClientId>,
    /// What it says.
    pub body: Body,
    /// What it is meant for while a turn runs.
    pub intent: Intent,
    /// Who is to answer, one execution each; empty: the models of the engine.
    pub models: Vec<String>,
}

/// Everything that can happen to a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A user says something.
    Send(Message),
    /// A user wants the turn to stop.
    Stop {
        /// The running one where none is named.
        turn: Option<TurnId>,
    },
    /// A model writes.
    Delta {
        /// Who.
        execution: ExecutionId,
        /// Text or reasoning.
        kind: DeltaKind,
        /// What is added.
        delta: Cut,
    },
    /// A reasoning part is whole.
    ReasoningEnd {
        /// Whose.
        execution: ExecutionId,
        /// Opaque data of the provider, a signature for one.
        metadata: Option<Json>,
    },
    /// The arguments of a call stream.
    ToolInput {
        /// Whose.
        execution: ExecutionId,
        /// The call.
        call: CallId,
        /// The tool; needed with the first piece.
        name: Option<String>,
        /// What is added.
        delta: Cut,
    },
    /// A file, a source or data.
    Part {
        /// Whose.
        execution: ExecutionId,
        /// The part.
        part: Opaque,
    },
    /// Token counts.
    Usage {
        /// Whose.
        execution: ExecutionId,
        /// Opaque.
        usage: Json,
    },
    /// A call is whole.
    ToolCall {
        /// Whose.
        execution: ExecutionId,
        /// The call.
        call: CallId,
        /// The tool.
        name: String,
        /// The arguments.
        arguments: Json,
        /// What a person is asked first; `None`: it runs at once.
        approval: Option<Ask>,
    },
    /// A running tool printed something.
    ToolOutput {
        /// The turn of the call.
        turn: TurnId,
        /// The execution of the call; absent: the newest open call of that id.
        execution: Option<ExecutionId>,
        /// The call.
        call: CallId,
        /// What it printed.
        data: Cut,
        /// Where to.
        stream: Stream,
    },
    /// A tool has answered.
    ToolResult {
        /// The turn of the call.
        turn: TurnId,
        /// The execution of the call; absent: the newest open call of that id.
        execution: Option<ExecutionId>,
        /// The call.
        call: CallId,
        /// The result.
        result: Json,
        /// Whether it is an error.
        is_error: bool,
    },
    /// A response that called tools is over.
    StepEnd {
        /// Whose.
        execution: ExecutionId,
    },
    /// The last response is over, or it failed.
    ExecutionEnd {
        /// Whose.
        execution: ExecutionId,
        /// How.
        outcome: Outcome,
        /// Why, for an error.
        error: Option<String>,
    },
    /// A user lets a call run.
    Approve(Target),
    /// A user does not let a call run.
    Deny(Target),
    /// A turn is written.
    Persisted {
        /// Which.
        turn: TurnId,
        /// All its rows, with seq.
        chunks: Vec<Chunk>,
    },
    /// An `append` or a `seal` could not be written.
    PersistFailed {
        /// Of which turn.
        turn: TurnId,
        /// The first row that is not written, counted in the turn from 0, as the effect named it; absent: that of the
        /// newest effect. A failed `seal` names its own first row.
        from: Option<usize>,
        /// Why.
        error: String,
    },
    /// A failed execution of a running turn shall start anew, in its old place.
    Retry {
        /// The turn.
        turn: TurnId,
        /// The execution.
        execution: ExecutionId,
    },
    /// So many look on now.
    Watchers {
        /// How many.
        count: usize,
    },
    /// A queued message shall go.
    CancelQueued {
        /// Which.
        message: MessageId,
    },
    /// A queued message shall say something else.
    EditQueued {
        /// Which.
        message: MessageId,
        /// The new text.
        text: String,
    },
    /// A queued message shall stand elsewhere.
    MoveQueued {
        /// Which.
        message: MessageId,
        /// Its place among the messages of its intent is as near to that as there is.
        index: usize,
    },
    /// A queued message shall be next.
    SendNow {
        /// Which.
        message: MessageId,
    },
    /// A held queue shall go on.
    ResumeQueue,
    /// A timer that the engine had started is due.
    TimerFired {
        /// Which.
        timer: TimerId,
    },
}

/// What a person is asked before a call runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ask {
    /// In words.
    pub prompt: Option<String>,
    /// Opaque choices of the application.
    pub options: Option<Json>,
}

/// The call that a decision is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The call; of several with that id the newest that waits.
    pub call: CallId,
    /// Its turn, where told.
    pub turn: Option<TurnId>,
    /// Its execution, where told.
    pub execution: Option<ExecutionId>,
    /// Why.
    pub reason: Option<String>,
}
