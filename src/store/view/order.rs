//! The order of blocks (L7): turns in start order, then what waits.

use crate::store::flat::{Line, Map, Table};
use std::collections::VecDeque;

use super::{BlockId, Place, Zone};
use crate::model::{Seq, TurnId};
use crate::store::live::RowId;

/// The place after all turns with chunks.
const AFTER_ALL: u64 = u64::MAX;

/// Where a block stands, and where the mirror has it.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    place: Option<Place>,
    /// Where it stood when a mirror last looked.
    shown: Option<Place>,
    /// True from its first change since then.
    dirty: bool,
    /// For a turn: when it was seen to start.
    start: Option<u64>,
}

/// The blocks of a thread in order.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Order {
    /// Ascending by place.
    blocks: VecDeque<(Place, BlockId)>,
    turns: Table<Standing>,
    rows: Line<Standing>,
    /// The first seqs of turns whose start was seen, by start.
    begun: Map<u64, Seq>,
    /// Turns without chunks, by start.
    floating: Map<u64, TurnId>,
}

impl Order {
    pub(in crate::store) fn iter(&self) -> impl DoubleEndedIterator<Item = &BlockId> {
        self.blocks.iter().map(|(_, block)| block)
    }

    pub(in crate::store) fn place(&self, block: &BlockId) -> Option<Place> {
        self.known(block).place
    }

    /// Where a mirror has the block.
    pub(in crate::store) fn shown(&self, block: &BlockId) -> Option<Place> {
        self.known(block).shown
    }

    /// True where the block changed since a mirror last looked.
    pub(in crate::store) fn is_dirty(&self, block: &BlockId) -> bool {
        self.known(block).dirty
    }

    /// Marks a block as changed. False where it was marked already.
    pub(in crate::store) fn mark(&mut self, block: &BlockId) -> bool {
        let known = self.known(block);
        if !known.dirty {
            self.set(block, Standing { dirty: true, ..known });
        }
        !known.dirty
    }

    /// A mirror has drawn a block where it stands now.
    pub(in crate::store) fn drawn(&mut self, block: &BlockId) {
        let known = self.known(block);
        if known.place.is_none() && known.start.is_none() {
            self.forget(block);
        } else {
            self.set(block, Standing { shown: known.place, dirty: false, ..known });
        }
    }

    /// A mirror has drawn every block.
    pub(in crate::store) fn drawn_all(&mut self) {
        let all: Vec<BlockId> = self.iter().cloned().collect();
        for block in &all {
            self.drawn(block);
        }
    }

    /// No mirror has any block.
    pub(in crate::store) fn unshown_all(&mut self) {
        let all: Vec<BlockId> = self.iter().cloned().collect();
        for block in &all {
            let known = self.known(block);
            self.set(block, Standing { shown: None, dirty: false, ..known });
        }
    }

    pub(in crate::store) fn set_start(&mut self, turn: &TurnId, start: u64) {
        let block = BlockId::Turn(turn.clone());
        let known = self.known(&block);
        if known.start.is_none() {
            self.set(&block, Standing { start: Some(start), ..known });
        }
    }

    fn known(&self, block: &BlockId) -> Standing {
        let known = match block {
            BlockId::Turn(turn) => self.turns.get(turn.as_str()),
            BlockId::Row(row) => self.rows.get(*row),
        };
        known.copied().unwrap_or_default()
    }

    fn set(&mut self, block: &BlockId, standing: Standing) {
        match block {
            BlockId::Turn(turn) => self.turns.insert(turn.shared(), standing),
            BlockId::Row(row) => {
                self.rows.insert(*row, standing);
            }
        }
    }

    fn forget(&mut self, block: &BlockId) {
        match block {
            BlockId::Turn(turn) => {
                self.turns.remove(turn.as_str());
            }
            BlockId::Row(row) => {
                self.rows.remove(*row);
            }
        }
    }

    /// True where both turns were seen to start, `one` before `other`.
    pub(in crate::store) fn began_before(&self, one: &TurnId, other: &TurnId) -> bool {
        let start = |turn: &TurnId| self.turns.get(turn.as_str()).and_then(|known| known.start);
        matches!((start(one), start(other)), (Some(one), Some(other)) if one < other)
    }

    /// The last turn, from top to bottom.
    pub(in crate::store) fn last_turn(&self) -> Option<&TurnId> {
        let end = Place { zone: Zone::Starting, major: 0, minor: 0, stamp: 0, note: 0 };
        let end = self.blocks.partition_point(|(place, _)| *place < end);
        self.blocks.range(..end).rev().find_map(|(_, block)| match block {
            BlockId::Turn(turn) => Some(turn),
            BlockId::Row(_) => None,
        })
    }

    /// The rows that stand in a zone behind all turns, from top to bottom.
    pub(in crate::store) fn rows_in(&self, zone: Zone) -> impl DoubleEndedIterator<Item = RowId> {
        let edge =
            |past: bool| self.blocks.partition_point(|(place, _)| place.zone < zone || (past && place.zone == zone));
        self.blocks.range(edge(false)..edge(true)).filter_map(|(_, block)| match block {
            BlockId::Row(id) => Some(RowId(*id)),
            BlockId::Turn(_) => None,
        })
    }

    /// Puts a turn where it belongs. `first`: its first seq in the window; `live`: when it was first heard of, while
    /// it is not folded.
    /// Returns the blocks whose place changed.
    pub(in crate::store) fn place_turn(
        &mut self,
        turn: &TurnId,
        first: Option<Seq>,
        live: Option<u64>,
    ) -> Vec<BlockId> {
        let block = BlockId::Turn(turn.clone());
        let before = self.place(&block);
        let start = self.known(&block).start;
        let mut moved = Vec::new();
        let begun_before = start.and_then(|start| self.begun.get(&start).copied());
        let place = match (first, live) {
            (Some(first), _) => {
                if let Some(start) = start {
                    self.begun.insert(start, first);
                }
                self.floating.retain(|_, known| known != turn);
                Some(Place { zone: Zone::Log, major: first.0, minor: 1, stamp: 0, note: 0 })
            }
            (None, Some(heard)) => {
                let start = start.unwrap_or(heard);
                self.begun.remove(&start);
                self.floating.insert(start, turn.clone());
                Some(self.float(start))
            }
            (None, None) => {
                if let Some(start) = start {
                    self.begun.remove(&start);
                }
                self.floating.retain(|_, known| known != turn);
                let known = self.known(&block);
                self.set(&block, Standing { start: None, ..known });
                None
            }
        };
        if before != place {
            self.put(block, place);
            moved.push(BlockId::Turn(turn.clone()));
        }
        // L7: a turn without chunks stands before turns that are known to have started later.
        if start.and_then(|start| self.begun.get(&start).copied()) != begun_before {
            let floating: Vec<(u64, TurnId)> = self.floating.iter().map(|(at, turn)| (*at, turn.clone())).collect();
            for (at, turn) in floating {
                let block = BlockId::Turn(turn);
                let place = self.float(at);
                if self.place(&block) != Some(place) {
                    self.put(block.clone(), Some(place));
                    moved.push(block);
                }
            }
        }
        moved
    }

    fn float(&self, start: u64) -> Place {
        let later = self.begun.iter().rev().take_while(|(at, _)| **at > start).map(|(_, first)| first.0).min();
        Place { zone: Zone::Log, major: later.unwrap_or(AFTER_ALL), minor: 0, stamp: start, note: 0 }
    }

    /// Puts a block at a place, or away.
    pub(in crate::store) fn put(&mut self, block: BlockId, place: Option<Place>) {
        if let Some(at) = self.place(&block).and_then(|before| self.stands(before, &block)) {
            self.blocks.remove(at);
        }
        let known = self.known(&block);
        let standing = Standing { place, ..known };
        if place.is_some() || known.shown.is_some() || known.dirty {
            self.set(&block, standing);
        } else {
            // Nobody has seen it, nobody needs to see it go.
            self.forget(&block);
        }
        if let Some(place) = place {
            // Rows of one turn may take the place of another's: until that one is placed, both stand there.
            let (Ok(at) | Err(at)) = self.find(place);
            self.blocks.insert(at, (place, block));
        }
    }

    /// Where a block stands that has that place.
    fn stands(&self, place: Place, block: &BlockId) -> Option<usize> {
        let first = self.blocks.partition_point(|(known, _)| *known < place);
        let there = self.blocks.range(first..).take_while(|(known, _)| *known == place);
        there.enumerate().find(|(_, (_, known))| known == block).map(|(behind, _)| first + behind)
    }

    fn find(&self, place: Place) -> Result<usize, usize> {
        // What is new comes last.
        if self.blocks.back().is_none_or(|(last, _)| *last < place) {
            return Err(self.blocks.len());
        }
        self.blocks.binary_search_by_key(&place, |(place, _)| *place)
    }

    /// The place of a note behind a turn, or at the very top.
    pub(in crate::store) fn note_place(&self, after: Option<&TurnId>, stamp: u64) -> Option<Place> {
        match after {
            Some(turn) => self.place(&BlockId::Turn(turn.clone())).map(|place| Place { note: stamp, ..place }),
            None => Some(Place { zone: Zone::Log, major: 0, minor: 0, stamp: 0, note: stamp }),
        }
    }
}
