//! Messages that wait in the server's queue: how they come, change and go.

use crate::model::{Body, ClientId, Intent, MessageId, Parts, QueueItem, Role};

use super::asks::Out;
use super::evidence::Evidence;
use super::live::{LiveRow, Owner, RowId};
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
                self.live.name(id, &messages, &clients);
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
                self.live.name(id, &messages, &clients);
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
        let known = match &self.live.row(id)?.owner {
            Owner::Queued { .. } | Owner::Turn { .. } => true,
            Owner::Sending { .. }
            | Owner::Failed { .. }
            | Owner::Starting { .. }
            | Owner::Departed { .. }
            | Owner::Note { .. } => false,
        };
        for client in &clients {
            self.sent.add(client.clone());
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

    pub(super) fn enqueue(&mut self, id: RowId, message: MessageId) {
        let intent = self.live.row(id).map_or(Intent::Queue, |row| row.intent);
        let steers = if intent == Intent::Steer { self.queued_steers() } else { 0 };
        self.queue.push(message.clone(), intent, steers);
        let rank = self.ranks.values().max().map_or(0, |rank| rank + 1);
        self.ranks.insert(id, rank);
        self.move_row(id, Owner::Queued { message });
        if intent == Intent::Steer {
            self.rank_queue();
        }
    }

    fn queued_steers(&self) -> usize {
        let steers = self.queue.order().take_while(|id| {
            self.live.by_message(id).and_then(|id| self.live.row(id)).is_some_and(|row| row.intent == Intent::Steer)
        });
        steers.count()
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

    fn edit(&mut self, id: RowId, body: Body, rev: Option<u64>) {
        let Some(row) = self.live.row_mut(id) else { return };
        let older = matches!((row.rev, rev), (Some(known), Some(rev)) if rev <= known);
        if older || !matches!(row.owner, Owner::Queued { .. }) {
            return;
        }
        row.rev = rev.or(row.rev);
        row.parts = Parts::whole(body.parts);
        self.view.touch(BlockId::Row(id.0));
        self.view.touched.head = true;
    }

    /// The queue as the server lists it. What it does not list, and no turn has, departed.
    pub(super) fn on_queue(&mut self, items: Vec<QueueItem>, held: Option<bool>, out: &mut Out<'_>) {
        let listed: Vec<MessageId> = items.iter().map(|item| item.message.clone()).collect();
        for item in items {
            if self.speaks_for.is_some() {
                // Numbered, it is newer than what was heard of the message before.
                self.queue.recall(&item.message);
            }
            let QueueItem { message, body, client, intent } = item;
            if let Some(id) = self.on_queued(message, body.clone(), client, intent)
                && self.live.row(id).is_some_and(|row| row.parts.list() != body.parts)
            {
                self.edit(id, body, None);
            }
        }
        let departed: Vec<RowId> = self
            .live
            .rows()
            .filter(|(_, row)| matches!(&row.owner, Owner::Queued { message } if !listed.contains(message)))
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
        let mut order: Vec<MessageId> = listed.into_iter().filter(queued).collect();
        let newer = self.queue.order().filter(|id| !order.contains(id) && queued(id));
        let newer: Vec<MessageId> = newer.cloned().collect();
        order.extend(newer);
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
