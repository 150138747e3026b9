//! What JavaScript already holds, and the patch that brings it up to date: cost goes with what changed.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::model::{Field, ThreadId};
use crate::store::{BlockId, BlockView, Place, RowDirt, Store, Zone};
use crate::wire::encode::string;

use super::groups;

/// What JavaScript holds of each thread.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    threads: BTreeMap<ThreadId, Shown>,
}

/// What JavaScript holds of one thread.
#[derive(Debug, Default)]
struct Shown {
    places: BTreeMap<BlockId, Place>,
    blocks: BTreeMap<Place, ShownBlock>,
    /// Groups by zone, so that a long queue behind a turn costs nothing.
    zones: BTreeMap<Zone, usize>,
}

#[derive(Debug, Default)]
struct ShownBlock {
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
        if let Some(shown) = self.threads.remove(from) {
            self.threads.insert(to.clone(), shown);
        }
    }

    /// The ops that bring JavaScript's groups up to date, as JSON array items; empty where nothing changed.
    pub(super) fn patch(&mut self, store: &Store, thread: &ThreadId) -> String {
        let mut ops = String::new();
        let Some(touched) = store.touched(thread) else { return ops };
        let shown = self.threads.entry(thread.clone()).or_default();
        let mut changes: Vec<(Place, BlockId, BlockView<'_>)> = Vec::new();
        for block in &touched.blocks {
            let view = store.block(thread, block);
            let place = view.as_ref().map(|view| view.place);
            // What left its place goes first; what stays is replaced in place below.
            if let Some(before) = shown.places.get(block).copied()
                && place != Some(before)
            {
                shown.take_away(block, before, &mut ops);
            }
            if let Some(view) = view {
                changes.push((view.place, block.clone(), view));
            }
        }
        changes.sort_by_key(|(place, ..)| *place);
        shown.put_all(changes, &mut ops);
        for (row, dirt) in &touched.rows {
            if store.block_of(thread, *row).is_some_and(|block| !touched.blocks.contains(&block)) {
                shown.row(store, thread, *row, *dirt, &mut ops);
            }
        }
        ops
    }

    /// Where a row's part is drawn: the index of its group and of the part in it.
    pub(super) fn spot(&self, store: &Store, thread: &ThreadId, row: u64, part: usize) -> Option<(usize, usize)> {
        let shown = self.threads.get(thread)?;
        let place = shown.places.get(&store.block_of(thread, row)?).copied()?;
        let (_, group, offset) = shown.blocks.get(&place)?.rows.iter().find(|(id, ..)| *id == row)?;
        Some((shown.index(place) + group, part + offset))
    }
}

impl Shown {
    fn take_away(&mut self, block: &BlockId, place: Place, ops: &mut String) {
        let index = self.index(place);
        self.places.remove(block);
        let Some(gone) = self.blocks.remove(&place) else { return };
        if let Some(count) = self.zones.get_mut(&place.zone) {
            *count -= gone.count;
        }
        if gone.count > 0 {
            splice(&Splice { index, removed: gone.count, count: 0, groups: String::new() }, ops);
        }
    }

    /// Puts blocks where they belong, top to bottom. Neighbours become one splice.
    fn put_all(&mut self, changes: Vec<(Place, BlockId, BlockView<'_>)>, ops: &mut String) {
        let mut open: Option<Splice> = None;
        let mut last: Option<(Place, usize)> = None;
        for (place, block, view) in changes {
            let next = last.filter(|(before, _)| {
                self.blocks.range((Bound::Excluded(*before), Bound::Excluded(place))).next().is_none()
            });
            let index = next.map_or_else(|| self.index(place), |(_, end)| end);
            let count = view.groups.len();
            let old = self.blocks.insert(place, ShownBlock { count, rows: view.rows }).map_or(0, |old| old.count);
            self.places.insert(block, place);
            let zone = self.zones.entry(place.zone).or_insert(0);
            *zone = *zone + count - old;
            last = Some((place, index + count));
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
                for group in &view.groups {
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
        let Some(place) = self.places.get(&block).copied() else { return };
        let Some(shown) = self.blocks.get(&place) else { return };
        let Some((_, group, offset)) = shown.rows.iter().find(|(id, ..)| *id == row) else { return };
        let index = self.index(place) + group;
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

    /// How many groups stand before a place: by whole zones, then from the nearer end of its own.
    fn index(&self, place: Place) -> usize {
        let zones: usize = self.zones.range(..place.zone).map(|(_, count)| count).sum();
        let total = self.zones.get(&place.zone).copied().unwrap_or(0);
        let low = Place { zone: place.zone, major: 0, minor: 0, stamp: 0, note: 0 };
        let high = Place { zone: place.zone, major: u64::MAX, minor: u8::MAX, stamp: u64::MAX, note: u64::MAX };
        let mut before = self.blocks.range(low..place);
        let mut after = self.blocks.range(place..=high);
        let (mut ahead, mut behind) = (0, 0);
        loop {
            match before.next() {
                Some((_, block)) => ahead += block.count,
                None => return zones + ahead,
            }
            match after.next_back() {
                Some((_, block)) => behind += block.count,
                None => return zones + total - behind,
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
