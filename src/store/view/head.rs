//! What a thread shows beside its groups.

use crate::model::{CallId, ClientId, Intent, Json, MessageId, Part, TurnId};

use crate::store::input::Connection;

/// What a thread shows beside its groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// What the thread is doing.
    pub status: Status,
    /// The running turn.
    pub turn: Option<TurnId>,
    /// Whether the queue waits for the user.
    pub held: bool,
    /// The calls that wait for a person.
    pub approvals: Vec<HeadApproval>,
    /// Whether the log has rows before the window.
    pub has_older: bool,
    /// Whether an older page is on its way.
    pub loading_older: bool,
    /// The host's connection.
    pub connection: Connection,
    /// Why the last load failed.
    pub load_error: Option<String>,
    /// The last `usage`, `task-list-update` and their like, by type.
    pub meta: Vec<(String, Json)>,
}

/// What a thread is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nothing.
    Idle,
    /// A turn is accepted; nothing has streamed.
    Pending,
    /// The model streams.
    Streaming,
    /// A tool runs.
    AwaitingTool,
    /// A person has to decide.
    AwaitingApproval,
    /// A stop is on its way.
    Stopping,
    /// The last turn failed.
    Error,
}

impl Status {
    /// The word, as it is shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Pending => "pending",
            Self::Streaming => "streaming",
            Self::AwaitingTool => "awaiting-tool",
            Self::AwaitingApproval => "awaiting-approval",
            Self::Stopping => "stopping",
            Self::Error => "error",
        }
    }
}

/// One message of the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueEntry {
    /// The key of its group.
    pub key: String,
    /// The server's name for it.
    pub message: MessageId,
    /// Its parts.
    pub parts: Vec<Part>,
    /// What it is meant for.
    pub intent: Intent,
    /// The client's name for it.
    pub client: Option<ClientId>,
}

/// One call that waits for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadApproval {
    /// The call.
    pub call: CallId,
    /// Its turn.
    pub turn: TurnId,
    /// The tool.
    pub name: String,
    /// What the person is asked.
    pub prompt: Option<String>,
    /// Opaque choices.
    pub options: Option<Json>,
    /// True while a decision of this client is on its way.
    pub answering: bool,
}
