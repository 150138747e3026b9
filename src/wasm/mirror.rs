//! What JavaScript already holds, and the patch that brings it up to date: cost goes with what changed.

use std::collections::VecDeque;

use crate::model::{ThreadId, push_decimal};
use crate::store::{BlockId, Frozen, Place, RowDirt, Store, Table, Zone};
use crate::wire::encode::string;

use super::groups;
use super::splice::{Splices, comma, field_code, op};

/// What JavaScript holds of each thread.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    threads: Table<Shown>,
}

/// What JavaScript holds of one thread.
#[derive(Debug, Default)]
struct Shown {
    /// Ascending by place.
    blocks: VecDeque<ShownBlock>,
    /// Groups by zone, so that a long queue behind a turn costs nothing.
    zones: [usize; ZONES],
}

/// The zones of a thread.
const ZONES: usize = 5;

#[derive(Debug)]
struct ShownBlock {
    place: Place,
    count: usize,
    /// Live rows: number, group inside the block, first part inside the group.
    rows: Vec<(u64, usize, usize)>,
}

/// In a patch of more blocks, those that are at rest are drawn once somebody reads them.
const LATER_MIN: usize = 64;

impl Mirror {
    /// The thread has another name now. `anew`: JavaScript holds nothing of it, since two became one.
    pub(super) fn rename(&mut self, from: &ThreadId, to: &ThreadId, anew: bool) {
        self.threads.remove(to.as_str());
        if let Some(shown) = self.threads.remove(from.as_str()).filter(|_| !anew) {
            self.threads.insert(to.shared(), shown);
        }
    }

    /// The op that tells of another name; where nothing is held, JavaScript begins anew, too.
    pub(super) fn renamed(&self, thread: &ThreadId) -> String {
        let mut told = "[4,".to_owned();
        string(thread.as_str(), &mut told);
        told + if self.threads.get(thread.as_str()).is_some() { "]" } else { ",1]" }
    }

    fn shown_mut(&mut self, thread: &ThreadId) -> Option<&mut Shown> {
        if self.threads.get(thread.as_str()).is_none() {
            self.threads.insert(thread.shared(), Shown::default());
        }
        self.threads.get_mut(thread.as_str())
    }

    /// The ops that bring JavaScript's groups up to date, as JSON array items; empty where nothing changed.
    /// `later` takes the blocks that are to be drawn later.
    pub(super) fn patch(&mut self, store: &Store, thread: &ThreadId, later: &mut Vec<Frozen>) -> String {
        let mut ops = String::new();
        let (Some(touched), Some(shown)) = (store.touched(thread), self.shown_mut(thread)) else { return ops };
        let (mut gone, mut changes): (Vec<(Place, &BlockId)>, Vec<_>) = (Vec::new(), Vec::new());
        if touched.everything {
            shown.take_all(&mut ops);
            changes.extend(store.blocks(thread).filter_map(|block| Some((store.place(thread, block)?, block))));
        }
        for block in &touched.blocks {
            let (place, before) = (store.place(thread, block), store.shown(thread, block));
            // What left its place goes first; what stays is replaced in place below.
            gone.extend(before.filter(|before| place != Some(*before)).map(|before| (before, block)));
            changes.extend(place.map(|place| (place, block)));
        }
        shown.take_away(gone, &mut ops);
        shown.put_all(changes, store, thread, later, &mut ops);
        for (row, dirt) in &touched.rows {
            if store.block_of(thread, *row).is_some_and(|block| !store.is_touched(thread, &block)) {
                shown.row(store, thread, *row, *dirt, &mut ops);
            }
        }
        ops
    }

    /// Where a row's part is drawn: the index of its group and of the part in it.
    pub(super) fn spot(&self, store: &Store, thread: &ThreadId, row: u64, part: usize) -> Option<(usize, usize)> {
        let shown = self.threads.get(thread.as_str())?;
        let place = store.shown(thread, &store.block_of(thread, row)?)?;
        let at = shown.find(place).ok()?;
        let (_, group, offset) = shown.blocks.get(at)?.rows.iter().find(|(id, ..)| *id == row)?;
        Some((shown.index(at) + group, part + offset))
    }
}

const QUEUED: usize = Zone::Queued as usize;

fn zone(place: Place) -> usize {
    place.zone as usize
}

impl Shown {
    fn find(&self, place: Place) -> Result<usize, usize> {
        // What is new comes last.
        if self.blocks.back().is_none_or(|last| last.place < place) {
            return Err(self.blocks.len());
        }
        self.blocks.binary_search_by_key(&place, |block| block.place)
    }

    fn take_all(&mut self, ops: &mut String) {
        let mut splices = Splices::new(ops);
        for (zone, count) in self.zones.iter().enumerate().filter(|(_, count)| **count > 0) {
            splices.at(0, None, (zone == QUEUED).then_some(0)).removed += count;
        }
        splices.close();
        *self = Self::default();
    }

    /// The index in the queue of a group at a place, by its index in the thread.
    fn in_queue(&self, place: Place, index: usize) -> Option<usize> {
        let before: usize = self.zones.iter().take(QUEUED).sum();
        (place.zone == Zone::Queued).then(|| index.saturating_sub(before))
    }

    fn take_away(&mut self, mut gone: Vec<(Place, &BlockId)>, ops: &mut String) {
        gone.sort_unstable();
        let mut splices = Splices::new(ops);
        for (place, _) in gone {
            if let Some((index, count)) = self.take_out(place).filter(|(_, count)| *count > 0) {
                splices.at(index, None, self.in_queue(place, index)).removed += count;
            }
        }
        splices.close();
    }

    /// Takes a block out: where its groups stood, and how many.
    fn take_out(&mut self, place: Place) -> Option<(usize, usize)> {
        let at = self.find(place).ok()?;
        let index = self.index(at);
        let gone = self.blocks.remove(at)?;
        if let Some(count) = self.zones.get_mut(zone(place)) {
            *count -= gone.count;
        }
        Some((index, gone.count))
    }

    /// Puts blocks where they belong, top to bottom. Neighbours become one splice.
    fn put_all(
        &mut self,
        mut changes: Vec<(Place, &BlockId)>,
        store: &Store,
        thread: &ThreadId,
        later: &mut Vec<Frozen>,
        ops: &mut String,
    ) {
        changes.sort_unstable();
        let many = changes.len() > LATER_MIN;
        let mut splices = Splices::new(ops);
        // The block before, and the index of the group behind it.
        let mut last: Option<(usize, usize)> = None;
        for (place, id) in changes {
            let found = self.find(place);
            let (Ok(at) | Err(at)) = found;
            let index = match last {
                Some((before, end)) if before + 1 == at => end,
                Some(_) | None => self.index(at),
            };
            let frozen = if many { store.freeze(thread, id) } else { None };
            let view = if frozen.is_none() { store.block(thread, id) } else { None };
            let (drawn, rows) = view.map(|view| (view.groups, view.rows)).unwrap_or_default();
            let count = frozen.as_ref().map_or(drawn.len(), Frozen::count);
            let old = self.put(at, found.is_ok(), ShownBlock { place, count, rows });
            last = Some((at, index + count));
            if count == 0 && old == 0 {
                continue;
            }
            let splice = splices.at(index, frozen.is_some().then_some(later.len()), self.in_queue(place, index));
            splice.removed += old;
            splice.count += count;
            if let Some(frozen) = frozen {
                comma(&mut splice.items);
                push_decimal(count as u64, &mut splice.items);
                later.push(frozen);
            }
            for group in &drawn {
                comma(&mut splice.items);
                groups::group(group, &mut splice.items);
            }
        }
        splices.close();
    }

    /// Puts a block in place of the one at `at`, or before it; gives how many groups the old one had.
    fn put(&mut self, at: usize, replaces: bool, block: ShownBlock) -> usize {
        let (place, count) = (block.place, block.count);
        let old = if replaces {
            self.blocks.get_mut(at).map_or(0, |known| std::mem::replace(known, block).count)
        } else {
            self.blocks.insert(at, block);
            0
        };
        if let Some(total) = self.zones.get_mut(zone(place)) {
            *total = *total + count - old;
        }
        old
    }

    fn row(&self, store: &Store, thread: &ThreadId, row: u64, dirt: RowDirt, ops: &mut String) {
        let Some(block) = store.block_of(thread, row) else { return };
        let Some(place) = store.shown(thread, &block) else { return };
        let Ok(at) = self.find(place) else { return };
        let Some(shown) = self.blocks.get(at) else { return };
        let Some((_, group, offset)) = shown.rows.iter().find(|(id, ..)| *id == row) else { return };
        let index = self.index(at) + group;
        match dirt {
            RowDirt::Grew(growth) => {
                let Some(text) = store.grown(thread, row, growth).filter(|text| !text.is_empty()) else { return };
                op(ops, &[2, index, growth.part + offset, field_code(growth.field)]);
                string(text, ops);
            }
            RowDirt::Part(part) => {
                let Some(value) = store.part(thread, row, part) else { return };
                op(ops, &[1, index, part + offset]);
                groups::one_part(value, ops);
            }
            RowDirt::Meta => {
                let view = store.block(thread, &block);
                let Some(value) = view.as_ref().and_then(|view| view.groups.get(*group)) else { return };
                op(ops, &[3, index]);
                groups::meta(value, ops);
            }
        }
        ops.push(']');
    }

    /// How many groups stand before the block at `at`: by whole zones, then from the nearer end of its own.
    fn index(&self, at: usize) -> usize {
        let here = self.blocks.get(at).or_else(|| self.blocks.get(at.checked_sub(1)?)).map_or(0, |b| zone(b.place));
        // A place at the border of two zones counts from the whole of the thread.
        let total: usize = self.zones.iter().take(here + 1).sum();
        let behind = self.blocks.range(at..).take_while(|block| zone(block.place) == here);
        let ahead = self.blocks.range(..at).rev().take_while(|block| zone(block.place) == here);
        let zone_start: usize = self.zones.iter().take(here).sum();
        let (mut behind, mut ahead) = (behind, ahead);
        let (mut after, mut before) = (0, 0);
        loop {
            match behind.next() {
                Some(block) => after += block.count,
                None => return total - after,
            }
            match ahead.next() {
                Some(block) => before += block.count,
                None => return zone_start + before,
            }
        }
    }
}
