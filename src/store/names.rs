//! The names of rows: which rows a message is, and where they are drawn.

use crate::model::{ClientId, MessageId};

use super::live::RowId;
use super::thread::Thread;
use super::view::BlockId;

impl Thread {
    /// The block in which a row is drawn.
    pub(super) fn block_of(&self, id: RowId) -> Option<BlockId> {
        let turn = self.live.row(id)?.owner.turn();
        Some(turn.map_or(BlockId::Row(id.0), |turn| BlockId::Turn(turn.clone())))
    }

    /// Adds names to a row; the first ones are shown.
    pub(super) fn name_row(&mut self, id: RowId, messages: &[MessageId], clients: &[ClientId]) {
        if self.live.name(id, messages, clients) {
            self.touch_row(id);
        }
    }

    /// A row is to be drawn anew.
    pub(super) fn touch_row(&mut self, id: RowId) {
        if let Some(block) = self.block_of(id) {
            self.view.touch(block);
        }
    }

    /// The rows of a message with these names, in the order of its names.
    pub(super) fn rows_named(&self, ids: &[MessageId], clients: &[ClientId]) -> Vec<RowId> {
        let mut rows: Vec<RowId> = Vec::new();
        let mut clients = clients.iter().filter_map(|id| self.live.by_client(id));
        for id in ids {
            // A message that this client does not know by that name may be one that it knows by its own.
            let known = self.live.by_message(id).or_else(|| clients.by_ref().find(|id| !rows.contains(id)));
            rows.extend(known.filter(|id| !rows.contains(id)));
        }
        for id in clients {
            if !rows.contains(&id) {
                rows.push(id);
            }
        }
        rows
    }
}
