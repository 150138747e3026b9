//! What changed since the last look: enough to patch a mirror without drawing anything twice.

use crate::model::{Field, Spot};

use super::BlockId;

/// Rows with small changes beyond that are drawn as whole blocks.
const ROWS_MAX: usize = 64;

/// What changed in a thread since the mirror last looked.
#[derive(Clone, Debug)]
pub struct Touched {
    /// Nobody has looked yet: everything is to be drawn, and nothing is followed until then.
    pub everything: bool,
    /// The head changed, or may have.
    pub head: bool,
    /// Blocks that came, went, moved or changed their shape; each once.
    pub blocks: Vec<BlockId>,
    /// Rows that changed inside.
    pub rows: Vec<(u64, RowDirt)>,
}

impl Default for Touched {
    fn default() -> Self {
        Self { everything: true, head: true, blocks: Vec::new(), rows: Vec::new() }
    }
}

/// What changed inside a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowDirt {
    /// A string of a part grew at its end.
    Grew(Growth),
    /// A part is new or different.
    Part(usize),
    /// Everything but the parts.
    Meta,
}

/// Growth of one string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The index of the part in its row.
    pub part: usize,
    /// Which string.
    pub field: Field,
    /// Its length in bytes when the mirror last looked.
    pub from: usize,
}

impl Touched {
    /// True where nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.everything && !self.head && self.blocks.is_empty() && self.rows.is_empty()
    }

    /// A mirror has drawn it all.
    pub(in crate::store) fn clear(&mut self) {
        self.everything = false;
        self.head = false;
        self.blocks.clear();
        self.rows.clear();
    }

    /// Everything but the parts of a row changed.
    #[must_use]
    pub(in crate::store) fn meta(&mut self, row: u64) -> Marked {
        self.mark(row, RowDirt::Meta)
    }

    fn mark(&mut self, row: u64, dirt: RowDirt) -> Marked {
        if self.everything {
            return Marked::Row;
        }
        if self.rows.iter().rev().any(|known| *known == (row, dirt)) {
            return Marked::Row;
        }
        if self.rows.len() >= ROWS_MAX {
            return Marked::Crowded;
        }
        self.rows.push((row, dirt));
        Marked::Row
    }

    /// A string grew. The first growth since the last look counts; a part that is new anyway needs none.
    #[must_use]
    pub(in crate::store) fn grew(&mut self, row: u64, spot: Spot) -> Marked {
        if spot.opened {
            return self.mark(row, RowDirt::Part(spot.part));
        }
        let known = self.rows.iter().rev().any(|(at, dirt)| {
            *at == row
                && match dirt {
                    RowDirt::Grew(growth) => growth.part == spot.part && growth.field == spot.field,
                    RowDirt::Part(part) => *part == spot.part,
                    RowDirt::Meta => false,
                }
        });
        if known {
            return Marked::Row;
        }
        self.mark(row, RowDirt::Grew(Growth { part: spot.part, field: spot.field, from: spot.from }))
    }
}

/// Whether a small change could be marked by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum Marked {
    /// The row is marked.
    Row,
    /// There are too many already: its block has to be drawn whole.
    Crowded,
}
