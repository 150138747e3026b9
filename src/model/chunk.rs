//! One sealed row of the server's log.

use super::{CallId, ClientId, ExecutionId, Json, MessageId, Opaque, Output, Seq, TurnId};

/// One sealed row. Rows with equal `seq` are the same row; a later copy replaces an earlier one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// Its place in the log.
    pub seq: Seq,
    /// The turn that it belongs to.
    pub turn: TurnId,
    /// The execution that wrote it, where a turn has several.
    pub execution: Option<ExecutionId>,
    /// Who speaks.
    pub role: Role,
    /// What it holds.
    pub body: ChunkBody,
    /// The step of the turn, from 0, where the log tells.
    pub step: Option<u32>,
    /// The message that it is, or is a piece of.
    pub message: Option<MessageId>,
    /// The messages that became this row, where several did.
    pub messages: Vec<MessageId>,
    /// The client ids of the messages that became this row.
    pub clients: Vec<ClientId>,
    /// When the server wrote it: opaque, carried only.
    pub created_at: Option<Json>,
}

impl Chunk {
    /// All message ids that this row names, without repeats.
    pub fn message_ids(&self) -> impl Iterator<Item = &MessageId> {
        self.message.iter().chain(self.messages.iter().filter(|id| self.message.as_ref() != Some(id)))
    }

    /// True where both rows are of one message of a user: its text, its files.
    pub fn is_same_message(&self, other: &Self) -> bool {
        let named = self.message_ids().next();
        let users = self.role == Role::User && other.role == Role::User;
        users && named.is_some() && named == other.message_ids().next()
    }
}

/// Who speaks in a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A person.
    User,
    /// A model.
    Assistant,
    /// A tool; drawn inside the assistant's group.
    Tool,
    /// The system.
    System,
}

/// What a sealed row holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChunkBody {
    /// Text of a user or an assistant.
    Text {
        /// The text.
        text: String,
    },
    /// Reasoning of an assistant.
    Reasoning {
        /// The text.
        text: String,
        /// Opaque data of the provider.
        metadata: Option<Json>,
    },
    /// A tool call of an assistant.
    ToolCall {
        /// Names the call.
        call: CallId,
        /// Names the tool.
        name: String,
        /// The arguments.
        arguments: Json,
    },
    /// The result of a tool call.
    ToolResult {
        /// Names the call.
        call: CallId,
        /// Names the tool, where the log tells.
        name: Option<String>,
        /// The result.
        result: Json,
        /// Whether it is an error.
        is_error: bool,
        /// What the tool printed.
        output: Option<Output>,
    },
    /// An error that ended an answer.
    Error {
        /// The text.
        message: String,
        /// A status code: a JSON number or string.
        status_code: Option<Json>,
    },
    /// A file, a source or data.
    Part(Opaque),
    /// A line of the system.
    System {
        /// Its kind.
        kind: String,
        /// Its text.
        text: String,
    },
    /// Token counts; never drawn.
    Usage(Json),
    /// A type that this version does not know; kept, never drawn.
    Unknown {
        /// The type.
        kind: String,
        /// The data.
        data: Json,
    },
}
