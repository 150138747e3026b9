//! Messages that wait in the server's queue: how they come, change and go.

use crate::model::{Body, ClientId, Intent, MessageId, Parts, QueueItem, Role};

use super::asks::Out;
use super::evidence::Evidence;
use super::live::{Heard, LiveRow, Owner, RowId};
use super::queue::Queue;
use super::thread::Thread;
use super::view::{BlockId, row_key};

/// Edits of messages that are not here yet. Beyond that the smallest id is forgotten.
const EDITS_MAX: usize = 256;

impl Thread {
    pub(super) fn on_queued(
        &mut self,
        message: MessageId,
        body: Body,
        client: Option<ClientId>,
        intent: Intent,
    ) -> Option<RowId> {
        let clients: Vec<ClientId> = client.into_iter().collect();
        let messages = vec![message.clone()];
        if self.log.user_chunk(&messages, &clients).is_some() {
            if let Some(id) = self.live.find(&messages, &clients) {
                self.name_row(id, &messages, &clients);
                self.take_over_by_ids(id);
            }
            return None;
        }
        if self.queue.is_gone(&message) {
            return None;
        }
        let own = clients.first().and_then(|client| self.live.by_client(client));
        if let (Some(own), Some(other)) = (own, self.live.by_message(&message))
            && own != other
        {
            self.absorb(own, other);
        }
        let id = match self.live.find(&messages, &clients) {
            Some(id) => {
                self.name_row(id, &messages, &clients);
                id
            }
            None => {
                let key = row_key(&clients, &messages, None, 0);
                let owner = Owner::Departed { since: u64::MAX };
                let mut row = self.new_row(key, owner, Role::User, Parts::whole(body.parts));
                row.messages.clone_from(&messages);
                row.clients.clone_from(&clients);
                row.intent = intent;
                self.live.insert(row)
            }
        };
        let row = self.live.row_mut(id)?;
        let by_answer = std::mem::replace(&mut row.heard, Heard::Event) != Heard::Event;
        let known = match &row.owner {
            // Its place was a guess of the answer's; this is the stream's.
            Owner::Queued { .. } => !by_answer,
            Owner::Turn { .. } => true,
            Owner::Sending { .. }
            | Owner::Failed { .. }
            | Owner::Starting { .. }
            | Owner::Departed { .. }
            | Owner::Note { .. } => false,
        };
        for client in &clients {
            self.sent.add(client.shared());
        }
        if known {
            return Some(id);
        }
        if let Some(row) = self.live.row_mut(id) {
            row.intent = intent;
        }
        self.enqueue(id, message.clone());
        if let Some((body, rev)) = self.edits.remove(&message) {
            self.edit(id, body, rev);
        }
        Some(id)
    }

    /// Puts a message where the stream would: steers before others, what only an answer told behind what an event told.
    pub(super) fn enqueue(&mut self, id: RowId, message: MessageId) {
        let Some(row) = self.live.row(id) else { return };
        let (intent, heard) = (row.intent, row.heard);
        self.queue.remove(&message);
        let waiting = self.queue.order().rev().map(|id| self.live.by_message(id).and_then(|id| self.live.row(id)));
        let behind = waiting.take_while(|row| row.is_some_and(|row| stands_behind(row, intent, heard))).count();
        let moved = self.queue.insert(message.clone(), behind);
        self.place_queued(id, message);
        if moved {
            self.rank_queue();
        }
    }

    /// Makes a row a queued one. Its place in the order is set already.
    fn place_queued(&mut self, id: RowId, message: MessageId) {
        let queued = Owner::Queued { message };
        if self.live.row(id).is_some_and(|row| row.owner == queued) {
            self.place_row(id);
        } else {
            self.move_row(id, queued);
        }
    }

    pub(super) fn on_cancelled(&mut self, message: &MessageId) {
        let row = self.live.by_message(message);
        self.queue.forget(message);
        self.view.touched.head = true;
        let Some(id) = row else { return };
        let waits = match self.live.row(id).map(|row| &row.owner) {
            Some(Owner::Queued { .. } | Owner::Departed { .. } | Owner::Sending { .. } | Owner::Failed { .. }) => true,
            Some(Owner::Starting { .. } | Owner::Turn { .. } | Owner::Note { .. }) | None => false,
        };
        if waits {
            self.release(id, &Evidence::Cancelled);
        }
    }

    pub(super) fn on_edited(&mut self, message: &MessageId, body: Body, rev: Option<u64>) {
        match self.live.by_message(message) {
            Some(id) => self.edit(id, body, rev),
            None => {
                if self.log.user_chunk(std::slice::from_ref(message), &[]).is_none() && !self.queue.is_gone(message) {
                    self.edits.insert(message.clone(), (body, rev));
                    if self.edits.len() > EDITS_MAX
                        && let Some(first) = self.edits.first().map(|(id, _)| id.clone())
                    {
                        self.edits.remove(&first);
                    }
                }
            }
        }
    }

    pub(super) fn edit(&mut self, id: RowId, body: Body, rev: Option<u64>) {
        let edited = self.tick();
        let Some(row) = self.live.row_mut(id) else { return };
        let older = matches!((row.rev, rev), (Some(known), Some(rev)) if rev <= known);
        if older || !matches!(row.owner, Owner::Queued { .. }) {
            return;
        }
        row.rev = rev.or(row.rev);
        row.edited = edited;
        row.parts = Parts::whole(body.parts);
        self.view.touch(BlockId::Row(id.0));
        self.view.touched.head = true;
    }

    /// The queue as the server lists it. What it does not list, and no turn has, departed.
    pub(super) fn on_queue(&mut self, items: Vec<QueueItem>, held: Option<bool>, out: &mut Out<'_>) {
        let mut listed = Queue::default();
        listed.replace(items.iter().map(|item| item.message.clone()).collect());
        for item in items {
            if self.speaks_for.is_some() {
                // Numbered, it is newer than what was heard of the message before.
                self.queue.recall(&item.message);
            }
            let QueueItem { message, body, client, intent } = item;
            let Some(id) = self.on_queued(message, body.clone(), client, intent) else { continue };
            // What was queued may be steered by now, never the other way round.
            if intent == Intent::Steer
                && let Some(row) = self.live.row_mut(id)
                && row.intent != intent
            {
                row.intent = intent;
                self.view.touch(BlockId::Row(id.0));
            }
            if self.live.row(id).is_some_and(|row| row.parts.list() != body.parts) {
                self.edit(id, body, None);
            }
        }
        let departed: Vec<RowId> = self
            .live
            .rows()
            .filter(|(_, row)| matches!(&row.owner, Owner::Queued { message } if listed.rank(message).is_none()))
            .filter(|(_, row)| !self.is_too_old_for(row))
            .map(|(id, _)| id)
            .collect();
        for id in departed {
            self.depart(id, out);
        }
        let queued = |id: &MessageId| {
            let row = self.live.by_message(id).and_then(|id| self.live.row(id));
            row.is_some_and(|row: &LiveRow| matches!(row.owner, Owner::Queued { .. }))
        };
        let newer = self.queue.order().filter(|id| listed.rank(id).is_none());
        let order = listed.order().chain(newer).filter(|id| queued(id)).cloned().collect();
        self.queue.replace(order);
        self.rank_queue();
        if let Some(held) = held {
            self.queue.held = held;
        }
        self.view.touched.head = true;
    }

    /// Nobody knows what became of it: the next page asked for from now on tells.
    pub(super) fn depart(&mut self, id: RowId, out: &mut Out<'_>) {
        let since = self.tick();
        self.move_row(id, Owner::Departed { since });
        self.want_page(out);
    }
}

/// True where a queued row stands behind a message that comes in with that intent.
fn stands_behind(row: &LiveRow, intent: Intent, heard: Heard) -> bool {
    match (intent, row.intent) {
        (Intent::Steer, Intent::Queue) => return true,
        (Intent::Queue, Intent::Steer) => return false,
        (Intent::Steer, Intent::Steer) | (Intent::Queue, Intent::Queue) => {}
    }
    match (heard, row.heard) {
        (_, Heard::Event) => false,
        (Heard::Event, Heard::Answer { .. }) => true,
        (Heard::Answer { n: mine }, Heard::Answer { n: other }) => mine.is_some() && mine < other,
    }
}
