//! Small ordered maps and sets as sorted vectors, and one index from ids to numbers for what may grow large.
//!
//! A B-tree is its own code for each pair of types: for the many small maps here that would be most of the download.

use std::collections::BTreeMap;
use std::sync::Arc;

use litemap::LiteMap;

/// An ordered map that stays small, or that grows at its end.
pub(crate) type Map<K, V> = LiteMap<K, V>;

/// An ordered set that stays small, or that grows at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Set<T>(Vec<T>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ord> Set<T> {
    /// Returns false where it was there.
    pub(crate) fn insert(&mut self, item: T) -> bool {
        match self.0.last() {
            Some(last) if *last < item => {
                self.0.push(item);
                true
            }
            None | Some(_) => match self.0.binary_search(&item) {
                Ok(_) => false,
                Err(at) => {
                    self.0.insert(at, item);
                    true
                }
            },
        }
    }

    /// Returns false where it was not there.
    pub(crate) fn remove(&mut self, item: &T) -> bool {
        let found = self.0.binary_search(item);
        if let Ok(at) = found {
            self.0.remove(at);
        }
        found.is_ok()
    }

    pub(crate) fn contains(&self, item: &T) -> bool {
        self.0.binary_search(item).is_ok()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::default();
        for item in items {
            set.insert(item);
        }
        set
    }
}

impl<T: Ord> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<T> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Items ascending by a number; equal ones keep their order. A sort is its own code for each type too: this is one for all.
pub(crate) fn by_number<T: Copy>(items: &[T], number: impl Fn(T) -> u64) -> Vec<T> {
    let mut order: Vec<(u64, usize)> = items.iter().enumerate().map(|(at, item)| (number(*item), at)).collect();
    order.sort_unstable();
    order.into_iter().filter_map(|(_, at)| items.get(at).copied()).collect()
}

/// From ids to numbers: for indexes that grow with the thread.
#[derive(Debug, Default)]
pub(crate) struct Index(BTreeMap<Arc<str>, u64>);

impl Index {
    pub(crate) fn get(&self, id: &str) -> Option<u64> {
        self.0.get(id).copied()
    }

    pub(crate) fn insert(&mut self, id: &Arc<str>, number: u64) {
        self.0.insert(Arc::clone(id), number);
    }

    /// Gives the id a number, unless it has one. True where it stands for that number now.
    pub(crate) fn claim(&mut self, id: &Arc<str>, number: u64) -> bool {
        match self.get(id) {
            Some(known) => known == number,
            None => {
                self.insert(id, number);
                true
            }
        }
    }

    /// Takes the id out, if it stands for that number.
    pub(crate) fn remove_if(&mut self, id: &str, number: u64) {
        if self.get(id) == Some(number) {
            self.0.remove(id);
        }
    }

    /// The id as it is held: one allocation for all who name it.
    pub(crate) fn key(&self, id: &str) -> Option<&Arc<str>> {
        self.0.get_key_value(id).map(|(key, _)| key)
    }
}

/// Values by id, for indexes that grow with the thread: an [`Index`] into slots.
#[derive(Debug)]
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

    pub(crate) fn remove(&mut self, id: &str) -> Option<V> {
        let slot = self.slot(id)?;
        self.index.remove_if(id, slot as u64);
        self.free.push(slot);
        self.slots.get_mut(slot)?.take()
    }
}
