//! The laws that one state alone can break, checked over a whole store.

use crate::model::{MessageId, Role};

use super::Store;
use super::flat::Set;
use super::live::{Owner, Slot};
use super::thread::Thread;
use super::view::{BlockId, Frozen, Zone};

impl Store {
    /// Checks the laws that a state can break by itself. For tests: it reads everything.
    ///
    /// # Errors
    /// The first law that does not hold, in words.
    pub fn laws(&self) -> Result<(), String> {
        self.threads.values().try_for_each(|thread| thread.laws().and_then(|()| thread.queue_stands()))
    }
}

impl Thread {
    fn laws(&self) -> Result<(), String> {
        let mut keys = Set::default();
        for block in self.view.order.iter() {
            let drawn = self.draw(block);
            let frozen = Frozen::of(&self.log, &self.live, &self.view, block);
            if frozen.is_some_and(|frozen| !frozen.is(&drawn)) {
                return Err(format!("L6: {block:?} looks otherwise when it is drawn later"));
            }
            for drawn in drawn {
                if !keys.insert(drawn.group.key.clone()) {
                    return Err(format!("L6: two groups have the key {}", drawn.group.key));
                }
            }
        }
        for (id, row) in self.live().rows() {
            if row.role == Role::User && self.log.user_chunk(&row.messages, &row.clients).is_some() {
                return Err(format!("L2: {} is drawn live although its chunk is in the window", row.key));
            }
            match &row.owner {
                Owner::Turn { turn } => {
                    let slots = self
                        .live()
                        .turns
                        .get(turn)
                        .map_or(0, |record| record.slots.iter().filter(|slot| **slot == Slot::Row(id)).count());
                    if slots != 1 {
                        return Err(format!("L5: a row of {turn} stands {slots} times in it"));
                    }
                }
                Owner::Note { .. } => {}
                Owner::Sending { .. }
                | Owner::Failed { .. }
                | Owner::Queued { .. }
                | Owner::Starting { .. }
                | Owner::Departed { .. } => {
                    let shown = self.view.order.place(&BlockId::Row(id.0)).is_some();
                    if !shown && !self.hidden.contains(&id) {
                        return Err(format!("L1: {} has an owner and no place", row.key));
                    }
                }
            }
        }
        Ok(())
    }

    fn queue_stands(&self) -> Result<(), String> {
        let drawn = self.view.order.rows_in(Zone::Queued);
        let hidden = |id: &&MessageId| self.live.by_message(id).is_some_and(|id| self.hidden.contains(&id));
        let queue: Vec<_> = self.queue.order().filter(|id| !hidden(id)).map(|id| self.live.by_message(id)).collect();
        if !drawn.map(Some).eq(queue) {
            return Err("L7: queued rows do not stand as the queue does".to_owned());
        }
        Ok(())
    }
}
