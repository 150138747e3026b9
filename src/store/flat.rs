//! Small ordered maps and sets as sorted vectors, and one index from ids to numbers for what may grow large.
//!
//! A B-tree is its own code for each pair of types: for the many small maps here that would be most of the download.

use std::collections::VecDeque;
use std::sync::Arc;

pub(crate) use super::line::{Line, Table};

/// An ordered map that stays small, or that grows at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Map<K, V> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn first(&self) -> Option<(&K, &V)> {
        self.0.first().map(|(key, value)| (key, value))
    }

    pub(crate) fn retain(&mut self, mut keeps: impl FnMut(&K, &V) -> bool) {
        self.0.retain(|(key, value)| keeps(key, value));
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> Map<K, V> {
    fn find(&self, key: &K) -> Result<usize, usize> {
        match self.0.last() {
            Some((last, _)) if last < key => Err(self.0.len()),
            Some(_) | None => self.0.binary_search_by(|(known, _)| known.cmp(key)),
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.0.get(self.find(key).ok()?).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let at = self.find(key).ok()?;
        self.0.get_mut(at).map(|(_, value)| value)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.find(key).is_ok()
    }

    /// Returns what stood there before.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => self.0.get_mut(at).map(|(_, known)| std::mem::replace(known, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        self.find(key).ok().map(|at| self.0.remove(at).1)
    }
}

impl<K: Ord, T> Map<K, Vec<T>> {
    /// Adds to the list under a key.
    pub(crate) fn push(&mut self, key: K, item: T) {
        match self.get_mut(&key) {
            Some(list) => list.push(item),
            None => {
                self.insert(key, vec![item]);
            }
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Self {
        let mut map = Self::new();
        for (key, value) in items {
            map.insert(key, value);
        }
        map
    }
}

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

/// From ids to numbers: for indexes that grow with the thread. A hash table with open addressing; never walked through, so
/// that its order tells nothing (L14).
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// As many as a power of two, at most three quarters of them taken.
    slots: Vec<Option<(Arc<str>, u64)>>,
    len: usize,
}

impl Index {
    /// Where an id stands, or the free slot where it would.
    fn find(&self, id: &str) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash(id) & mask;
        while let Some(Some((known, _))) = self.slots.get(at) {
            if **known == *id {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn entry(&self, id: &str) -> Option<&(Arc<str>, u64)> {
        self.slots.get(self.find(id))?.as_ref()
    }

    pub(crate) fn get(&self, id: &str) -> Option<u64> {
        self.entry(id).map(|(_, number)| *number)
    }

    /// How many ids.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn insert(&mut self, id: &Arc<str>, number: u64) {
        if self.len * 4 >= self.slots.len() * 3 {
            let mut wider = Vec::new();
            wider.resize_with((self.slots.len() * 2).max(8), || None);
            for entry in std::mem::replace(&mut self.slots, wider).into_iter().flatten() {
                self.put(entry);
            }
        }
        self.len += usize::from(self.entry(id).is_none());
        self.put((Arc::clone(id), number));
    }

    fn put(&mut self, entry: (Arc<str>, u64)) {
        let at = self.find(&entry.0);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = Some(entry);
        }
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
        if self.get(id) != Some(number) {
            return;
        }
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = self.find(id);
        self.len -= 1;
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = None;
        }
        // What stood behind it may have been pushed there by it: each finds its place anew, up to the next free slot.
        loop {
            at = (at + 1) & mask;
            let Some(entry) = self.slots.get_mut(at).and_then(Option::take) else { return };
            self.put(entry);
        }
    }

    /// The id as it is held: one allocation for all who name it.
    pub(crate) fn key(&self, id: &str) -> Option<&Arc<str>> {
        self.entry(id).map(|(key, _)| key)
    }
}

/// Eight bytes at a time; the low bits choose the slot. Always the same for the same id (L14).
fn hash(id: &str) -> usize {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, bytes: u64| {
        let hash = (hash ^ bytes).wrapping_mul(MIX);
        hash ^ (hash >> 32)
    };
    let (mut rest, mut hash) = (id.as_bytes(), id.len() as u64);
    while let Some((eight, more)) = rest.split_first_chunk::<8>() {
        hash = mix(hash, u64::from_le_bytes(*eight));
        rest = more;
    }
    let last = rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte));
    mix(hash, last) as usize
}

/// A bounded memory of ids. The oldest is forgotten.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    order: VecDeque<Arc<str>>,
    known: Index,
    limit: usize,
}

impl Memory {
    pub(crate) fn new(limit: usize) -> Self {
        Self { order: VecDeque::new(), known: Index::default(), limit }
    }

    pub(crate) fn add(&mut self, id: &Arc<str>) {
        if !self.has(id) {
            self.known.insert(id, 0);
            self.order.push_back(Arc::clone(id));
            if self.order.len() > self.limit
                && let Some(oldest) = self.order.pop_front()
            {
                self.known.remove_if(&oldest, 0);
            }
        }
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.known.get(id).is_some()
    }

    pub(crate) fn remove(&mut self, id: &str) {
        if self.has(id) {
            self.known.remove_if(id, 0);
            self.order.retain(|known| **known != *id);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.order.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::Index;

    proptest! {
        #[test]
        fn an_index_is_a_map(steps in proptest::collection::vec((0..40_u64, 0..3_u8), 0..300)) {
            let (mut index, mut map) = (Index::default(), BTreeMap::new());
            for (number, what) in steps {
                let id: Arc<str> = format!("id-{number}").into();
                if what > 0 {
                    index.insert(&id, number);
                    map.insert(id, number);
                } else {
                    index.remove_if(&id, number);
                    map.remove(&id);
                }
                for number in 0..40 {
                    let id = format!("id-{number}");
                    prop_assert_eq!(index.get(&id), map.get(id.as_str()).copied());
                }
            }
        }
    }
}
