//! The hot slot: what the last delta was about, so that the next one for the same needs no JSON.

use crate::model::{CallId, Cut, DeltaKind, Envelope, Event, ExecutionId, MessageId, PartId, Stream, ThreadId, TurnId};

/// A delta without its text and number.
#[derive(Clone, Debug)]
pub(super) struct Hot {
    thread: ThreadId,
    execution: Option<ExecutionId>,
    turn: Option<TurnId>,
    string: Which,
}

/// The string that grows.
#[derive(Clone, Debug)]
enum Which {
    Text(DeltaKind, Option<MessageId>, Option<PartId>),
    Arguments(CallId),
    Output(Stream, Option<CallId>),
}

impl Hot {
    /// What a delta is about, that is not cut inside a character, and has text: an empty one leaves open whether the one
    /// before was cut.
    pub(super) fn of(envelope: &Envelope) -> Option<Self> {
        let (string, delta, turn) = Which::of(&envelope.event)?;
        let is_whole = delta.head.is_none() && delta.tail.is_none() && !delta.text.is_empty();
        let (thread, execution) = (envelope.thread.clone(), envelope.execution.clone());
        is_whole.then(|| Self { thread, execution, turn: turn.cloned(), string })
    }

    pub(super) fn thread(&self) -> &ThreadId {
        &self.thread
    }

    /// The delta that says this.
    pub(super) fn envelope(self, text: &str, n: Option<u64>) -> Envelope {
        let Self { thread, execution, turn, string } = self;
        let delta = Cut::whole(text);
        let event = match string {
            Which::Text(kind, message, part) => Event::Delta { kind, delta, turn, message, part },
            Which::Arguments(call) => Event::ToolInputDelta { call, delta, turn },
            Which::Output(stream, call) => Event::ToolOutput { data: delta, stream, call, turn },
        };
        Envelope { thread, n, execution, event }
    }
}

impl Which {
    /// What an event makes longer, by what, and in which turn.
    fn of(event: &Event) -> Option<(Self, &Cut, Option<&TurnId>)> {
        if let Event::Delta { kind, delta, turn, message, part } = event {
            return Some((Self::Text(*kind, message.clone(), part.clone()), delta, turn.as_ref()));
        }
        if let Event::ToolInputDelta { call, delta, turn } = event {
            return Some((Self::Arguments(call.clone()), delta, turn.as_ref()));
        }
        let Event::ToolOutput { data, stream, call, turn } = event else { return None };
        Some((Self::Output(*stream, call.clone()), data, turn.as_ref()))
    }
}
