//! What a UI reads: groups in order, drawn from chunks and live rows.
//!
//! **Owns**: the order of blocks, the keys of groups, what was touched since the last look.
//! **Sees**: log, live, queue (read only).
//! **Never**: a decision about a row's life.

mod draw;
mod frozen;
mod group;
mod head;
mod keys;
mod numbers;
mod order;
mod place;
mod runs;
mod touched;

pub use frozen::Frozen;
pub use group::{Group, GroupState};
pub use head::{Head, HeadApproval, QueueEntry, Status};
pub use place::{BlockId, Place, Zone};
pub use touched::{Growth, RowDirt, Touched};

pub(super) use draw::{Drawn, MISSES_MAX, draw_block};
pub(super) use keys::row_key;
pub(super) use numbers::Numbers;
pub(super) use order::Order;
pub(super) use runs::{Shown, runs};
pub(super) use touched::Marked;

use super::flat::{Index, Map};
use super::log::Log;
use std::sync::Arc;

use crate::model::{Seq, TurnId, decimal, joined};

/// The state of the view: places, keys, and what was touched. Everything drawn is computed from it and the rows.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) order: Order,
    /// Keys of user groups that were live rows before their chunk came.
    user_keys: Map<Seq, Arc<str>>,
    /// The same, by key: no other group may take one (L6).
    taken: Index,
    /// Chunks with a key of their own that left the window. What leaves and comes back in one input never left (L6).
    leaving: Vec<Seq>,
    /// Where the counting of a turn's groups begins (L6).
    numbers: Map<TurnId, Numbers>,
    pub(super) touched: Touched,
}

impl View {
    /// Where the counting of a turn's groups departs from 0, 1, 2.
    pub(super) fn numbers(&self, turn: &TurnId) -> Option<&Numbers> {
        self.numbers.get(turn)
    }

    pub(super) fn set_numbers(&mut self, turn: &TurnId, numbers: Numbers) {
        if numbers.is_empty() {
            self.numbers.remove(turn);
        } else {
            self.numbers.insert(turn.clone(), numbers);
        }
    }

    /// The key that a user chunk took over from its live row.
    pub(super) fn user_key(&self, seq: Seq) -> Option<&Arc<str>> {
        self.user_keys.get(&seq)
    }

    /// All keys that were taken over, by seq.
    pub(super) fn user_keys(&self) -> impl Iterator<Item = (Seq, &Arc<str>)> {
        self.user_keys.iter().map(|(seq, key)| (*seq, key))
    }

    /// A user chunk takes over the key of its live row. The first one stays.
    pub(super) fn keep_key(&mut self, seq: Seq, key: String) {
        if !self.user_keys.contains_key(&seq) && self.taken.get(&key).is_none() {
            let key: Arc<str> = key.into();
            self.taken.insert(&key, seq.0);
            self.user_keys.insert(seq, key);
        }
    }

    /// The chunk left the window, if it is not back when the input ends.
    pub(super) fn leave_key(&mut self, seq: Seq) {
        if self.user_keys.contains_key(&seq) {
            self.leaving.push(seq);
        }
    }

    /// Drops the keys of the chunks that left: when an input ends, or at once where the log counts anew.
    pub(super) fn drop_keys(&mut self, log: &Log) {
        for seq in std::mem::take(&mut self.leaving) {
            if log.get(seq).is_none() {
                self.forget_key(seq);
            }
        }
    }

    /// Another message took the place of the one that had the key.
    pub(super) fn forget_key(&mut self, seq: Seq) {
        if let Some(key) = self.user_keys.remove(&seq) {
            self.taken.remove_if(&key, seq.0);
        }
    }

    /// The key, or one beside it where a sealed group has it: the server used a name twice.
    pub(super) fn fresh_key(&self, key: String, stamp: u64) -> String {
        if self.taken.get(&key).is_none() { key } else { joined(&[&key, "~", &decimal(stamp)]) }
    }

    /// True where another sealed group has that key.
    pub(super) fn is_taken(&self, key: &str, seq: Seq) -> bool {
        self.taken.get(key).is_some_and(|at| at != seq.0)
    }

    /// Marks a block for the mirror.
    pub(super) fn touch(&mut self, block: BlockId) {
        if !self.touched.everything && self.order.mark(&block) {
            self.touched.blocks.push(block);
        }
    }

    /// Two threads became one: what a mirror holds of either is of no use.
    pub(super) fn renew(&mut self) {
        self.drawn();
        self.order.unshown_all();
        self.touched = Touched::default();
    }

    /// A mirror has drawn it all.
    pub(super) fn drawn(&mut self) {
        if self.touched.everything {
            self.order.drawn_all();
        }
        for block in &self.touched.blocks {
            self.order.drawn(block);
        }
        self.touched.clear();
    }
}
