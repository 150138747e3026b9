//! What users said: sent, queued, steered, consumed, cancelled, edited; and how it becomes the initiator of a turn.

use crate::model::{Body, ClientId, Consumed, Intent, MessageId, Parts, QueueItem, Role, TurnId, UserMessage};

use super::asks::{Asked, Out, Question};
use super::evidence::Evidence;
use super::input::{Action, Code, Failure, PendingSend, Receipt, ReceiptStatus};
use super::live::{LiveRow, Owner, RowId, Slot};
use super::thread::Thread;
use super::view::{BlockId, row_key};

/// Edits of messages that are not here yet. Beyond that the smallest id is forgotten.
const EDITS_MAX: usize = 256;

impl Thread {
    pub(super) fn on_send(&mut self, send: PendingSend, out: &mut Out<'_>) {
        let PendingSend { client, body, intent } = send;
        if let Some(id) = self.live.by_client(&client) {
            self.resend(id, &client, out);
            return;
        }
        if self.sent.has(&client) || self.log.user_chunk(&[], std::slice::from_ref(&client)).is_some() {
            return;
        }
        let key = row_key(std::slice::from_ref(&client), &[], None, 0);
        let owner = Owner::Sending { client: client.clone() };
        let mut row = self.new_row(key, owner, Role::User, Parts::whole(body.parts.clone()));
        row.clients.push(client.clone());
        row.intent = intent;
        let id = self.live.insert(row);
        self.place_row(id);
        self.ask_send(PendingSend { client, body, intent }, out);
    }

    fn ask_send(&mut self, send: PendingSend, out: &mut Out<'_>) {
        let at = self.tick();
        out.ask(&self.id, at, Question::Send { client: send.client.clone() }, Action::Send(send));
    }

    /// A failed message goes out again under its old name; any other state of it needs nothing.
    fn resend(&mut self, id: RowId, client: &ClientId, out: &mut Out<'_>) {
        let Some(row) = self.live.row(id) else { return };
        if let Owner::Failed { .. } = row.owner {
            let body = Body { parts: row.parts.list().to_vec() };
            let intent = row.intent;
            self.move_row(id, Owner::Sending { client: client.clone() });
            self.ask_send(PendingSend { client: client.clone(), body, intent }, out);
        }
    }

    pub(super) fn on_retry(&mut self, client: &ClientId, out: &mut Out<'_>) {
        match self.live.by_client(client) {
            Some(id) => self.resend(id, client, out),
            None => self.report(out, Code::UnknownTarget, format!("retry: no message {client}")),
        }
    }

    pub(super) fn on_restore(&mut self, sends: Vec<PendingSend>) {
        for PendingSend { client, body, intent } in sends {
            let known = self.live.by_client(&client).is_some()
                || self.sent.has(&client)
                || self.log.user_chunk(&[], std::slice::from_ref(&client)).is_some();
            if known {
                continue;
            }
            let key = row_key(std::slice::from_ref(&client), &[], None, 0);
            let owner = Owner::Failed { client: client.clone(), error: "not known to have arrived".to_owned() };
            let mut row = self.new_row(key, owner, Role::User, Parts::whole(body.parts));
            row.clients.push(client);
            row.intent = intent;
            let id = self.live.insert(row);
            self.place_row(id);
        }
    }

    pub(super) fn on_dismiss(&mut self, key: &str, out: &mut Out<'_>) {
        let row = self.live.rows().find(|(_, row)| {
            row.key == key
                && match row.owner {
                    Owner::Failed { .. } | Owner::Note { .. } | Owner::Departed { .. } => true,
                    Owner::Sending { .. } | Owner::Queued { .. } | Owner::Starting { .. } | Owner::Turn { .. } => false,
                }
        });
        match row.map(|(id, _)| id) {
            Some(id) => {
                self.release(id, &Evidence::Dismissed);
            }
            None => self.report(out, Code::UnknownTarget, format!("dismiss: {key} is no failed message and no note")),
        }
    }

    /// The server's word on a message of this client.
    pub(super) fn on_receipt(&mut self, client: &ClientId, receipt: Receipt, asked: &Asked, out: &mut Out<'_>) {
        let Some(id) = self.live.by_client(client) else { return };
        if let Some(message) = &receipt.message {
            self.bind(id, message);
        }
        if self.take_over_by_ids(id) {
            return;
        }
        let Some(row) = self.live.row(id) else { return };
        let waits = super::live::Live::is_pending(&row.owner);
        match receipt.status {
            ReceiptStatus::Returned | ReceiptStatus::Refused => {
                if waits {
                    let word = if receipt.status == ReceiptStatus::Returned { "returned" } else { "refused" };
                    self.fail(id, client, word.to_owned(), out);
                }
            }
            ReceiptStatus::Ok | ReceiptStatus::Queued => {
                self.sent.add(client.clone());
                if waits {
                    self.accept(id, client, &receipt, asked, out);
                }
            }
        }
    }

    /// Places an accepted message that no event has placed.
    fn accept(&mut self, id: RowId, client: &ClientId, receipt: &Receipt, asked: &Asked, out: &mut Out<'_>) {
        // An answer at or below the last applied event says nothing new: the events would have placed the row.
        let old_news = match receipt.n {
            Some(n) => self.cursor.applied.is_some_and(|applied| n <= applied),
            None => self.snapshot_at > asked.at,
        };
        let gone = receipt.message.as_ref().is_some_and(|message| self.queue.is_gone(message));
        let turn_over = receipt.turn.as_ref().is_some_and(|turn| self.late.has(turn));
        if let Some(row) = self.live.row_mut(id) {
            row.accepted = receipt.n;
        }
        let turn_here = receipt.turn.clone().filter(|turn| self.live.turns.contains_key(turn));
        if let Some(turn) = turn_here {
            self.initiate(&turn, vec![id], None);
            return;
        }
        if old_news || gone || turn_over {
            self.depart(id, out);
            return;
        }
        match receipt.status {
            ReceiptStatus::Queued => {
                let message = receipt.message.clone().unwrap_or_else(|| MessageId::new(client.as_str()));
                self.live.name(id, std::slice::from_ref(&message), &[]);
                self.enqueue(id, message);
            }
            ReceiptStatus::Ok | ReceiptStatus::Returned | ReceiptStatus::Refused => {
                let begun = receipt.turn.is_none().then(|| self.turn_without_initiator(asked.at)).flatten();
                match begun {
                    Some(turn) => self.initiate(&turn, vec![id], None),
                    None => {
                        self.move_row(id, Owner::Starting { turn: receipt.turn.clone() });
                        self.take_over_by_turn(id);
                    }
                }
            }
        }
    }

    /// The first turn that began after `since` and has no user row: an answer without ids can mean no other.
    fn turn_without_initiator(&self, since: u64) -> Option<TurnId> {
        let begun = self.live.turns.iter().filter(|(_, turn)| turn.start > since);
        let bare = begun.filter(|(id, turn)| {
            let chunk = turn.slots.iter().any(|slot| matches!(slot, Slot::Chunk(_)));
            !chunk && !self.live.rows_of(id).any(|(_, row)| row.role == Role::User)
        });
        bare.min_by_key(|(_, turn)| turn.start).map(|(id, _)| id.clone())
    }

    pub(super) fn on_send_failed(&mut self, client: &ClientId, failure: &Failure, out: &mut Out<'_>) {
        let Some(id) = self.live.by_client(client) else { return };
        if self.live.row(id).is_some_and(|row| matches!(row.owner, Owner::Sending { .. })) {
            self.report(out, Code::SendFailed, failure.error.clone());
            self.fail(id, client, failure.error.clone(), out);
        }
    }

    fn fail(&mut self, id: RowId, client: &ClientId, error: String, out: &mut Out<'_>) {
        self.move_row(id, Owner::Failed { client: client.clone(), error });
        out.flush(&self.id);
    }

    /// Nobody knows what became of it: the next page asked for from now on tells.
    pub(super) fn depart(&mut self, id: RowId, out: &mut Out<'_>) {
        let since = self.tick();
        self.move_row(id, Owner::Departed { since });
        self.want_page(out);
    }

    /// Two names turn out to be one message: one row is left, under the key that was drawn first.
    fn bind(&mut self, id: RowId, message: &MessageId) {
        if let Some(other) = self.live.by_message(message).filter(|other| *other != id) {
            self.absorb(id, other);
        }
        self.live.name(id, std::slice::from_ref(message), &[]);
    }

    /// Joins `other` into `id`. The place of the one that the server has spoken of counts.
    fn absorb(&mut self, id: RowId, other: RowId) {
        let Some(row) = self.live.row(other) else { return };
        let owner = row.owner.clone();
        let rank = self.ranks.get(&other).copied();
        let slot = match &owner {
            Owner::Turn { turn } => {
                self.live.turns.get(turn).and_then(|turn| turn.slots.iter().position(|slot| *slot == Slot::Row(other)))
            }
            _ => None,
        };
        let order: Vec<MessageId> = self.queue.order().cloned().collect();
        let Some(gone) = self.release(other, &Evidence::Joined) else { return };
        self.live.name(id, &gone.messages, &gone.clients);
        if self.live.row(id).is_some_and(|row| super::live::Live::is_pending(&row.owner)) {
            if let Owner::Queued { .. } = owner {
                self.queue.replace(order);
                if let Some(rank) = rank {
                    self.ranks.insert(id, rank);
                }
            }
            if let (Owner::Turn { turn }, Some(slot)) = (&owner, slot)
                && let Some(record) = self.live.turns.get_mut(turn)
            {
                record.slots.insert(slot.min(record.slots.len()), Slot::Row(id));
            }
            self.set_owner(id, owner);
        }
    }

    /// Changes the owner where the slot is in place already.
    fn set_owner(&mut self, id: RowId, owner: Owner) {
        if let Owner::Turn { turn } = &owner {
            self.view.touch(BlockId::Turn(turn.clone()));
        }
        if let Some(row) = self.live.row_mut(id) {
            row.owner = owner;
        }
        self.place_row(id);
    }

    /// Evidence beats every owner: where the row's chunk is in the window, the row goes.
    pub(super) fn take_over_by_ids(&mut self, id: RowId) -> bool {
        let Some(row) = self.live.row(id) else { return true };
        let Some(seq) = self.log.user_chunk(&row.messages, &row.clients) else { return false };
        self.take_over(id, seq);
        true
    }

    /// The turn's first user chunk takes over the row that is to begin it, or has, unless their ids deny that.
    pub(super) fn take_over_by_turn(&mut self, id: RowId) -> bool {
        let Some(row) = self.live.row(id) else { return false };
        let turn = match &row.owner {
            Owner::Turn { turn } | Owner::Starting { turn: Some(turn) } => turn,
            Owner::Starting { turn: None }
            | Owner::Sending { .. }
            | Owner::Failed { .. }
            | Owner::Queued { .. }
            | Owner::Departed { .. }
            | Owner::Note { .. } => return false,
        };
        let is_first = match &row.owner {
            Owner::Turn { turn } => self
                .live
                .turns
                .get(turn)
                .and_then(|turn| turn.slots.first())
                .is_some_and(|slot| *slot == Slot::Row(id) || matches!(slot, Slot::Chunk(_))),
            _ => true,
        };
        let chunk = self.log.chunks_of(turn).find(|chunk| chunk.role == Role::User);
        let Some(chunk) = chunk.filter(|_| is_first) else { return false };
        let taken = self.view.user_keys.contains_key(&chunk.seq);
        let denied = |ours: bool, theirs: bool| ours && theirs;
        let by_message = denied(!row.messages.is_empty(), chunk.message_ids().next().is_some());
        let by_client = denied(!row.clients.is_empty(), !chunk.clients.is_empty());
        if taken || by_message || by_client {
            return false;
        }
        let seq = chunk.seq;
        self.take_over(id, seq);
        true
    }

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

    fn enqueue(&mut self, id: RowId, message: MessageId) {
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

    pub(super) fn on_consumed(
        &mut self,
        messages: &[MessageId],
        reason: Consumed,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let rows: Vec<RowId> = messages.iter().filter_map(|id| self.live.by_message(id)).collect();
        for message in messages {
            self.queue.forget(message);
        }
        self.view.touched.head = true;
        let rows: Vec<RowId> = rows.into_iter().filter(|id| !self.take_over_by_ids(*id)).collect();
        match reason {
            Consumed::Interrupt => {
                let turn = turn.or_else(|| self.live.running().cloned());
                let open = turn.filter(|turn| self.open_turn(turn));
                for id in rows {
                    match &open {
                        Some(turn) => self.interrupt(turn, id),
                        None => self.depart(id, out),
                    }
                }
            }
            Consumed::Continuation => {
                let Some((first, rest)) = rows.split_first() else { return };
                let here = turn.clone().filter(|turn| self.live.turns.contains_key(turn));
                if turn.as_ref().is_some_and(|turn| self.late.has(turn)) {
                    for id in rows {
                        self.depart(id, out);
                    }
                } else if let Some(turn) = here {
                    self.initiate(&turn, rows, None);
                } else if !matches!(self.live.row(*first).map(|row| &row.owner), Some(Owner::Turn { .. })) {
                    self.collapse(*first, rest, None);
                    self.move_row(*first, Owner::Starting { turn });
                    self.take_over_by_turn(*first);
                }
            }
        }
    }

    /// A steer reached the running turn: it stands behind what was said so far, and what comes next opens a new row.
    fn interrupt(&mut self, turn: &TurnId, id: RowId) {
        let owner = Owner::Turn { turn: turn.clone() };
        if self.live.row(id).is_none_or(|row| row.owner == owner) {
            return;
        }
        self.move_row(id, owner);
        if let Some(record) = self.live.turns.get_mut(turn) {
            record.slots.push(Slot::Row(id));
            record.current.clear();
        }
    }

    /// Several rows become one: the first keeps its key, the texts are joined by a blank line.
    fn collapse(&mut self, first: RowId, rest: &[RowId], body: Option<&Body>) {
        let mut bodies: Vec<Body> = Vec::new();
        if let Some(row) = self.live.row(first) {
            bodies.push(Body { parts: row.parts.list().to_vec() });
        }
        for id in rest.iter().filter(|id| **id != first) {
            if let Some(gone) = self.release(*id, &Evidence::Joined) {
                self.live.name(first, &gone.messages, &gone.clients);
                bodies.push(Body { parts: gone.parts.into_list() });
            }
        }
        if let Some(row) = self.live.row_mut(first) {
            if let Some(body) = body {
                row.parts = Parts::whole(body.parts.clone());
            } else if bodies.len() > 1 {
                row.parts = Parts::whole(Body::joined(&bodies).parts);
            }
        }
    }

    pub(super) fn on_turn_start(
        &mut self,
        turn: &TurnId,
        user: Option<UserMessage>,
        messages: &[MessageId],
        out: &mut Out<'_>,
    ) {
        if !self.open_turn(turn) {
            self.report(out, Code::Late, format!("turn {turn} is over"));
            return;
        }
        let mut ids: Vec<MessageId> = messages.to_vec();
        let (clients, body) = match user {
            Some(user) => {
                if let Some(id) = user.message
                    && !ids.contains(&id)
                {
                    ids.push(id);
                }
                (user.clients, Some(user.body))
            }
            None => (Vec::new(), None),
        };
        for id in &ids {
            self.queue.forget(id);
        }
        for client in &clients {
            self.sent.add(client.clone());
        }
        let mut rows: Vec<RowId> = Vec::new();
        let by_message = ids.iter().filter_map(|id| self.live.by_message(id));
        for id in by_message.chain(clients.iter().filter_map(|id| self.live.by_client(id))) {
            if !rows.contains(&id) {
                rows.push(id);
            }
        }
        if ids.is_empty() && clients.is_empty() {
            rows.extend(self.starting_for(turn));
        }
        if self.log.user_chunk(&ids, &clients).is_some() {
            for id in rows {
                self.live.name(id, &ids, &clients);
                self.take_over_by_ids(id);
            }
            return;
        }
        if rows.is_empty() {
            self.new_initiator(turn, ids, clients, body);
        } else {
            self.initiate(turn, rows, Some((ids, clients, body)));
        }
    }

    /// The row that a `turn-start` without ids takes: the one that waits for this turn, else the first that waits for any.
    fn starting_for(&self, turn: &TurnId) -> Option<RowId> {
        let waits = |named: bool| {
            let fits = self.live.rows().filter(move |(_, row)| match &row.owner {
                Owner::Starting { turn: expected } => {
                    if named {
                        expected.as_ref() == Some(turn)
                    } else {
                        expected.is_none()
                    }
                }
                _ => false,
            });
            fits.min_by_key(|(_, row)| row.stamp).map(|(id, _)| id)
        };
        waits(true).or_else(|| waits(false))
    }

    fn has_user(&self, turn: &TurnId) -> bool {
        let chunk = self.log.chunks_of(turn).any(|chunk| chunk.role == Role::User);
        chunk || self.live.rows_of(turn).any(|(_, row)| row.role == Role::User)
    }

    fn new_initiator(&mut self, turn: &TurnId, ids: Vec<MessageId>, clients: Vec<ClientId>, body: Option<Body>) {
        let Some(body) = body else { return };
        if self.has_user(turn) {
            return;
        }
        let key = row_key(&clients, &ids, Some(turn), 0);
        let mut row = self.new_row(key, Owner::Turn { turn: turn.clone() }, Role::User, Parts::whole(body.parts));
        row.messages = ids;
        row.clients = clients;
        let id = self.live.insert(row);
        if let Some(record) = self.live.turns.get_mut(turn) {
            record.slots.insert(0, Slot::Row(id));
        }
        self.view.touch(BlockId::Turn(turn.clone()));
    }

    /// Rows become the initiator of a turn: one row, all names, at the top of the turn.
    pub(super) fn initiate(
        &mut self,
        turn: &TurnId,
        rows: Vec<RowId>,
        told: Option<(Vec<MessageId>, Vec<ClientId>, Option<Body>)>,
    ) {
        // A row that stands in the turn already was drawn there first: it keeps its key.
        let here = rows.iter().copied().find(|id| {
            self.live.row(*id).is_some_and(|row| matches!(&row.owner, Owner::Turn { turn: at } if at == turn))
        });
        let free: Vec<RowId> = rows
            .into_iter()
            .filter(|id| self.live.row(*id).is_some_and(|row| !matches!(row.owner, Owner::Turn { .. })))
            .collect();
        let Some(first) = here.or(free.first().copied()) else { return };
        let (ids, clients, body) = told.unwrap_or_default();
        if here.is_none() || !free.is_empty() {
            self.collapse(first, &free, if here.is_none() { body.as_ref() } else { None });
        }
        self.live.name(first, &ids, &clients);
        if here.is_none() {
            self.move_row(first, Owner::Turn { turn: turn.clone() });
            if let Some(record) = self.live.turns.get_mut(turn) {
                record.slots.insert(0, Slot::Row(first));
            }
        }
        self.view.touch(BlockId::Turn(turn.clone()));
        if !self.take_over_by_ids(first) {
            self.take_over_by_turn(first);
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
            self.queue.recall(&item.message);
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
}
