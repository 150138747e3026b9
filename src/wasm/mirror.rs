//! What JavaScript already holds, and the patch that brings it up to date: cost goes with what changed.

use std::collections::VecDeque;

use crate::model::{Field, ThreadId, push_decimal};
use crate::store::{BlockId, Frozen, Place, RowDirt, Store, Zone};
use crate::wire::encode::string;

use super::groups;

/// What JavaScript holds of each thread.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    /// Ascending by name.
    threads: Vec<(ThreadId, Shown)>,
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

/// A splice that grows as long as the next change is next to it and of its kind.
#[derive(Default)]
struct Splice {
    index: usize,
    removed: usize,
    count: usize,
    /// Groups as JSON; where they are drawn later, how many each block has.
    items: String,
    /// The number of the first block that is drawn later.
    later: Option<usize>,
}

/// In a patch of more blocks, those that are at rest are drawn once somebody reads them.
const LATER_MIN: usize = 64;

impl Mirror {
    /// The thread has another name now.
    pub(super) fn rename(&mut self, from: &ThreadId, to: &ThreadId) {
        let moved = self.find(from).ok().map(|at| self.threads.remove(at).1);
        if let Ok(at) = self.find(to) {
            self.threads.remove(at);
        }
        if let (Some(shown), Err(at)) = (moved, self.find(to)) {
            self.threads.insert(at, (to.clone(), shown));
        }
    }

    fn find(&self, thread: &ThreadId) -> Result<usize, usize> {
        self.threads.binary_search_by(|(known, _)| known.cmp(thread))
    }

    fn shown(&self, thread: &ThreadId) -> Option<&Shown> {
        self.threads.get(self.find(thread).ok()?).map(|(_, shown)| shown)
    }

    fn shown_mut(&mut self, thread: &ThreadId) -> Option<&mut Shown> {
        let (Ok(at) | Err(at)) = self.find(thread);
        if self.find(thread).is_err() {
            self.threads.insert(at, (thread.clone(), Shown::default()));
        }
        self.threads.get_mut(at).map(|(_, shown)| shown)
    }

    /// The ops that bring JavaScript's groups up to date, as JSON array items; empty where nothing changed.
    /// `later` takes the blocks that are to be drawn later.
    pub(super) fn patch(&mut self, store: &Store, thread: &ThreadId, later: &mut Vec<Frozen>) -> String {
        let mut ops = String::new();
        let (Some(touched), Some(shown)) = (store.touched(thread), self.shown_mut(thread)) else { return ops };
        let mut changes: Vec<(Place, &BlockId)> = Vec::new();
        if touched.everything {
            shown.take_all(&mut ops);
            changes.extend(store.blocks(thread).filter_map(|block| Some((store.place(thread, block)?, block))));
        }
        for block in &touched.blocks {
            let place = store.place(thread, block);
            // What left its place goes first; what stays is replaced in place below.
            if let Some(before) = store.shown(thread, block).filter(|before| place != Some(*before)) {
                shown.take_away(before, &mut ops);
            }
            changes.extend(place.map(|place| (place, block)));
        }
        changes.sort_unstable();
        shown.put_all(&changes, store, thread, later, &mut ops);
        for (row, dirt) in &touched.rows {
            if store.block_of(thread, *row).is_some_and(|block| !store.is_touched(thread, &block)) {
                shown.row(store, thread, *row, *dirt, &mut ops);
            }
        }
        ops
    }

    /// Where a row's part is drawn: the index of its group and of the part in it.
    pub(super) fn spot(&self, store: &Store, thread: &ThreadId, row: u64, part: usize) -> Option<(usize, usize)> {
        let shown = self.shown(thread)?;
        let place = store.shown(thread, &store.block_of(thread, row)?)?;
        let at = shown.find(place).ok()?;
        let (_, group, offset) = shown.blocks.get(at)?.rows.iter().find(|(id, ..)| *id == row)?;
        Some((shown.index(at) + group, part + offset))
    }
}

fn zone(place: Place) -> usize {
    match place.zone {
        Zone::Log => 0,
        Zone::Starting => 1,
        Zone::Departed => 2,
        Zone::Queued => 3,
        Zone::Pending => 4,
    }
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
        let count = self.zones.iter().sum();
        if count > 0 {
            splice(&Splice { removed: count, ..Splice::default() }, ops);
        }
        *self = Self::default();
    }

    fn take_away(&mut self, place: Place, ops: &mut String) {
        let Ok(at) = self.find(place) else { return };
        let index = self.index(at);
        let Some(gone) = self.blocks.remove(at) else { return };
        if let Some(count) = self.zones.get_mut(zone(place)) {
            *count -= gone.count;
        }
        if gone.count > 0 {
            splice(&Splice { index, removed: gone.count, ..Splice::default() }, ops);
        }
    }

    /// Puts blocks where they belong, top to bottom. Neighbours become one splice.
    fn put_all(
        &mut self,
        changes: &[(Place, &BlockId)],
        store: &Store,
        thread: &ThreadId,
        later: &mut Vec<Frozen>,
        ops: &mut String,
    ) {
        let many = changes.len() > LATER_MIN;
        let mut open: Option<Splice> = None;
        // The block before, and the index of the group behind it.
        let mut last: Option<(usize, usize)> = None;
        for (place, id) in changes {
            let found = self.find(*place);
            let (Ok(at) | Err(at)) = found;
            let index = match last {
                Some((before, end)) if before + 1 == at => end,
                Some(_) | None => self.index(at),
            };
            let frozen = if many { store.freeze(thread, id) } else { None };
            let view = if frozen.is_none() { store.block(thread, id) } else { None };
            let (drawn, rows) = view.map(|view| (view.groups, view.rows)).unwrap_or_default();
            let count = frozen.as_ref().map_or(drawn.len(), Frozen::count);
            let old = self.put(at, found.is_ok(), ShownBlock { place: *place, count, rows });
            last = Some((at, index + count));
            if count == 0 && old == 0 {
                continue;
            }
            let fits =
                |splice: &Splice| splice.index + splice.count == index && splice.later.is_some() == frozen.is_some();
            if !open.as_ref().is_some_and(fits) {
                let later = frozen.is_some().then_some(later.len());
                if let Some(done) = open.replace(Splice { index, later, ..Splice::default() }) {
                    splice(&done, ops);
                }
            }
            let Some(splice) = &mut open else { continue };
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
        if let Some(done) = open {
            splice(&done, ops);
        }
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
                let field = match growth.field {
                    Field::Text => 0,
                    Field::Arguments => 1,
                    Field::Stdout => 2,
                    Field::Stderr => 3,
                };
                op(ops, &[2, index, growth.part + offset, field]);
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

/// Opens an op: `[code, numbers...,`, with a comma before it where it is not the first.
fn op(ops: &mut String, numbers: &[usize]) {
    comma(ops);
    ops.push('[');
    for number in numbers {
        push_decimal(*number as u64, ops);
        ops.push(',');
    }
}

fn comma(out: &mut String) {
    if !out.is_empty() {
        out.push(',');
    }
}

fn splice(splice: &Splice, ops: &mut String) {
    match splice.later {
        None => op(ops, &[0, splice.index, splice.removed]),
        Some(first) => op(ops, &[5, splice.index, splice.removed, first]),
    }
    ops.push('[');
    ops.push_str(&splice.items);
    ops.push_str("]]");
}
