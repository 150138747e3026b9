//! The order of blocks (L7): turns in start order, then what waits.

use std::collections::BTreeMap;

use crate::model::{Seq, TurnId};

/// A block: what is drawn in one piece. A turn, or a row outside of all turns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BlockId {
    /// All groups of a turn.
    Turn(TurnId),
    /// One row: its number inside the thread.
    Row(u64),
}

/// Where a block stands; ascending from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Which stretch of the thread.
    pub zone: Zone,
    /// In the log: the first seq of the turn, or of the turn that it must stand before. In the queue: the position.
    pub major: u64,
    /// 0: a turn without chunks, before the one at `major`; 1: the turn at `major` itself.
    pub minor: u8,
    /// When it began; orders turns without chunks and rows.
    pub stamp: u64,
    /// 0: the block itself; above: notes that stand after it.
    pub note: u64,
}

/// The stretches of a thread, from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Zone {
    /// Turns.
    Log,
    /// Accepted, waits for its turn to begin.
    Starting,
    /// Nobody knows yet what became of it.
    Departed,
    /// In the server's queue.
    Queued,
    /// Not known to have arrived.
    Pending,
}

/// The place after all turns with chunks.
const AFTER_ALL: u64 = u64::MAX;

/// The blocks of a thread in order.
#[derive(Debug, Default)]
pub(in crate::store) struct Order {
    places: BTreeMap<BlockId, Place>,
    blocks: BTreeMap<Place, BlockId>,
    /// When turns were seen to start, as long as they stand here.
    starts: BTreeMap<TurnId, u64>,
    /// The first seqs of turns whose start was seen, by start.
    begun: BTreeMap<u64, Seq>,
    /// Turns without chunks, by start.
    floating: BTreeMap<u64, TurnId>,
}

impl Order {
    pub(in crate::store) fn iter(&self) -> impl DoubleEndedIterator<Item = (&Place, &BlockId)> {
        self.blocks.iter()
    }

    pub(in crate::store) fn place(&self, block: &BlockId) -> Option<Place> {
        self.places.get(block).copied()
    }

    pub(in crate::store) fn set_start(&mut self, turn: &TurnId, start: u64) {
        self.starts.entry(turn.clone()).or_insert(start);
    }

    /// The last turn, from top to bottom.
    pub(in crate::store) fn last_turn(&self) -> Option<&TurnId> {
        let end = Place { zone: Zone::Starting, major: 0, minor: 0, stamp: 0, note: 0 };
        self.blocks.range(..end).rev().find_map(|(_, block)| match block {
            BlockId::Turn(turn) => Some(turn),
            BlockId::Row(_) => None,
        })
    }

    /// Puts a turn where it belongs. `first`: its first seq in the window; `live`: whether live rows of it are shown.
    /// Returns the blocks whose place changed.
    pub(in crate::store) fn place_turn(&mut self, turn: &TurnId, first: Option<Seq>, live: bool) -> Vec<BlockId> {
        let block = BlockId::Turn(turn.clone());
        let before = self.place(&block);
        let start = self.starts.get(turn).copied();
        let mut moved = Vec::new();
        let begun_before = start.and_then(|start| self.begun.get(&start).copied());
        let place = match (first, live) {
            (Some(first), _) => {
                if let Some(start) = start {
                    self.begun.insert(start, first);
                    self.floating.remove(&start);
                }
                Some(Place { zone: Zone::Log, major: first.0, minor: 1, stamp: 0, note: 0 })
            }
            (None, true) => {
                let start = start.unwrap_or(0);
                self.begun.remove(&start);
                self.floating.insert(start, turn.clone());
                Some(self.float(start))
            }
            (None, false) => {
                if let Some(start) = self.starts.remove(turn) {
                    self.begun.remove(&start);
                    self.floating.remove(&start);
                }
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
        let later = self.begun.range(start + 1..).map(|(_, first)| first.0).min();
        Place { zone: Zone::Log, major: later.unwrap_or(AFTER_ALL), minor: 0, stamp: start, note: 0 }
    }

    /// Puts a row block at a place, or away.
    pub(in crate::store) fn put(&mut self, block: BlockId, place: Option<Place>) {
        if let Some(before) = self.places.remove(&block) {
            self.blocks.remove(&before);
        }
        if let Some(place) = place {
            self.places.insert(block.clone(), place);
            self.blocks.insert(place, block);
        }
    }

    /// The place of a note behind a turn, or at the very top.
    pub(in crate::store) fn note_place(&self, after: Option<&TurnId>, stamp: u64) -> Option<Place> {
        match after {
            Some(turn) => self.place(&BlockId::Turn(turn.clone())).map(|place| Place { note: stamp, ..place }),
            None => Some(Place { zone: Zone::Log, major: 0, minor: 0, stamp: 0, note: stamp }),
        }
    }
}
