//! One thing that a UI draws.

use std::borrow::Cow;

use crate::model::{ClientId, ExecutionId, Intent, MessageId, Part, Role, Seq, TurnId};

/// One thing that a UI draws: a message with its parts, or a pending message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group<'a> {
    /// Never changes from first draw to sealed; unique in its thread (L6).
    pub key: String,
    /// Who speaks; never `Tool`.
    pub role: Role,
    /// Where it stands.
    pub state: GroupState,
    /// The name of its owner, for readers: the turn, the message or the client.
    pub owner: Option<String>,
    /// Its turn.
    pub turn: Option<TurnId>,
    /// Its execution, where the turn has several.
    pub execution: Option<ExecutionId>,
    /// The server's name for it.
    pub message: Option<MessageId>,
    /// The client's name for it.
    pub client: Option<ClientId>,
    /// The seq of its first chunk.
    pub seq: Option<Seq>,
    /// True while more may be appended.
    pub streaming: bool,
    /// For queued and pending messages.
    pub intent: Option<Intent>,
    /// Why it failed, or why its turn did.
    pub error: Option<String>,
    /// Its parts.
    pub parts: Cow<'a, [Part]>,
}

/// Where a group stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupState {
    /// Drawn from chunks.
    Sealed,
    /// Drawn from events.
    Live,
    /// Accepted; its turn has not begun here.
    Starting,
    /// In the server's queue.
    Queued,
    /// Not known to have arrived.
    Sending,
    /// Did not arrive.
    Failed,
    /// Sealed, but the pages that should hold it do not.
    Unconfirmed,
}

impl GroupState {
    /// The word, as it is shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sealed => "sealed",
            Self::Live => "live",
            Self::Starting => "starting",
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Failed => "failed",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}
