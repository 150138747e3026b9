//! The whole live state of a thread at one event number.

use super::{CallId, ClientId, ExecutionId, Json, MessageId, Outcome, Part, QueueItem, Role, Seq, TurnId};

/// The live state of a thread: every unsealed turn, the queue, the open approvals.
///
/// Absent lists are `None`: the sender says nothing about them, which is not the same as empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    /// Generation of the log.
    pub epoch: Option<String>,
    /// The newest seq of the log.
    pub last_seq: Option<Seq>,
    /// Every unsealed turn, in start order. May list sealed ones, marked so.
    pub turns: Vec<SnapshotTurn>,
    /// The queue, in order.
    pub queue: Option<Vec<QueueItem>>,
    /// Whether the queue waits for the user.
    pub held: Option<bool>,
    /// The open approvals.
    pub approvals: Option<Vec<OpenApproval>>,
}

/// One turn of a snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SnapshotTurn {
    /// Names the turn.
    pub turn: TurnId,
    /// Where it stands.
    pub phase: Phase,
    /// How it ended, where it did.
    pub outcome: Option<Outcome>,
    /// Whether it is written durably.
    pub sealed: bool,
    /// Its rows, in order.
    pub rows: Vec<SnapshotRow>,
}

/// Where a turn stands: `Pending -> Streaming -> AwaitingTool | AwaitingApproval -> Ended`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Accepted, nothing streamed yet.
    Pending,
    /// The model streams.
    Streaming,
    /// At least one call is open and none waits for a person.
    AwaitingTool,
    /// At least one call waits for a person.
    AwaitingApproval,
    /// Over.
    Ended,
}

/// One row of a turn in a snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SnapshotRow {
    /// Who speaks.
    pub role: Role,
    /// The execution that streams it.
    pub execution: Option<ExecutionId>,
    /// The message that it is.
    pub message: Option<MessageId>,
    /// The messages that became it.
    pub messages: Vec<MessageId>,
    /// The client ids of those.
    pub clients: Vec<ClientId>,
    /// The parts so far.
    pub parts: Vec<Part>,
}

/// A call that waits for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenApproval {
    /// Names the call.
    pub call: CallId,
    /// The turn of the call.
    pub turn: TurnId,
    /// Names the tool.
    pub name: String,
    /// What the person is asked.
    pub prompt: Option<String>,
    /// Opaque choices.
    pub options: Option<Json>,
}
