//! Blocks put aside as they are, to be drawn later or never.

use std::sync::Arc;

use crate::model::{Chunk, Role, Seq, TurnId};
use crate::store::live::Live;
use crate::store::log::Log;

use super::keys::user_chunk;
use super::runs::{is_drawn, runs};
use super::{BlockId, Drawn, Group, Numbers, View, draw_block};

/// A turn that is drawn from its chunks alone, as it is now: whatever changes later, it stays so.
#[derive(Clone, Debug)]
pub struct Frozen {
    turn: TurnId,
    chunks: Vec<Arc<Chunk>>,
    /// The keys of its user rows.
    keys: Vec<(Seq, String)>,
    numbers: Numbers,
    count: usize,
}

impl Frozen {
    /// `None` where more than its own chunks tell how the block looks.
    pub(in crate::store) fn of(log: &Log, live: &Live, view: &View, block: &BlockId) -> Option<Self> {
        let BlockId::Turn(turn) = block else { return None };
        if live.turns.contains_key(turn) {
            return None;
        }
        let mut keys = Vec::new();
        let mut chunks = Vec::new();
        for seq in log.of_turn(turn) {
            let chunk = log.share(*seq)?;
            // A result may stand with a call of another turn.
            if log.turns_of_call(*seq).any(|other| other != turn) {
                return None;
            }
            if chunk.role == Role::User && is_drawn(chunk) {
                keys.push((*seq, user_chunk(chunk, log, view)));
            }
            chunks.push(Arc::clone(chunk));
        }
        // How several rows of a user group is told by drawing them.
        if keys.len() > 1 {
            return None;
        }
        let count = keys.len() + runs(log, turn).len();
        let numbers = view.numbers(turn).cloned().unwrap_or_default();
        Some(Self { turn: turn.clone(), chunks, keys, numbers, count })
    }

    /// How many groups it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// True where it looks like what is drawn.
    pub(in crate::store) fn is(&self, drawn: &[Drawn<'_>]) -> bool {
        let mut same = self.count == drawn.len();
        let mut drawn = drawn.iter();
        self.draw(&mut |group| same = same && drawn.next().is_some_and(|drawn| drawn.group == *group));
        same
    }

    /// Draws it: `show` gets each group, from top to bottom.
    pub fn draw(&self, show: &mut dyn FnMut(&Group<'_>)) {
        let mut log = Log::default();
        for chunk in &self.chunks {
            log.insert(Arc::clone(chunk));
        }
        let mut view = View::default();
        for (seq, key) in &self.keys {
            view.keep_key(*seq, key.clone());
        }
        view.set_numbers(&self.turn, self.numbers.clone());
        for drawn in draw_block(&log, &Live::default(), &view, &BlockId::Turn(self.turn.clone())) {
            show(&drawn.group);
        }
    }
}
