//! What this client sends, and the server's word on it.

use crate::model::{Body, ClientId, MessageId, Parts, Role, TurnId, joined};

use super::asks::{Asked, Out, Question};
use super::effect::{Action, Code};
use super::evidence::Evidence;
use super::input::{Failure, PendingSend, Receipt, ReceiptStatus};
use super::live::{Heard, Owner, RowId, Slot};
use super::thread::Thread;
use super::view::{BlockId, row_key};

impl Thread {
    pub(super) fn on_send(&mut self, send: PendingSend, out: &mut Out<'_>) {
        let PendingSend { client, body, intent } = send;
        if let Some(id) = self.live.by_client(&client) {
            self.resend(id, &client, out);
            return;
        }
        if self.sent.has(client.as_str()) || self.log.user_chunk(&[], std::slice::from_ref(&client)).is_some() {
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
            None => self.report(out, Code::UnknownTarget, joined(&["retry: no message ", client.as_str()])),
        }
    }

    pub(super) fn on_restore(&mut self, sends: Vec<PendingSend>) {
        for PendingSend { client, body, intent } in sends {
            let known = self.live.by_client(&client).is_some()
                || self.sent.has(client.as_str())
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
            None => {
                self.report(out, Code::UnknownTarget, joined(&["dismiss: ", key, " is no failed message and no note"]))
            }
        }
    }

    /// The server's word on a message of this client.
    pub(super) fn on_receipt(&mut self, client: &ClientId, receipt: Receipt, asked: &Asked, out: &mut Out<'_>) {
        let Some(id) = self.live.by_client(client) else { return };
        let id = receipt.message.as_ref().map_or(id, |message| self.bind(id, message));
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
                self.sent.add(client.shared());
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
        let turn_over = receipt.turn.as_ref().is_some_and(|turn| self.late.has(turn.as_str()));
        if let Some(row) = self.live.row_mut(id) {
            row.heard = Heard::Answer { n: receipt.n };
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
                self.name_row(id, std::slice::from_ref(&message), &[]);
                self.enqueue(id, message);
            }
            ReceiptStatus::Ok | ReceiptStatus::Returned | ReceiptStatus::Refused => {
                let begun = if receipt.turn.is_none() { self.bare_since(asked.at) } else { Vec::new() };
                let drawn = |turn: &TurnId| self.log.chunks_of(turn).any(|chunk| chunk.role == Role::User);
                match begun.as_slice() {
                    [turn] if drawn(turn) => {
                        // The message of that turn is here: this one, or another that the answer is not about.
                        self.report(
                            out,
                            Code::Ambiguous,
                            joined(&[client.as_str(), " may have begun ", turn.as_str()]),
                        );
                        self.depart(id, out);
                    }
                    [turn] => {
                        self.bare.retain(|(_, known)| known != turn);
                        self.join_turn(id, turn, out);
                    }
                    [_, _, ..] => {
                        // Two readings: the log tells which of them.
                        self.report(out, Code::Ambiguous, joined(&[client.as_str(), " began one of several turns"]));
                        self.depart(id, out);
                    }
                    [] => {
                        self.move_row(id, Owner::Starting { turn: receipt.turn.clone() });
                        if let Some(turn) = receipt.turn.as_ref().filter(|turn| !self.log.of_turn(turn).is_empty())
                            && !self.take_over_by_turn(id)
                        {
                            self.begin_waiting(turn);
                        }
                    }
                }
            }
        }
    }

    /// The turns after `since` that began without a word on their message: an answer without ids means one of them.
    fn bare_since(&self, since: u64) -> Vec<TurnId> {
        self.bare.iter().filter(|(start, _)| *start > since).map(|(_, turn)| turn.clone()).collect()
    }

    /// Gives an accepted message its turn, which may be folded by now.
    fn join_turn(&mut self, id: RowId, turn: &TurnId, out: &mut Out<'_>) {
        if self.live.turns.contains_key(turn) && !self.has_live_user(turn) {
            self.initiate(turn, vec![id], None);
            return;
        }
        self.depart(id, out);
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

    /// Joins `other` into `id`. The place of the one that the server has spoken of counts, and its words. Gives the
    /// row that is left.
    pub(super) fn absorb(&mut self, id: RowId, other: RowId) -> RowId {
        let Some(row) = self.live.row(other) else { return id };
        // It became part of a row that other messages of this client are in too: that row was drawn first.
        if !row.clients.is_empty() {
            if let Some(gone) = self.release(id, &Evidence::Joined) {
                self.name_row(other, &gone.messages, &gone.clients);
            }
            return other;
        }
        let owner = row.owner.clone();
        let queued = if let Owner::Queued { message } = &owner { Some(message.clone()) } else { None };
        let place = queued.and_then(|message| Some((self.queue.rank(&message)?, message)));
        let record = owner.turn().and_then(|turn| self.live.turns.get(turn));
        let slot = record.and_then(|turn| turn.slots.iter().position(|slot| *slot == Slot::Row(other)));
        let Some(gone) = self.release(other, &Evidence::Joined) else { return id };
        self.name_row(id, &gone.messages, &gone.clients);
        if let Some(row) = self.live.row_mut(id) {
            row.parts = gone.parts;
        }
        self.touch_row(id);
        if self.live.row(id).is_some_and(|row| super::live::Live::is_pending(&row.owner)) {
            if let Some((rank, message)) = place {
                self.queue.put_at(&message, rank);
            }
            if let (Owner::Turn { turn }, Some(slot)) = (&owner, slot)
                && let Some(record) = self.live.turns.get_mut(turn)
            {
                record.slots.insert(slot.min(record.slots.len()), Slot::Row(id));
            }
            self.set_owner(id, owner);
        }
        id
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
}
