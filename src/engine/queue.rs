//! Messages that wait for a turn: steers first, each kind first in, first out.

use crate::model::{Intent, MessageId, QueueItem};

use super::input::Message;
use super::policy::Batch;

/// A message that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Item(pub(super) Message);

/// The queue of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Queue {
    items: Vec<Item>,
    flow: Flow,
    /// The number of the last change.
    pub(super) version: u64,
}

/// Whether the queue goes on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Flow {
    /// The next turn takes its head.
    #[default]
    Flowing,
    /// It waits for the user.
    Held,
}

impl Queue {
    pub(super) fn new(items: Vec<Item>, flow: Flow, version: u64) -> Self {
        Self { items, flow, version }
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn is_held(&self) -> bool {
        self.flow == Flow::Held
    }

    pub(super) fn set(&mut self, flow: Flow) {
        self.flow = flow;
    }

    pub(super) fn has(&self, id: &MessageId) -> bool {
        self.items.iter().any(|item| item.0.id == *id)
    }

    pub(super) fn has_steer(&self) -> bool {
        self.steers() > 0
    }

    fn steers(&self) -> usize {
        self.items.iter().take_while(|item| item.0.intent == Intent::Steer).count()
    }

    pub(super) fn push(&mut self, message: Message) {
        let at = match message.intent {
            Intent::Steer => self.steers(),
            Intent::Queue => self.items.len(),
        };
        self.items.insert(at, Item(message));
    }

    pub(super) fn remove(&mut self, id: &MessageId) -> Option<Item> {
        let at = self.items.iter().position(|item| item.0.id == *id)?;
        Some(self.items.remove(at))
    }

    pub(super) fn get_mut(&mut self, id: &MessageId) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.0.id == *id)
    }

    pub(super) fn clear(&mut self) -> Vec<Item> {
        std::mem::take(&mut self.items)
    }

    /// Moves a message as near to a place as its kind allows. False where it is not here.
    pub(super) fn move_to(&mut self, id: &MessageId, index: usize) -> bool {
        let Some(item) = self.remove(id) else { return false };
        let (first, last) = match item.0.intent {
            Intent::Steer => (0, self.steers()),
            Intent::Queue => (self.steers(), self.items.len()),
        };
        self.items.insert(index.clamp(first, last), item);
        true
    }

    /// Makes a message the first of all: a steer, whatever it was. False where it is not here.
    pub(super) fn put_first(&mut self, id: &MessageId) -> bool {
        let Some(mut item) = self.remove(id) else { return false };
        item.0.intent = Intent::Steer;
        self.items.insert(0, item);
        true
    }

    /// Takes what the next turn answers.
    pub(super) fn take(&mut self, batch: Batch) -> Vec<Item> {
        let count = match (batch, self.items.first()) {
            (_, None) => 0,
            (Batch::One, Some(_)) => 1,
            (Batch::Alike, Some(head)) => {
                let alike = |item: &&Item| item.0.intent == head.0.intent && item.0.models == head.0.models;
                self.items.iter().take_while(alike).count()
            }
        };
        self.items.drain(..count).collect()
    }

    /// Takes all steers.
    pub(super) fn take_steers(&mut self) -> Vec<Item> {
        let count = self.steers();
        self.items.drain(..count).collect()
    }

    pub(super) fn told(&self) -> Vec<QueueItem> {
        let told = self.items.iter().map(|Item(message)| QueueItem {
            message: message.id.clone(),
            body: message.body.clone(),
            client: message.client.clone(),
            intent: message.intent,
        });
        told.collect()
    }
}
