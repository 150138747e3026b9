//! What may grow large: values by ascending numbers, and values by id.

use std::sync::Arc;

use super::flat::Index;

/// Values by ascending numbers, where the first leaves most often: a queue may be long.
#[derive(Clone, Debug)]
pub(crate) struct Line<V> {
    /// The first of them have left.
    items: Vec<(u64, Option<Box<V>>)>,
    left: usize,
}

impl<V> Default for Line<V> {
    fn default() -> Self {
        Self { items: Vec::new(), left: 0 }
    }
}

impl<V> Line<V> {
    fn find(&self, number: u64) -> Result<usize, usize> {
        match self.items.last() {
            Some((last, _)) if *last >= number => self.items.binary_search_by(|(known, _)| known.cmp(&number)),
            Some(_) | None => Err(self.items.len()),
        }
    }

    pub(crate) fn get(&self, number: u64) -> Option<&V> {
        self.items.get(self.find(number).ok()?)?.1.as_deref()
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut V> {
        let at = self.find(number).ok()?;
        self.items.get_mut(at)?.1.as_deref_mut()
    }

    pub(crate) fn insert(&mut self, number: u64, value: V) {
        let item = (number, Some(Box::new(value)));
        let found = self.find(number);
        let (Ok(at) | Err(at)) = found;
        self.left = self.left.min(at);
        match self.items.get_mut(at).filter(|_| found.is_ok()) {
            Some(known) => *known = item,
            None => self.items.insert(at, item),
        }
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<Box<V>> {
        let at = self.find(number).ok()?;
        if at != self.left {
            return if at > self.left { self.items.remove(at).1 } else { None };
        }
        let value = self.items.get_mut(at)?.1.take();
        while let Some((_, None)) = self.items.get(self.left) {
            self.left += 1;
        }
        if self.left * 2 > self.items.len() {
            self.items.drain(..self.left);
            self.left = 0;
        }
        value
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        let here = self.items.get(self.left..).unwrap_or_default();
        here.iter().filter_map(|(number, value)| Some((*number, &**value.as_ref()?)))
    }
}

/// Values by id, for indexes that grow with the thread: an [`Index`] into slots.
#[derive(Clone, Debug)]
pub(crate) struct Table<V> {
    index: Index,
    slots: Vec<Option<V>>,
    free: Vec<usize>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self { index: Index::default(), slots: Vec::new(), free: Vec::new() }
    }
}

impl<V> Table<V> {
    fn slot(&self, id: &str) -> Option<usize> {
        self.index.get(id).and_then(|slot| usize::try_from(slot).ok())
    }

    pub(crate) fn get(&self, id: &str) -> Option<&V> {
        self.slots.get(self.slot(id)?)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut V> {
        let slot = self.slot(id)?;
        self.slots.get_mut(slot)?.as_mut()
    }

    pub(crate) fn key(&self, id: &str) -> Option<&Arc<str>> {
        self.index.key(id)
    }

    pub(crate) fn insert(&mut self, id: &Arc<str>, value: V) {
        if let Some(known) = self.get_mut(id) {
            *known = value;
            return;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        if let Some(place) = self.slots.get_mut(slot) {
            *place = Some(value);
        }
        self.index.insert(id, slot as u64);
    }

    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    /// In no order that means anything, and always the same one after the same steps.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.slots.iter().flatten()
    }

    pub(crate) fn remove(&mut self, id: &str) -> Option<V> {
        let slot = self.slot(id)?;
        self.index.remove_if(id, slot as u64);
        self.free.push(slot);
        self.slots.get_mut(slot)?.take()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::Line;

    proptest! {
        #[test]
        fn a_line_is_a_map(steps in proptest::collection::vec((0..30_u64, 0..3_u8), 0..300)) {
            let (mut line, mut map) = (Line::default(), BTreeMap::new());
            for (at, (number, what)) in steps.into_iter().enumerate() {
                if what > 0 {
                    line.insert(number, at);
                    map.insert(number, at);
                } else {
                    // The first leaves most often.
                    let number = if number % 2 == 0 { map.keys().next().copied().unwrap_or(number) } else { number };
                    prop_assert_eq!(line.remove(number).map(|value| *value), map.remove(&number));
                }
                prop_assert!(line.iter().map(|(number, at)| (number, *at)).eq(map.iter().map(|(number, at)| (*number, *at))));
                for number in 0..30 {
                    prop_assert_eq!(line.get(number), map.get(&number));
                }
            }
        }
    }
}
