//! How messages become part of a turn: as its initiator, or as a steer into it.

use crate::model::{Body, ClientId, Consumed, MessageId, Parts, Role, TurnId, UserMessage, joined};

use super::asks::Out;
use super::effect::Code;
use super::evidence::Evidence;
use super::live::{Heard, LiveRow, Owner, RowId, Slot, TurnPhase};
use super::thread::Thread;
use super::view::{BlockId, row_key};

/// Turns that began without a word on their message are remembered. The oldest is forgotten.
const BARE_MAX: usize = 64;

impl Thread {
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
                if let Some(turn) = &open {
                    self.place_sealed_steers(turn, messages);
                }
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
                if turn.as_ref().is_some_and(|turn| self.late.has(turn.as_str())) {
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

    /// Steers whose chunks a page brought before their events: they stand where the stream consumes them.
    fn place_sealed_steers(&mut self, turn: &TurnId, messages: &[MessageId]) {
        for message in messages {
            let Some(seq) = self.log.user_chunk(std::slice::from_ref(message), &[]) else { continue };
            let Some(record) = self.live.turns.get_mut(turn) else { continue };
            if record.phase == TurnPhase::Running && record.slots.contains(&Slot::Chunk(seq)) {
                record.slots.retain(|slot| *slot != Slot::Chunk(seq));
                record.slots.push(Slot::Chunk(seq));
                record.current.clear();
                record.line = None;
                self.view.touch(BlockId::Turn(turn.clone()));
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
            record.line = None;
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
                self.name_row(first, &gone.messages, &gone.clients);
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
            self.report(out, Code::Late, joined(&["turn ", turn.as_str(), " is over"]));
            return;
        }
        if let Some(start) = self.live.turns.get(turn).map(|record| record.start) {
            // A turn that was only heard of begins here.
            self.view.order.set_start(turn, start);
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
            self.sent.add(client.shared());
        }
        let mut rows = self.rows_named(&ids, &clients);
        if ids.is_empty() && clients.is_empty() {
            rows.extend(self.starting_for(turn));
            let free = |id: &RowId| self.live.row(*id).is_some_and(|row| row.owner.awaited() == Some(None));
            if rows.iter().any(free) && self.log.chunks_of(turn).any(|chunk| chunk.role == Role::User) {
                // The message of this turn is here: the one that waits, or another that it does not wait for.
                self.report(out, Code::Ambiguous, joined(&["a message may have begun ", turn.as_str()]));
                rows.into_iter().for_each(|id| self.depart(id, out));
                return;
            }
        }
        if self.log.user_chunk(&ids, &clients).is_some() {
            for id in rows {
                self.name_row(id, &ids, &clients);
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
    /// What the stream has told to wait stands before what an answer has told: the stream has an order.
    fn starting_for(&self, turn: &TurnId) -> Option<RowId> {
        let order = |(_, row): &(RowId, &LiveRow)| (row.heard != Heard::Event, row.stamp);
        let first = |turn| self.starting_in(turn).min_by_key(order).map(|(id, _)| id);
        first(Some(turn)).or_else(|| first(None))
    }

    /// The rows that wait for this turn to begin; `None`: for any.
    pub(super) fn starting_in<'a>(&'a self, turn: Option<&'a TurnId>) -> impl Iterator<Item = (RowId, &'a LiveRow)> {
        self.starting().filter(move |(_, row)| row.owner.awaited() == Some(turn))
    }

    pub(super) fn has_live_user(&self, turn: &TurnId) -> bool {
        self.live.rows_of(turn).any(|(_, row)| row.role == Role::User)
    }

    /// True where the turn has a user's row that may be the message with these names.
    fn may_have_user(&self, turn: &TurnId, ids: &[MessageId], clients: &[ClientId]) -> bool {
        let slots = self.live.turns.get(turn).map(|record| record.slots.as_slice()).unwrap_or_default();
        let sealed = self.log.chunks_of(turn).map(|chunk| Slot::Chunk(chunk.seq));
        slots.iter().copied().chain(sealed).filter_map(|slot| self.names_of(slot)).any(|(messages, names)| {
            let other_message = !ids.is_empty() && !messages.is_empty() && !ids.iter().any(|id| messages.contains(&id));
            let other_client =
                !clients.is_empty() && !names.is_empty() && !clients.iter().any(|id| names.contains(&id));
            !other_message && !other_client
        })
    }

    /// The names of a user's row in a turn. `None`: it is no user's, or its chunk is behind the window.
    pub(super) fn names_of(&self, slot: Slot) -> Option<(Vec<&MessageId>, Vec<&ClientId>)> {
        match slot {
            Slot::Row(id) => {
                let row = self.live.row(id).filter(|row| row.role == Role::User)?;
                Some((row.messages.iter().collect(), row.clients.iter().collect()))
            }
            Slot::Chunk(seq) => {
                let chunk = self.log.get(seq).filter(|chunk| chunk.role == Role::User)?;
                Some((chunk.message_ids().collect(), chunk.clients.iter().collect()))
            }
        }
    }

    /// Nothing is known of what this turn answers; an answer to a send may tell.
    fn note_bare(&mut self, turn: &TurnId) {
        let start = self.live.turns.get(turn).map_or(0, |record| record.start);
        self.bare.push_back((start, turn.clone()));
        if self.bare.len() > BARE_MAX {
            self.bare.pop_front();
        }
    }

    fn new_initiator(&mut self, turn: &TurnId, ids: Vec<MessageId>, clients: Vec<ClientId>, body: Option<Body>) {
        let Some(body) = body else {
            if ids.is_empty() && clients.is_empty() && !self.has_live_user(turn) {
                self.note_bare(turn);
            }
            return;
        };
        if !self.may_have_user(turn, &ids, &clients) {
            self.insert_initiator(turn, ids, clients, body);
        }
    }

    /// A message that no row is of begins the turn.
    pub(super) fn insert_initiator(
        &mut self,
        turn: &TurnId,
        ids: Vec<MessageId>,
        clients: Vec<ClientId>,
        body: Body,
    ) -> RowId {
        let key = row_key(&clients, &ids, Some(turn), 0);
        let mut row = self.new_row(key, Owner::Turn { turn: turn.clone() }, Role::User, Parts::whole(body.parts));
        row.messages = ids;
        row.clients = clients;
        let id = self.live.insert(row);
        if let Some(record) = self.live.turns.get_mut(turn) {
            record.slots.insert(0, Slot::Row(id));
        }
        self.view.touch(BlockId::Turn(turn.clone()));
        id
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
        self.name_row(first, &ids, &clients);
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
        let first = row.owner.turn().map(|turn| self.live.turns.get(turn).and_then(|turn| turn.slots.first()));
        let is_first =
            first.is_none_or(|slot| slot.is_some_and(|slot| *slot == Slot::Row(id) || matches!(slot, Slot::Chunk(_))));
        let chunk = self.log.chunks_of(turn).find(|chunk| chunk.role == Role::User);
        let Some(chunk) = chunk.filter(|_| is_first) else { return false };
        let taken = self.view.user_key(chunk.seq).is_some();
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
}
