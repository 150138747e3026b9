//! The server's queue as this client knows it: an order of message ids, and what has left it.

use std::collections::VecDeque;

use crate::model::MessageId;

use super::flat::Memory;

/// Messages that left are remembered, so that a late word about them changes nothing. The oldest is forgotten.
const GONE_MAX: usize = 256;

/// The queue of a thread.
#[derive(Debug)]
pub(super) struct Queue {
    order: VecDeque<MessageId>,
    /// The server's count of the last whole list.
    pub(super) version: Option<u64>,
    pub(super) held: bool,
    gone: Memory,
}

impl Default for Queue {
    fn default() -> Self {
        Self { order: VecDeque::new(), version: None, held: false, gone: Memory::new(GONE_MAX) }
    }
}

impl Queue {
    pub(super) fn order(&self) -> impl DoubleEndedIterator<Item = &MessageId> {
        self.order.iter()
    }

    /// Adds a message before the last `behind` ones.
    pub(super) fn insert(&mut self, id: MessageId, behind: usize) {
        self.order.insert(self.order.len().saturating_sub(behind), id);
    }

    pub(super) fn remove(&mut self, id: &MessageId) {
        // The head leaves most often.
        if let Some(index) = self.order.iter().position(|known| known == id) {
            self.order.remove(index);
        }
    }

    pub(super) fn replace(&mut self, order: Vec<MessageId>) {
        self.order = order.into();
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
