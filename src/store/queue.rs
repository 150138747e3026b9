//! The server's queue as this client knows it: an order of message ids, and what has left it.

use std::collections::VecDeque;

use crate::model::{Intent, MessageId};

/// Messages that left are remembered, so that a late word about them changes nothing. The oldest is forgotten.
const GONE_MAX: usize = 256;

/// The queue of a thread.
#[derive(Debug, Default)]
pub(super) struct Queue {
    order: VecDeque<MessageId>,
    /// The server's count of the last whole list.
    pub(super) version: Option<u64>,
    pub(super) held: bool,
    gone: VecDeque<MessageId>,
}

impl Queue {
    pub(super) fn order(&self) -> impl Iterator<Item = &MessageId> {
        self.order.iter()
    }

    pub(super) fn has(&self, id: &MessageId) -> bool {
        self.order.contains(id)
    }

    /// Adds a message: a steer behind the last steer, any other at the end.
    pub(super) fn push(&mut self, id: MessageId, intent: Intent, steers: usize) {
        if self.has(&id) {
            return;
        }
        match intent {
            Intent::Steer => self.order.insert(steers.min(self.order.len()), id),
            Intent::Queue => self.order.push_back(id),
        }
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
        if !self.gone.contains(id) {
            self.gone.push_back(id.clone());
            if self.gone.len() > GONE_MAX {
                self.gone.pop_front();
            }
        }
    }

    /// True where the message was consumed or cancelled.
    pub(super) fn is_gone(&self, id: &MessageId) -> bool {
        self.gone.contains(id)
    }

    /// The server lists a message again.
    pub(super) fn recall(&mut self, id: &MessageId) {
        self.gone.retain(|known| known != id);
    }
}
