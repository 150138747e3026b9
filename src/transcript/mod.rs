//! A thread in the order that language-model APIs accept.
//!
//! **Owns**: the projection of chunks for each vendor, and the check of a projection.
//! **Sees**: model.
//! **Never**: state machines, vendor clients, I/O.

mod anthropic;
mod cause;
mod chat;
mod check;
mod content;
mod json;
mod log;
mod neutral;
mod reading;
mod reasoning;
mod responses;
mod sheet;
mod turn;
mod wire_ids;

pub use cause::Cause;
pub use check::check;

use crate::model::{CallId, Chunk, ExecutionId};

/// Whose order and shape the messages have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vendor {
    /// Messages of Anthropic: `tool_use` and `tool_result` blocks.
    Anthropic,
    /// Chat completions of OpenAI, and the many that speak it: `tool_calls` and messages of role `tool`.
    OpenaiChat,
    /// Input items of OpenAI Responses, without state on the server: `function_call` and `function_call_output`.
    OpenaiResponses,
    /// Our own form, from which a host can make any other: parts by `type`, opaque JSON as it came.
    Neutral,
}

impl Vendor {
    /// The name that JavaScript uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Neutral => "neutral",
        }
    }

    /// The vendor of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Anthropic, Self::OpenaiChat, Self::OpenaiResponses, Self::Neutral].into_iter().find(|v| v.name() == name)
    }
}

/// For whom to project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whose form.
    pub vendor: Vendor,
    /// The execution that will ask: of its turn only its own rows are told. Absent: of each turn the first execution's.
    pub execution: Option<ExecutionId>,
}

/// A thread as a model is told it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// The messages: one JSON array. Equal rows give equal bytes, in whatever order the rows came.
    pub messages: String,
    /// What stands in `messages` and not in the log.
    pub fillers: Vec<Filler>,
    /// What [`check`] says about `messages`; empty unless a rule is broken.
    pub problems: Vec<String>,
}

/// A result, or a call, that the log does not have and the vendor insists on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filler {
    /// The index in `messages` of the message that holds it.
    pub message: usize,
    /// The call, as the log names it.
    pub call: CallId,
    /// The call, as `messages` names it: ids that repeat get a suffix there.
    pub wire: String,
    /// Why it was needed.
    pub cause: Cause,
    /// Whether the call may have run: true unless it is known that it never started.
    pub started: bool,
}

/// Projects the rows of a thread for a model.
///
/// Turns stand by their first seq, each user message once, each call directly before its one result; where the log has
/// no result a filler takes its place. Rows that are for readers only (`error`, `system`, `source`, `data`, `usage`, and
/// what this version does not know) are left out.
///
/// Laws: L13, L14. Shape: `chunks` in any order; of two with one seq the later counts. Errors: none.
/// Source: SPEC 8, rules A1 to R7.
#[must_use]
pub fn project(chunks: &[Chunk], options: &Options) -> Projection {
    let mut items = log::read(chunks, options.execution.as_ref());
    wire_ids::assign(&mut items, options.vendor);
    let (messages, fillers) = match options.vendor {
        Vendor::Anthropic => anthropic::print(&items),
        Vendor::OpenaiChat => chat::print(&items),
        Vendor::OpenaiResponses => responses::print(&items),
        Vendor::Neutral => neutral::print(&items),
    };
    let problems = check(&messages, options.vendor);
    Projection { messages, fillers, problems }
}
