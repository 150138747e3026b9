//! The server's queue as this client knows it: an order of message ids, and what has left it.

use std::collections::VecDeque;

use crate::model::MessageId;

use super::flat::{Index, Memory};

/// Messages that left are remembered, so that a late word about them changes nothing. The oldest is forgotten.
const GONE_MAX: usize = 256;

/// Room between two ranks, for messages that come to stand between.
const ROOM: u64 = 1 << 32;

/// So far behind its neighbour comes one that stands between: many come one behind the other.
const STEP: u64 = 1 << 16;

/// The queue of a thread.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Ascending by rank.
    order: VecDeque<(u64, MessageId)>,
    /// The ranks by id.
    ranks: Index,
    /// The server's count of the last whole list.
    pub(super) version: Option<u64>,
    pub(super) held: bool,
    gone: Memory,
}

impl Default for Queue {
    fn default() -> Self {
        let gone = Memory::new(GONE_MAX);
        Self { order: VecDeque::new(), ranks: Index::default(), version: None, held: false, gone }
    }
}

impl Queue {
    pub(super) fn order(&self) -> impl DoubleEndedIterator<Item = &MessageId> {
        self.order.iter().map(|(_, id)| id)
    }

    /// The place of a message: ascending, with gaps.
    pub(super) fn rank(&self, id: &MessageId) -> Option<u64> {
        self.ranks.get(id.as_str())
    }

    /// Adds a message before the last `behind` ones, unless it is there. True where the ranks of others changed.
    pub(super) fn insert(&mut self, id: MessageId, behind: usize) -> bool {
        if self.rank(&id).is_some() {
            return false;
        }
        let at = self.order.len().saturating_sub(behind);
        let before = at.checked_sub(1).and_then(|at| self.order.get(at)).map_or(0, |(rank, _)| *rank);
        let rank = match self.order.get(at) {
            Some((next, _)) => before + STEP.min((next - before) / 2),
            None => before + ROOM,
        };
        let fits = rank > before;
        self.order.insert(at, (rank, id.clone()));
        self.ranks.insert(id.shared(), rank);
        if !fits {
            let order = self.order().cloned().collect();
            self.replace(order);
        }
        !fits
    }

    /// Gives a message the place that another one had.
    pub(super) fn put_at(&mut self, id: &MessageId, rank: u64) {
        let (Ok(at) | Err(at)) = self.find(rank);
        self.order.insert(at, (rank, id.clone()));
        self.ranks.insert(id.shared(), rank);
    }

    fn find(&self, rank: u64) -> Result<usize, usize> {
        self.order.binary_search_by(|(known, _)| known.cmp(&rank))
    }

    pub(super) fn remove(&mut self, id: &MessageId) {
        let Some(rank) = self.rank(id) else { return };
        if let Ok(at) = self.find(rank) {
            self.order.remove(at);
        }
        self.ranks.remove_if(id.as_str(), rank);
    }

    /// Another order. An id that is there twice counts where it stands first.
    pub(super) fn replace(&mut self, order: Vec<MessageId>) {
        self.order.clear();
        self.ranks = Index::default();
        for id in order {
            let rank = (self.order.len() as u64 + 1) * ROOM;
            if self.ranks.claim(id.shared(), rank) {
                self.order.push_back((rank, id));
            }
        }
    }

    /// Remembers that a message was consumed or cancelled.
    pub(super) fn forget(&mut self, id: &MessageId) {
        self.remove(id);
        self.gone.add(id.shared());
    }

    /// True where the message was consumed or cancelled.
    pub(super) fn is_gone(&self, id: &MessageId) -> bool {
        self.gone.has(id.as_str())
    }

    /// The server lists a message again.
    pub(super) fn recall(&mut self, id: &MessageId) {
        self.gone.remove(id.as_str());
    }
}
