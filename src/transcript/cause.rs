//! Why a call has no result, and the words in which a model is told.

use std::collections::BTreeMap;

use crate::model::{CallId, Chunk, ChunkBody};

use super::json;

/// Why the log lacks something that a model must be told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// The turn was stopped, or ended in another way, before the call had its result. Also where the log gives no cause.
    Stopped,
    /// The user did not allow the call.
    Denied,
    /// A newer message of the user took its place.
    Superseded,
    /// Nobody decided, or the tool did not answer, in time.
    TimedOut,
    /// The program was started anew while the call was open.
    Restarted,
    /// The result is there and its call is not: the call is the filler, with no arguments.
    NoCall,
}

impl Cause {
    /// The name that JavaScript uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Denied => "denied",
            Self::Superseded => "superseded",
            Self::TimedOut => "timed-out",
            Self::Restarted => "restarted",
            Self::NoCall => "no-call",
        }
    }

    /// The result that a model is told in place of the missing one.
    #[must_use]
    pub fn text(self, started: bool) -> String {
        let why = match self {
            Self::Stopped => "The turn was stopped before this tool call had a result.",
            Self::Denied => "The user did not allow this tool call.",
            Self::Superseded => "A newer message of the user took the place of this tool call.",
            Self::TimedOut => "This tool call was given up because it took too long.",
            Self::Restarted => "The application was restarted before this tool call had a result.",
            Self::NoCall => "The arguments of this tool call are not known.",
        };
        let effects = if started {
            "It may have started: it may have had effects."
        } else {
            "It never started: assume no side effects."
        };
        format!("{why} {effects}")
    }

    /// The cause of a word of the log.
    fn of(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().replace(['_', ' '], "-").as_str() {
            "stopped" | "stop" | "aborted" | "cancelled" | "canceled" | "interrupted" => Some(Self::Stopped),
            "denied" => Some(Self::Denied),
            "superseded" => Some(Self::Superseded),
            "timed-out" | "timeout" | "expired" => Some(Self::TimedOut),
            "restarted" | "restart" => Some(Self::Restarted),
            _ => None,
        }
    }

    /// Without a word on it: a call that was refused or overtaken waited for a person; any other may have run.
    fn may_have_started(self) -> bool {
        match self {
            Self::Denied | Self::Superseded => false,
            Self::Stopped | Self::TimedOut | Self::Restarted | Self::NoCall => true,
        }
    }
}

/// What the rows of one turn say about calls that have no result.
///
/// Two kinds of row are read: `system`, whose kind names the cause for each open call of the turn, and `tool_interrupted`
/// with the data `{callId, cause?, started?}`, which says it of one call. The last of each counts.
#[derive(Default)]
pub(super) struct Causes {
    turn: Option<Cause>,
    calls: BTreeMap<CallId, (Option<Cause>, Option<bool>)>,
}

impl Causes {
    pub(super) fn on_row(&mut self, chunk: &Chunk) {
        if let ChunkBody::System { kind, .. } = &chunk.body {
            self.turn = Cause::of(kind).or(self.turn);
        }
        if let ChunkBody::Unknown { kind, data } = &chunk.body
            && kind == "tool_interrupted"
            && let Some(fields) = json::object(data.as_str())
            && let Some(call) = json::text_of(&fields, "callId")
        {
            let cause = json::text_of(&fields, "cause").and_then(|word| Cause::of(&word));
            let started = fields.get("started").and_then(|word| word.parse().ok());
            self.calls.insert(CallId::new(call), (cause, started));
        }
    }

    /// The cause for an open call, and whether the call may have started.
    pub(super) fn of_call(&self, call: &CallId) -> (Cause, bool) {
        let (own, known) = self.calls.get(call).copied().unwrap_or_default();
        let cause = own.or(self.turn).unwrap_or(Cause::Stopped);
        let started = known.unwrap_or(cause.may_have_started());
        (cause, started)
    }
}
