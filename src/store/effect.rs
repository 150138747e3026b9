//! What comes out of the store: effects, and diagnostics among them.

use crate::model::{CallId, Decision, MessageId, Seq, ThreadId, TurnId};

use super::input::{PendingSend, RequestId, TimerId};

/// What the host has to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Something to carry out and to answer.
    Request {
        /// Its name.
        request: RequestId,
        /// In which thread.
        thread: ThreadId,
        /// What.
        action: Action,
    },
    /// The answer to a request is no longer wanted.
    Cancel(RequestId),
    /// Fire [`super::Input::TimerFired`] after that time, give or take the host's jitter.
    StartTimer {
        /// Its name.
        timer: TimerId,
        /// In which thread.
        thread: ThreadId,
        /// Milliseconds.
        after_ms: u64,
        /// For the reader of a recording.
        why: Why,
    },
    /// The timer shall not fire.
    CancelTimer(TimerId),
    /// These are the messages of the thread that are not known to have arrived. Keep them over a restart.
    Persist {
        /// The thread.
        thread: ThreadId,
        /// All of them; empty: forget the thread.
        sends: Vec<PendingSend>,
    },
    /// A thread has another name now; the old one stays an alias.
    Renamed {
        /// The old name.
        from: ThreadId,
        /// The new name.
        to: ThreadId,
    },
    /// Readers should see this at once: an end, a seal, a fold, a failed send.
    Flush(ThreadId),
    /// Something that a developer should know.
    Report(Diagnostic),
}

/// Why a timer runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A load failed and is tried again.
    LoadBackoff,
    /// A resync failed and is tried again.
    ResyncBackoff,
}

/// What a request asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A page of the log: the newest one, or the one before a seq.
    LoadChunks {
        /// At most that many.
        limit: u32,
        /// Only what is older.
        before: Option<Seq>,
        /// The sealed turns that the page is to hold; for the reader of a recording.
        covers: Vec<TurnId>,
    },
    /// Hand a message to the server.
    Send(PendingSend),
    /// Stop a turn.
    Stop {
        /// The running one where none is named.
        turn: Option<TurnId>,
    },
    /// Take a queued message back.
    CancelQueued(MessageId),
    /// Change a queued message.
    EditQueued(MessageId, String),
    /// Move a queued message.
    MoveQueued(MessageId, u32),
    /// Make a queued message the next.
    SendNow(MessageId),
    /// Let a held queue go on.
    ResumeQueue,
    /// Decide on a call.
    ResolveApproval {
        /// The call.
        call: CallId,
        /// Its turn.
        turn: Option<TurnId>,
        /// `Approved` or `Denied`.
        decision: Decision,
        /// Why.
        reason: Option<String>,
    },
    /// Tell the live state; events behind that number were lost.
    Resync {
        /// The last event that arrived in order; 0: none.
        after: u64,
    },
}

/// Something that a developer should know. Never an error: state says what is shown, this says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// A word to look up.
    pub code: Code,
    /// The thread.
    pub thread: ThreadId,
    /// In words.
    pub detail: String,
}

/// The codes of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// An event of an ended, folded or forgotten turn; dropped.
    Late,
    /// An event without a turn while none runs; dropped.
    NoTurn,
    /// An answer to a request that is over; its data was merged, it proved nothing.
    Stale,
    /// A load failed; it is tried again.
    LoadFailed,
    /// A resync failed; it is tried again.
    ResyncFailed,
    /// Event numbers jumped; the live state is asked for.
    Gap,
    /// A sealed turn is not in the page that should hold it; its rows are kept.
    Unconfirmed,
    /// A message could not be sent.
    SendFailed,
    /// A command failed at the server; nothing was changed here.
    CommandFailed,
    /// A command names something that is not here.
    UnknownTarget,
    /// Two readings of a user row are left; it is kept.
    Ambiguous,
    /// A thread was evicted because there are too many.
    ThreadEvicted,
    /// A law did not hold. A bug of this crate: the row was kept.
    Law,
}

impl Code {
    /// The word, as it is shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::NoTurn => "no-turn",
            Self::Stale => "stale",
            Self::LoadFailed => "load-failed",
            Self::ResyncFailed => "resync-failed",
            Self::Gap => "gap",
            Self::Unconfirmed => "unconfirmed",
            Self::SendFailed => "send-failed",
            Self::CommandFailed => "command-failed",
            Self::UnknownTarget => "unknown-target",
            Self::Ambiguous => "ambiguous",
            Self::ThreadEvicted => "thread-evicted",
            Self::Law => "law",
        }
    }
}
