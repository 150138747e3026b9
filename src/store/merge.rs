//! Two threads that turn out to be one.

use super::asks::Out;
use super::evidence::Evidence;
use super::live::{Owner, RowId};
use super::thread::Thread;

impl Thread {
    /// A thread of the same conversation under a temporary name is joined in: its rows move along.
    pub(super) fn merge_from(&mut self, other: &Self, out: &mut Out<'_>) {
        let saved = other.save();
        for turn in saved.turns {
            // What waits here and is in a turn there has been consumed.
            let waiting: Vec<RowId> =
                turn.rows.iter().filter_map(|row| self.live.find(&row.messages, &row.clients)).collect();
            for id in waiting {
                if self.live.row(id).is_some_and(|row| row.owner.turn().is_none()) {
                    self.release(id, &Evidence::Joined);
                }
            }
            self.take_saved_turn(turn, out);
        }
        for row in saved.rows {
            if self.live.find(&row.messages, &row.clients).is_none() {
                let sending = matches!(row.owner, Owner::Sending { .. });
                let owner = row.owner.clone();
                let id = self.insert_saved(row);
                if sending {
                    self.set_row_owner(id, owner);
                }
                self.place_row(id);
                self.take_over_by_ids(id);
            }
        }
        for message in saved.queue {
            self.queue.insert(message, 0);
        }
        self.rank_queue();
    }

    fn set_row_owner(&mut self, id: RowId, owner: Owner) {
        if let Some(row) = self.live.row_mut(id) {
            row.owner = owner;
        }
    }
}
