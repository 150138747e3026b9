//! What a model is told: every row that was handed over, in that order, written or not.

use std::collections::BTreeMap;

use crate::engine::OpenTurn;
use crate::model::{Chunk, Seq, TurnId};

/// The rows of a thread.
#[derive(Debug, Default)]
pub(super) struct Context {
    rows: Vec<Chunk>,
    /// How many rows of a turn that is not sealed are among them.
    counts: BTreeMap<TurnId, usize>,
}

impl Context {
    /// The rows of the log; of the turns in `open` more may come.
    pub(super) fn new(mut rows: Vec<Chunk>, open: &[OpenTurn]) -> Self {
        rows.sort_by_key(|row| row.seq);
        let count = |turn: &TurnId| rows.iter().filter(|row| row.turn == *turn).count();
        let counts = open.iter().map(|open| (open.turn.clone(), count(&open.turn))).collect();
        let mut context = Self { rows: Vec::new(), counts };
        rows.into_iter().for_each(|row| context.push(row));
        context
    }

    /// Rows of a turn from its row `from` on. A seal that is tried again brings rows that were there before.
    pub(super) fn take(&mut self, turn: &TurnId, from: usize, rows: &[Chunk]) {
        let known = self.counts.get(turn).copied().unwrap_or_default();
        for row in rows.iter().skip(known.saturating_sub(from)) {
            self.push(row.clone());
        }
        self.counts.insert(turn.clone(), known.max(from + rows.len()));
    }

    /// The order in which they were handed over counts, not their place in the log.
    fn push(&mut self, row: Chunk) {
        let seq = Seq(self.rows.last().map_or(0, |last| last.seq.0) + 1);
        self.rows.push(Chunk { seq, ..row });
    }

    /// No more rows of this turn will come.
    pub(super) fn sealed(&mut self, turn: &TurnId) {
        self.counts.remove(turn);
    }

    /// All rows so far.
    pub(super) fn told(&self) -> Vec<Chunk> {
        self.rows.clone()
    }
}
