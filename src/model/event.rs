//! What a server says, as one enum.

use super::{
    Body, CallId, Chunk, ClientId, Cut, ExecutionId, Json, MessageId, Opaque, PartId, Seq, Snapshot, ThreadId, TurnId,
    UserMessage,
};

/// One event with its address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// The thread that it is for.
    pub thread: ThreadId,
    /// Its number in the thread: gap-free, from 1. Absent in streams without numbers.
    pub n: Option<u64>,
    /// The execution that it is for, where a turn has several.
    pub execution: Option<ExecutionId>,
    /// What happened.
    pub event: Event,
}

/// What happened on the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A turn begins.
    TurnStart {
        /// The turn.
        turn: TurnId,
        /// What the user said.
        user: Option<UserMessage>,
        /// The queued or accepted messages that it answers.
        messages: Vec<MessageId>,
    },
    /// Text or reasoning grows.
    Delta {
        /// Which of the two.
        kind: DeltaKind,
        /// What is added.
        delta: Cut,
        /// The turn; absent: the running one.
        turn: Option<TurnId>,
        /// The message that grows.
        message: Option<MessageId>,
        /// The part that grows; a hint.
        part: Option<PartId>,
    },
    /// A reasoning part is whole.
    ReasoningEnd {
        /// Opaque data of the provider.
        metadata: Option<Json>,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// The arguments of a call begin to stream.
    ToolInputStart {
        /// The call.
        call: CallId,
        /// The tool.
        name: String,
        /// The turn.
        turn: Option<TurnId>,
        /// The step, where the sender tells.
        step: Option<u32>,
    },
    /// The arguments of a call grow.
    ToolInputDelta {
        /// The call.
        call: CallId,
        /// What is added.
        delta: Cut,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// A call is whole.
    ToolCall {
        /// The call.
        call: CallId,
        /// The tool.
        name: String,
        /// The arguments.
        arguments: Json,
        /// The turn.
        turn: Option<TurnId>,
        /// The step, where the sender tells.
        step: Option<u32>,
    },
    /// A running tool printed something.
    ToolOutput {
        /// What it printed.
        data: Cut,
        /// Where to.
        stream: Stream,
        /// The call; absent: the newest open one.
        call: Option<CallId>,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// A tool has answered.
    ToolResult {
        /// The call.
        call: CallId,
        /// The result.
        result: Json,
        /// Whether it is an error.
        is_error: bool,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// A call waits for a person.
    ApprovalRequest {
        /// The call.
        call: CallId,
        /// What the person is asked.
        prompt: Option<String>,
        /// Opaque choices.
        options: Option<Json>,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// A call was decided.
    ApprovalResolved {
        /// The call.
        call: CallId,
        /// How.
        decision: Decision,
        /// Why.
        reason: Option<String>,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// A file, a source or data.
    Part {
        /// The part.
        part: Opaque,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// A message waits for a turn.
    MessageQueued {
        /// The message.
        message: MessageId,
        /// What it says.
        body: Body,
        /// The client's name for it.
        client: Option<ClientId>,
        /// What it is meant for.
        intent: Intent,
    },
    /// Messages left the queue into a turn.
    MessageConsumed {
        /// The messages.
        messages: Vec<MessageId>,
        /// Into the running turn or as the next one.
        reason: Consumed,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// A queued message was taken back.
    MessageCancelled {
        /// The message.
        message: MessageId,
    },
    /// A queued message was changed.
    MessageEdited {
        /// The message.
        message: MessageId,
        /// What it says now.
        body: Body,
        /// The number of the change, where the server counts: an older one never wins.
        rev: Option<u64>,
    },
    /// The whole queue.
    QueueSnapshot {
        /// The messages in order.
        items: Vec<QueueItem>,
        /// Whether the queue waits for the user.
        held: bool,
        /// Ascending; an older one never wins.
        version: u64,
    },
    /// A turn is over.
    TurnEnd {
        /// The turn.
        turn: TurnId,
        /// How.
        outcome: Outcome,
        /// Why, for an error.
        error: Option<String>,
    },
    /// Legacy word on the whole thread.
    Status(StatusKind),
    /// A turn is written durably.
    TurnSealed {
        /// The turn.
        turn: TurnId,
        /// Its first seq.
        first: Option<Seq>,
        /// Its last seq.
        last: Option<Seq>,
        /// The seq before its first, in the whole log.
        prev: Option<Seq>,
        /// All chunks of the turn.
        chunks: Option<Vec<Chunk>>,
    },
    /// Says the number of the last event, and nothing else: `n` is that number, not a number of its own.
    Ping,
    /// A line for the reader.
    Notice {
        /// The text.
        message: String,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// An error for the reader.
    Error {
        /// The text.
        error: String,
        /// A status code: a JSON number or string.
        status_code: Option<Json>,
        /// The turn.
        turn: Option<TurnId>,
    },
    /// The whole live state of the thread.
    Snapshot(Box<Snapshot>),
    /// Legacy snapshot over all threads.
    Statuses(Vec<(ThreadId, ThreadStatus)>),
    /// A page that the host has fetched by itself.
    ChunksLoaded(Page),
    /// The log was cut: chunks from `from` on are gone.
    LogTruncated {
        /// The first seq that is gone.
        from: Seq,
        /// The new generation.
        epoch: Option<String>,
    },
    /// The log was written anew.
    LogReset {
        /// The new generation.
        epoch: String,
    },
    /// Chunks were changed in place.
    ChunksUpdated {
        /// The chunks as they are now.
        chunks: Vec<Chunk>,
    },
    /// A temporary thread id becomes the server's.
    ThreadRenamed {
        /// The old name; stays an alias.
        from: ThreadId,
        /// The new name.
        to: ThreadId,
    },
    /// Something that is kept per thread and only shown: `usage`, `task-list-update` and their like.
    Meta {
        /// The type of the event.
        kind: String,
        /// The whole event as it came.
        json: Json,
    },
    /// An event that was refused or whose type is unknown: nothing but its number counts.
    Nothing,
}

/// Which text grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeltaKind {
    /// The answer.
    Text,
    /// The reasoning.
    Reasoning,
}

/// Where a tool printed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// How a call was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It may run.
    Approved,
    /// It may not run.
    Denied,
    /// Nobody decided in time.
    Expired,
    /// The turn was stopped.
    Cancelled,
}

/// What a message is meant for while a turn runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// To wait for its own turn.
    Queue,
    /// To reach the running turn.
    Steer,
}

/// How messages left the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consumed {
    /// Into the running turn.
    Interrupt,
    /// As the initiator of the next turn.
    Continuation,
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// As it should.
    Done,
    /// By a stop.
    Aborted,
    /// By a failure.
    Error,
}

/// The legacy word on a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatusKind {
    /// Nothing runs.
    Idle,
    /// A turn runs.
    Running,
    /// The last turn failed.
    Error,
}

/// One message of the queue as the server lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueItem {
    /// The message.
    pub message: MessageId,
    /// What it says.
    pub body: Body,
    /// The client's name for it.
    pub client: Option<ClientId>,
    /// What it is meant for.
    pub intent: Intent,
}

/// One thread in a legacy `statuses` snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadStatus {
    /// The word on the thread.
    pub status: StatusKind,
    /// The running turn.
    pub turn: Option<TurnId>,
    /// The legacy name of the running assistant row.
    pub assistant: Option<MessageId>,
    /// What the running turn has streamed so far.
    pub parts: Option<Vec<super::Part>>,
    /// The tasks as they came.
    pub tasks: Option<Json>,
}

/// Rows of the log in ascending seq.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// The rows.
    pub chunks: Vec<Chunk>,
    /// How many rows the log has.
    pub total: Option<u64>,
    /// The oldest seq of the log.
    pub oldest: Option<Seq>,
    /// The seq before the first row of the page.
    pub prev: Option<Seq>,
    /// The limit that the server applied, where it caps the one asked for.
    pub limit: Option<u32>,
    /// Generation of the log.
    pub epoch: Option<String>,
}
