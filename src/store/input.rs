//! What goes into the store and what comes out: inputs, commands, answers, effects, diagnostics.

use crate::model::{Body, CallId, ClientId, Decision, Envelope, Intent, MessageId, Page, Snapshot, ThreadId, TurnId};

/// Everything that can happen to a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// The server said something.
    Event(Envelope),
    /// Text deltas with one address that came one right after the other, as one. Without numbers, or each the next one:
    /// see [`super::Store::is_next`]; otherwise nothing happens.
    Deltas {
        /// All of their text, under the number of the last.
        whole: Envelope,
        /// How many they are.
        count: u64,
    },
    /// The user, or the application for the user, wants something.
    Command {
        /// In which thread.
        thread: ThreadId,
        /// What.
        command: Command,
    },
    /// The host carried an effect out, or failed to.
    Answer {
        /// Which effect.
        request: RequestId,
        /// What came of it.
        answer: Answer,
    },
    /// A timer that the store had started is due.
    TimerFired {
        /// Which.
        timer: TimerId,
    },
    /// The host's connection changed.
    Connection(Connection),
    /// A mirror has drawn everything that [`super::Store::touched`] told of a thread.
    Drawn {
        /// Which.
        thread: ThreadId,
    },
    /// An empty thread takes the state that an earlier store had saved.
    Restore {
        /// Which.
        thread: ThreadId,
        /// What was saved.
        saved: Box<super::Saved>,
    },
}

/// Names an effect that the host has to answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(pub u64);

/// Names a timer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TimerId(pub u64);

/// An act of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// The thread is looked at: its first page is wanted.
    Open,
    /// A message was typed. A known client id is the same message.
    Send {
        /// The client's name for it.
        client: ClientId,
        /// What it says.
        body: Body,
        /// What it is meant for.
        intent: Intent,
    },
    /// The running turn shall stop.
    Stop,
    /// A queued message shall go.
    CancelQueued(MessageId),
    /// A queued message shall say something else.
    EditQueued(MessageId, String),
    /// A queued message shall stand elsewhere in the queue.
    MoveQueued(MessageId, u32),
    /// A queued message shall be next.
    SendNow(MessageId),
    /// A held queue shall go on.
    ResumeQueue,
    /// A call may, or may not, run.
    Decide {
        /// The call.
        call: CallId,
        /// `Approved` or `Denied`.
        decision: Decision,
        /// Why.
        reason: Option<String>,
    },
    /// A failed message shall be sent again.
    Retry(ClientId),
    /// A failed message or a note shall go. Names the group by its key.
    Dismiss(String),
    /// The page before the window is wanted.
    LoadOlder,
    /// The user reads older rows, or is back at the bottom.
    ScrolledUp(bool),
    /// Messages that an earlier life of this client had not seen arrive.
    Restore(Vec<PendingSend>),
}

/// A message that is not known to have arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingSend {
    /// The client's name for it.
    pub client: ClientId,
    /// What it says.
    pub body: Body,
    /// What it is meant for.
    pub intent: Intent,
}

/// What came of an effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// `LoadChunks`: a page.
    Page(Page),
    /// `Send`: the server's word.
    Sent(Receipt),
    /// `CancelQueued`: whether the message is gone.
    Cancelled(bool),
    /// `Resync`: the live state, with its event number.
    Snapshot {
        /// The number of the last event in it.
        n: Option<u64>,
        /// The state.
        snapshot: Box<Snapshot>,
    },
    /// Any other effect: carried out.
    Done,
    /// `ResolveApproval`: the server does not know the call.
    Unknown,
    /// It failed; the host says how.
    Failed(Failure),
}

/// The server's word on a sent message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// What became of it.
    pub status: ReceiptStatus,
    /// The server's name for it.
    pub message: Option<MessageId>,
    /// The turn that it starts.
    pub turn: Option<TurnId>,
    /// The number of the event that told it.
    pub n: Option<u64>,
}

/// What became of a sent message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReceiptStatus {
    /// It starts a turn.
    Ok,
    /// It waits.
    Queued,
    /// It came too late and is given back.
    Returned,
    /// It was not taken.
    Refused,
}

/// Why an effect failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The host's kind of failure.
    pub kind: FailureKind,
    /// The host's words.
    pub error: String,
}

/// Kinds of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// The request failed.
    Failed,
    /// No answer came in time.
    Timeout,
    /// The host cannot do such a thing at all.
    Unsupported,
    /// The host gave it up because the store asked for that.
    Aborted,
}

/// The host's connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Connection {
    /// Not there yet.
    Connecting,
    /// There. Failed loads are tried at once.
    #[default]
    Online,
    /// Gone.
    Offline,
}

/// How much a store keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Sealed chunks a thread, unless the user is scrolled up. The oldest go first.
    pub window: usize,
    /// Chunks in an older page.
    pub page: u32,
    /// Threads. The least recent one without anything live goes first.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { window: 100, page: 50, threads: 1000 }
    }
}
