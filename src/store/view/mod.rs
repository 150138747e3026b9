//! What a UI reads: groups in order, drawn from chunks and live rows.
//!
//! **Owns**: the order of blocks, the keys of groups, what was touched since the last look.
//! **Sees**: log, live, queue (read only).
//! **Never**: a decision about a row's life.

mod draw;
mod group;
mod head;
mod keys;
mod order;
mod touched;

pub use group::{Group, GroupState};
pub use head::{Head, HeadApproval, QueueEntry, Status};
pub use order::{BlockId, Place, Zone};
pub use touched::{Growth, RowDirt, Touched};

pub(super) use draw::{Drawn, MISSES_MAX, draw_block};
pub(super) use keys::{Track, aligned, rebase, row_key, runs};
pub(super) use order::Order;
pub(super) use touched::Marked;

use super::flat::Map;
use crate::model::{Seq, TurnId};

use keys::Bases;

/// The state of the view: places, keys, and what was touched. Everything drawn is computed from it and the rows.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) order: Order,
    /// Keys of user groups that were live rows before their chunk came.
    pub(super) user_keys: Map<Seq, String>,
    /// Where the counting of a turn's groups begins (L6).
    pub(super) bases: Map<TurnId, Bases>,
    pub(super) touched: Touched,
}

impl View {
    /// Marks a block for the mirror.
    pub(super) fn touch(&mut self, block: BlockId) {
        if !self.touched.everything && self.order.mark(&block) {
            self.touched.blocks.push(block);
        }
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
