//! What JavaScript already holds, and the patch that brings it up to date: cost goes with what changed.

use std::collections::VecDeque;

use crate::model::{Field, ThreadId};
use crate::store::{BlockView, Place, RowDirt, Store, Zone};
use crate::wire::encode::string;

use super::groups;

/// What JavaScript holds of each thread.
#[derive(Debug, Default)]
pub(super) struct Mirror {
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

/// A splice that grows as long as the next change is next to it.
struct Splice {
    index: usize,
    removed: usize,
    count: usize,
    groups: String,
}

impl Mirror {
    /// The thread has another name now.
    pub(super) fn rename(&mut self, from: &ThreadId, to: &ThreadId) {
        self.threads.retain(|(known, _)| known != to);
        if let Some((known, _)) = self.threads.iter_mut().find(|(known, _)| known == from) {
            *known = to.clone();
        }
    }

    fn shown(&self, thread: &ThreadId) -> Option<&Shown> {
        self.threads.iter().find(|(known, _)| known == thread).map(|(_, shown)| shown)
    }

    fn shown_mut(&mut self, thread: &ThreadId) -> Option<&mut Shown> {
        if self.shown(thread).is_none() {
            self.threads.push((thread.clone(), Shown::default()));
        }
        self.threads.iter_mut().find(|(known, _)| known == thread).map(|(_, shown)| shown)
    }

    /// The ops that bring JavaScript's groups up to date, as JSON array items; empty where nothing changed.
    pub(super) fn patch(&mut self, store: &Store, thread: &ThreadId) -> String {
        let mut ops = String::new();
        let (Some(touched), Some(shown)) = (store.touched(thread), self.shown_mut(thread)) else { return ops };
        let mut changes: Vec<BlockView<'_>> = Vec::new();
        if touched.everything {
            shown.take_all(&mut ops);
            changes.extend(store.blocks(thread).filter_map(|block| store.block(thread, block)));
        }
        for block in &touched.blocks {
            let view = store.block(thread, block);
            let place = view.as_ref().map(|view| view.place);
            // What left its place goes first; what stays is replaced in place below.
            if let Some(before) = store.shown(thread, block).filter(|before| place != Some(*before)) {
                shown.take_away(before, &mut ops);
            }
            changes.extend(view);
        }
        changes.sort_unstable_by_key(|view| view.place);
        shown.put_all(changes, &mut ops);
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
        self.blocks.binary_search_by_key(&place, |block| block.place)
    }

    fn take_all(&mut self, ops: &mut String) {
        let count = self.zones.iter().sum();
        if count > 0 {
            splice(&Splice { index: 0, removed: count, count: 0, groups: String::new() }, ops);
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
            splice(&Splice { index, removed: gone.count, count: 0, groups: String::new() }, ops);
        }
    }

    /// Puts blocks where they belong, top to bottom. Neighbours become one splice.
    fn put_all(&mut self, changes: Vec<BlockView<'_>>, ops: &mut String) {
        let mut open: Option<Splice> = None;
        // The block before, and the index of the group behind it.
        let mut last: Option<(usize, usize)> = None;
        for BlockView { place, groups: drawn, rows } in changes {
            let found = self.find(place);
            let (Ok(at) | Err(at)) = found;
            let index = match last {
                Some((before, end)) if before + 1 == at => end,
                Some(_) | None => self.index(at),
            };
            let count = drawn.len();
            let block = ShownBlock { place, count, rows };
            let old = match found {
                Ok(at) => self.blocks.get_mut(at).map_or(0, |known| std::mem::replace(known, block).count),
                Err(at) => {
                    self.blocks.insert(at, block);
                    0
                }
            };
            if let Some(total) = self.zones.get_mut(zone(place)) {
                *total = *total + count - old;
            }
            last = Some((at, index + count));
            if count == 0 && old == 0 {
                continue;
            }
            if open.as_ref().is_none_or(|splice| splice.index + splice.count != index)
                && let Some(done) = open.replace(Splice { index, removed: 0, count: 0, groups: String::new() })
            {
                splice(&done, ops);
            }
            if let Some(splice) = &mut open {
                splice.removed += old;
                splice.count += count;
                for group in &drawn {
                    if !splice.groups.is_empty() {
                        splice.groups.push(',');
                    }
                    groups::group(group, &mut splice.groups);
                }
            }
        }
        if let Some(done) = open {
            splice(&done, ops);
        }
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
    if !ops.is_empty() {
        ops.push(',');
    }
    ops.push('[');
    for number in numbers {
        ops.push_str(&number.to_string());
        ops.push(',');
    }
}

fn splice(splice: &Splice, ops: &mut String) {
    op(ops, &[0, splice.index, splice.removed]);
    ops.push('[');
    ops.push_str(&splice.groups);
    ops.push_str("]]");
}
