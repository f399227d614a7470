//! A map that forgets.
//!
//! In: entries. Out: those that were used last. Never: more than its limit.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

/// A map of at most so many entries; the one that was used longest ago goes first.
#[derive(Debug)]
pub(super) struct Lru<K, V> {
    limit: usize,
    uses: u64,
    entries: HashMap<K, (u64, V)>,
    by_use: BTreeMap<u64, K>,
}

impl<K: Clone + Eq + Hash, V> Lru<K, V> {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, uses: 0, entries: HashMap::new(), by_use: BTreeMap::new() }
    }

    /// The entry of a key, made if there is none. This is a use.
    pub(super) fn get_or_insert_with(&mut self, key: &K, make: impl FnOnce() -> V) -> &mut V {
        if !self.entries.contains_key(key)
            && self.entries.len() >= self.limit
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.entries.remove(&oldest);
        }
        self.uses += 1;
        let (used, value) = self.entries.entry(key.clone()).or_insert_with(|| (0, make()));
        self.by_use.remove(used);
        *used = self.uses;
        self.by_use.insert(self.uses, key.clone());
        value
    }

    /// The entry of a key. This is a use.
    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let (used, value) = self.entries.get_mut(key)?;
        self.uses += 1;
        self.by_use.remove(used);
        *used = self.uses;
        self.by_use.insert(self.uses, key.clone());
        Some(value)
    }

    /// Keeps the entries for which this holds. They are asked in the order of their last use.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&mut V) -> bool) {
        let entries = &mut self.entries;
        self.by_use.retain(|_, key| {
            let keeps = entries.get_mut(key).is_some_and(|(_, value)| keep(value));
            if !keeps {
                entries.remove(key);
            }
            keeps
        });
    }

    /// Hands each value to `each`, in the order of their last use.
    pub(super) fn for_each(&mut self, mut each: impl FnMut(&mut V)) {
        for key in self.by_use.values() {
            if let Some((_, value)) = self.entries.get_mut(key) {
                each(value);
            }
        }
    }
}
