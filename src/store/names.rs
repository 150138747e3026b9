//! The names of rows: which rows a message is, and where they are drawn.

use std::sync::Arc;

use crate::model::{Chunk, ClientId, MessageId, TurnId};

use super::live::RowId;
use super::thread::Thread;
use super::view::{BlockId, row_key};

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

    /// Two names turn out to be one message: one row is left, under the key that was drawn first.
    pub(super) fn bind(&mut self, id: RowId, message: &MessageId) -> RowId {
        let other = self.live.by_message(message).filter(|other| *other != id);
        let id = other.map_or(id, |other| self.absorb(id, other));
        self.name_row(id, std::slice::from_ref(message), &[]);
        id
    }

    /// The key of a new user row of a turn. Rows without names are told apart by their place, which may have been another's.
    pub(super) fn free_key(&self, turn: &TurnId, clients: &[ClientId], ids: &[MessageId], place: usize) -> String {
        let key_of = |n: usize| row_key(clients, ids, Some(turn), u64::try_from(n).unwrap_or(u64::MAX));
        let is_free = |key: &String| self.live.rows_of(turn).all(|(_, row)| row.key != *key);
        (place..).map(key_of).find(is_free).unwrap_or_default()
    }

    /// The rows of the log whose place another turn's rows take: their keys go. Where other rows come to stand, calls and
    /// results may find new partners.
    pub(super) fn displaced(&mut self, chunks: &[Arc<Chunk>]) -> Vec<Arc<Chunk>> {
        let known = |chunk: &Arc<Chunk>| self.log.share(chunk.seq).filter(|known| *known != chunk).cloned();
        let gone: Vec<(Arc<Chunk>, &TurnId)> =
            chunks.iter().filter_map(|chunk| Some((known(chunk)?, &chunk.turn))).collect();
        for (chunk, _) in &gone {
            let turns: Vec<TurnId> = self.log.turns_of_call(chunk.seq).cloned().collect();
            turns.into_iter().for_each(|turn| self.view.touch(BlockId::Turn(turn)));
        }
        let lost: Vec<Arc<Chunk>> =
            gone.into_iter().filter(|(chunk, turn)| chunk.turn != **turn).map(|(chunk, _)| chunk).collect();
        for chunk in &lost {
            self.view.forget_key(chunk.seq);
        }
        lost
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
