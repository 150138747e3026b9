//! What a group is made of.

use super::{CallId, Json, MessageId, PartId};

/// One piece of a message, in arrival order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Written text.
    Text {
        /// The text so far.
        text: String,
    },
    /// Reasoning of a model.
    Reasoning {
        /// The text so far.
        text: String,
        /// Opaque data of the provider, a signature for one.
        metadata: Option<Json>,
        /// True once no further delta can extend it.
        sealed: bool,
    },
    /// A tool call with all that is known about it.
    Tool(Box<Tool>),
    /// A file, a source or data of the application.
    Opaque(Opaque),
    /// A notice to the reader.
    Notice {
        /// The text.
        text: String,
        /// The kind of notice, where the log names one.
        code: Option<Json>,
    },
    /// An error that the reader should see.
    Error {
        /// The text.
        text: String,
        /// A status code, where there is one: a JSON number or string.
        code: Option<Json>,
    },
}

/// A tool call, its streamed arguments, its output and its one result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Names the call.
    pub call: CallId,
    /// Names the tool; empty until known.
    pub name: String,
    /// The step of the turn, from 0.
    pub step: u32,
    /// Where the call stands.
    pub state: ToolState,
    /// The whole arguments.
    pub arguments: Option<Json>,
    /// The arguments as they stream; gone once they are whole.
    pub arguments_text: Option<String>,
    /// What the tool printed while it ran.
    pub output: Option<Output>,
    /// The result.
    pub result: Option<Json>,
    /// Whether the result is an error; known with the result.
    pub is_error: bool,
    /// The approval that the call waits for, or had, until its result comes.
    pub approval: Option<Approval>,
}

/// Where a tool call stands: `InputStreaming -> Running | AwaitingApproval -> Approved | Denied -> Done | Error | Interrupted`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolState {
    /// The arguments are not whole yet.
    InputStreaming,
    /// The tool runs, or is about to.
    Running,
    /// A person has to decide first.
    AwaitingApproval,
    /// Decided: it may run.
    Approved,
    /// Decided: it may not run.
    Denied,
    /// The result is here.
    Done,
    /// The result is here and is an error.
    Error,
    /// The turn ended before a result came.
    Interrupted,
}

impl ToolState {
    /// True while a result may still be expected.
    #[must_use]
    pub fn is_open(self) -> bool {
        match self {
            Self::InputStreaming | Self::Running | Self::AwaitingApproval | Self::Approved | Self::Denied => true,
            Self::Done | Self::Error | Self::Interrupted => false,
        }
    }
}

/// What a tool printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The question whether a call may run, and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approval {
    /// What the person is asked.
    pub prompt: Option<String>,
    /// Opaque choices of the application.
    pub options: Option<Json>,
    /// Where the question stands.
    pub state: ApprovalState,
    /// Why it was decided so.
    pub reason: Option<String>,
}

/// Where an approval stands: `Open -> Answering -> Approved | Denied | Expired | Cancelled`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ApprovalState {
    /// Nobody has decided.
    Open,
    /// A decision of this client is on its way.
    Answering,
    /// It may run.
    Approved,
    /// It may not run.
    Denied,
    /// Nobody can decide any more.
    Expired,
    /// The turn was stopped.
    Cancelled,
}

impl ApprovalState {
    /// True where nobody is asked any more.
    #[must_use]
    pub fn is_decided(self) -> bool {
        match self {
            Self::Open | Self::Answering => false,
            Self::Approved | Self::Denied | Self::Expired | Self::Cancelled => true,
        }
    }
}

/// A part that this crate carries and does not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    /// Which of the three types.
    pub kind: OpaqueKind,
    /// A part with an id is replaced in place by the next one of the same kind and id.
    pub id: Option<PartId>,
    /// The whole part as a JSON object, `type` and `id` included.
    pub json: Json,
}

/// The types of opaque parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpaqueKind {
    /// A file.
    File,
    /// A source that the answer cites.
    Source,
    /// Data of the application.
    Data,
}

/// Which wire message and wire part a live part was streamed under. Hints for routing and for evidence, never drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The message that the delta named.
    pub message: Option<MessageId>,
    /// The part that the delta named.
    pub part: Option<PartId>,
}
