//! A whole new state of a store, built beside the present one.
//!
//! In: all objects of a list, page by page. Out: two states to put in the place of the present ones. Never: seen by a
//! reader before it is whole.
//!
//! It is one state until it is whole; the other is a copy of it, which costs less than to build two.

use std::{fmt, hash::BuildHasher};

use hashbrown::DefaultHashBuilder;

use super::{
    Entry, ResourceVersion,
    shared::Change,
    state::{Put, State},
};
use crate::object::{Object, ObjectKey};

/// A state in the making.
pub struct Replacement<K> {
    state: State<K>,
    hasher: DefaultHashBuilder,
}

impl<K: Object> Replacement<K> {
    pub(super) fn new(hasher: DefaultHashBuilder) -> Self {
        Self { state: State::new(hasher.clone(), Vec::new()), hasher }
    }

    fn hash(&self, key: &ObjectKey) -> u64 {
        self.hasher.hash_one(key.as_str())
    }

    /// Puts an object in, and gives back what it replaces: an object that was on an earlier page already.
    pub fn put(&mut self, key: ObjectKey, entry: Entry<K>) -> Option<Entry<K>> {
        let put = Put { hash: self.hash(&key), key, entry, values: Vec::new() };
        self.state.put(&put)
    }

    /// Takes an object out again.
    pub fn remove(&mut self, key: &ObjectKey) -> Option<Entry<K>> {
        self.state.remove(self.hash(key), key.as_str()).map(|slot| slot.entry)
    }

    /// The entry of a key.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<&Entry<K>> {
        self.state.get(self.hash(key), key.as_str())
    }

    /// Whether there is an object of this key.
    #[must_use]
    pub fn contains(&self, key: &ObjectKey) -> bool {
        self.contains_text(key.as_str())
    }

    pub(super) fn contains_text(&self, key: &str) -> bool {
        self.state.get(self.hasher.hash_one(key), key).is_some()
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All objects, each with the text of its key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Entry<K>)> {
        self.state.iter().map(|slot| (slot.key.as_str(), &slot.entry))
    }

    /// Indexes everything, with the functions that there are by now.
    pub(super) fn finish(mut self, change: &Change<'_, K>, version: ResourceVersion) -> [State<K>; 2] {
        let mut indexes = change.empty_indexes();
        if !indexes.is_empty() {
            for (place, slot) in self.state.snapshot().iter() {
                let values = change.values(&slot.entry);
                for (index, values) in indexes.iter_mut().zip(&values) {
                    index.set(place, values);
                }
            }
        }
        for index in indexes {
            self.state.add_index(index);
        }
        self.state.set_version(Some(version));
        [self.state.duplicate(), self.state]
    }
}

impl<K: Object> fmt::Debug for Replacement<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replacement").field("len", &self.len()).finish()
    }
}
