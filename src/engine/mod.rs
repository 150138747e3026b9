//! The authority over turns: when one starts, waits, is steered, is cancelled and is sealed.
//!
//! **Owns**: turns, executions, approvals, the queue and the policies over them.
//! **Sees**: model.
//! **Never**: store, wire, clocks, randomness, I/O, a second flag beside a phase.

mod answers;
mod decide;
mod dispatch;
mod edits;
mod effect;
mod end;
mod execution;
mod input;
mod late;
mod messages;
mod policy;
mod queue;
mod read;
mod restore;
mod rows;
mod seal;
mod step;
mod stream;
mod text;
mod thread;
mod turn;

pub use effect::{Answer, Code, Diagnostic, Effect, Status, Why};
pub use input::{Ask, Input, Message, Target, TimerId};
pub use policy::{
    Background, Batch, Gate, Mixed, OnApproval, OnDeny, OnEnd, OnLateOutput, OnLateSteer, OnSteer, Policy,
};
pub use restore::{Answered, Meta, OpenTurn, Saved};

use std::collections::BTreeMap;

use crate::model::{Envelope, ThreadId};

use thread::{Out, Thread};

/// What an engine is made with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Who answers a message that names no models; one execution for each. Empty: one, unnamed.
    pub models: Vec<String>,
    /// Where products differ.
    pub policy: Policy,
}

/// The authority over the turns of all threads of one server.
///
/// Feed it with [`Engine::apply`], carry out the effects in their order. It has no clock, no randomness and no I/O: equal
/// inputs give equal state and equal effects (L14).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine {
    options: Options,
    threads: BTreeMap<ThreadId, Thread>,
}

impl Engine {
    /// An engine without threads. A thread comes into being with its first input.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, threads: BTreeMap::new() }
    }

    /// Takes one input of a thread and gives what the host has to do, in this order.
    ///
    /// Laws: L9 to L12, L14. Errors: none; what is late, stale or refused is a [`Effect::Diagnostic`] and changes nothing.
    /// Source: SPEC 8.
    #[must_use]
    pub fn apply(&mut self, thread: &ThreadId, input: Input) -> Vec<Effect> {
        let known = self.threads.entry(thread.clone()).or_insert_with(|| Thread::new(thread.clone()));
        let mut out = Out::new(&self.options);
        known.on_input(input, &mut out);
        let idle = known.is_blank();
        let effects = out.effects;
        if idle {
            // An input that only was refused leaves nothing behind.
            self.threads.remove(thread);
        }
        effects
    }

    /// The whole live state of a thread as the `snapshot` event. Reading it changes nothing.
    #[must_use]
    pub fn snapshot(&self, thread: &ThreadId) -> Envelope {
        let blank = Thread::new(thread.clone());
        self.threads.get(thread).unwrap_or(&blank).snapshot()
    }

    /// What a host has to keep, beside the log, so that [`Engine::restore`] loses nothing.
    #[must_use]
    pub fn meta(&self, thread: &ThreadId) -> Meta {
        let blank = Thread::new(thread.clone());
        self.threads.get(thread).unwrap_or(&blank).meta()
    }

    /// Rebuilds an engine after a crash: each open turn is sealed as aborted, each queue is held.
    ///
    /// The effects are those of the restart, a thread at a time; carry them out before any input.
    #[must_use]
    pub fn restore(options: Options, threads: Vec<(ThreadId, Saved)>) -> (Self, Vec<(ThreadId, Vec<Effect>)>) {
        let mut engine = Self::new(options);
        let mut all = Vec::new();
        for (id, saved) in threads {
            let mut out = Out::new(&engine.options);
            let thread = Thread::restored(id.clone(), saved, &mut out);
            all.push((id.clone(), out.effects));
            if !thread.is_blank() {
                engine.threads.insert(id, thread);
            }
        }
        (engine, all)
    }
}
