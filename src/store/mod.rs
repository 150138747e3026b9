//! The client machine: which rows a thread shows, and why each of them is there.
//!
//! **Owns**: the log window, live rows and their owners, the queue, pending sends, reconcile, the loader, the view.
//! **Sees**: model.
//! **Never**: engine, wire, clocks, randomness, I/O, callbacks.

mod answers;
mod asks;
mod commands;
mod cursor;
mod dispatch;
mod effect;
mod events;
mod evidence;
mod explain;
mod export;
mod flat;
mod initiators;
mod input;
mod laws;
mod line;
mod lines;
mod live;
mod load;
mod loader;
mod log;
mod merge;
mod messages;
mod names;
mod pages;
mod queue;
mod queued;
mod reads;
mod reconcile;
mod snapshot;
mod stream;
mod thread;
mod tools;
mod view;

pub use effect::{Action, Code, Diagnostic, Effect, Why};
pub use explain::Explanation;
pub use export::{Saved, SavedRow, SavedTurn};
pub use input::{
    Answer, Command, Connection, Failure, FailureKind, Input, Limits, PendingSend, Receipt, ReceiptStatus, RequestId,
    TimerId,
};
pub use live::Owner;
pub use reads::BlockView;
pub use view::{
    BlockId, Frozen, Group, GroupState, Growth, Head, HeadApproval, Place, QueueEntry, RowDirt, Status, Touched, Zone,
};

use crate::model::ThreadId;

use asks::Asks;
use flat::Map;
pub(crate) use flat::Table;
use thread::Thread;

/// All threads of one client.
///
/// Feed it with [`Store::apply`], carry out the effects that come back, read it with the other methods. It has no clock,
/// no randomness and no I/O: equal inputs give equal state and equal effects (L14).
#[derive(Clone, Debug)]
pub struct Store {
    limits: Limits,
    connection: Connection,
    threads: Table<Box<Thread>>,
    /// Old names of renamed threads.
    aliases: Map<ThreadId, ThreadId>,
    uses: u64,
    asks: Asks,
}

impl Store {
    /// An empty store.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            connection: Connection::default(),
            threads: Table::default(),
            aliases: Map::new(),
            uses: 0,
            asks: Asks::default(),
        }
    }

    /// The one door: takes one input, changes what is shown in one step, and says what the host has to do.
    #[must_use]
    pub fn apply(&mut self, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        match input {
            Input::Event(envelope) => self.on_envelope(envelope, &mut effects),
            Input::Deltas { whole, count } => self.on_deltas(whole, count, &mut effects),
            Input::Command { thread, command } => self.on_command(&thread, command, &mut effects),
            Input::Answer { request, answer } => self.on_answer(request, answer, &mut effects),
            Input::TimerFired { timer } => self.on_timer(timer, &mut effects),
            Input::Connection(connection) => self.on_connection(connection, &mut effects),
            Input::Drawn { thread } => self.on_drawn(&thread),
            Input::Restore { thread, saved } => self.on_restore(&thread, *saved, &mut effects),
        }
        effects
    }
}
