//! What was asked of the host, and what goes out with one input.

use crate::model::{CallId, ClientId, MessageId, Seq, ThreadId, TurnId};

use super::effect::{Action, Code, Diagnostic, Effect, Why};
use super::flat::Map;
use super::input::{Limits, RequestId, TimerId};

/// A question to the host that has not been answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    pub(super) thread: ThreadId,
    /// The thread's count of inputs when it was asked.
    pub(super) at: u64,
    pub(super) question: Question,
}

/// What was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Question {
    Newest {
        limit: u32,
        epoch: Option<String>,
        reach: Option<Seq>,
    },
    Older {
        before: Seq,
        limit: u32,
        epoch: Option<String>,
    },
    Send {
        client: ClientId,
    },
    Cancel {
        message: MessageId,
    },
    Edit {
        message: MessageId,
        text: String,
    },
    Move {
        message: MessageId,
        index: u32,
        /// The queue as it was: where it has changed, the answer's index means another place.
        order: Vec<MessageId>,
    },
    Decide {
        call: CallId,
        turn: Option<TurnId>,
    },
    Stop {
        turn: Option<TurnId>,
    },
    Resync,
    Other,
}

/// The open questions of a store.
#[derive(Clone, Debug, Default)]
pub(super) struct Asks {
    pub(super) open: Map<RequestId, Asked>,
    pub(super) timers: Map<TimerId, (ThreadId, Why)>,
    next: u64,
}

/// What goes out with one input.
pub(super) struct Out<'a> {
    pub(super) effects: &'a mut Vec<Effect>,
    pub(super) asks: &'a mut Asks,
    pub(super) limits: Limits,
}

impl Out<'_> {
    pub(super) fn ask(&mut self, thread: &ThreadId, at: u64, question: Question, action: Action) -> RequestId {
        self.asks.next += 1;
        let request = RequestId(self.asks.next);
        self.asks.open.insert(request, Asked { thread: thread.clone(), at, question });
        self.effects.push(Effect::Request { request, thread: thread.clone(), action });
        request
    }

    /// The answer is no longer wanted; one that comes all the same is stale.
    pub(super) fn cancel(&mut self, request: RequestId) {
        self.effects.push(Effect::Cancel(request));
    }

    pub(super) fn start_timer(&mut self, thread: &ThreadId, after_ms: u64, why: Why) -> TimerId {
        self.asks.next += 1;
        let timer = TimerId(self.asks.next);
        self.asks.timers.insert(timer, (thread.clone(), why));
        self.effects.push(Effect::StartTimer { timer, thread: thread.clone(), after_ms, why });
        timer
    }

    pub(super) fn stop_timer(&mut self, timer: TimerId) {
        if self.asks.timers.remove(&timer).is_some() {
            self.effects.push(Effect::CancelTimer(timer));
        }
    }

    pub(super) fn flush(&mut self, thread: &ThreadId) {
        self.effects.push(Effect::Flush(thread.clone()));
    }

    pub(super) fn report(&mut self, thread: &ThreadId, code: Code, detail: String) {
        self.effects.push(Effect::Report(Diagnostic { code, thread: thread.clone(), detail }));
    }
}
