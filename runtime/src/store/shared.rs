//! What the two halves of a store share.
//!
//! In: changes by the writer, indexes by anybody. Out: the state as readers see it. Never: a call to an index function
//! while a copy of the state is locked.

use std::{hash::Hash, sync::Arc};

use hashbrown::DefaultHashBuilder;
use parking_lot::{Mutex, MutexGuard};

use super::{
    Entry,
    index::{DuplicateIndex, IndexFunction, IndexState, Values, function},
    state::{Put, State},
    twin::{Twin, Writing},
};
use crate::object::{Object, ObjectKey};

/// The index functions of a store, with their names, in the order of its indexes.
type Functions<K> = Vec<(Arc<str>, Arc<dyn IndexFunction<K>>)>;

pub(super) struct Shared<K> {
    state: Twin<State<K>>,
    functions: Mutex<Functions<K>>,
    hasher: DefaultHashBuilder,
}

/// The right to change a store: the only one at a time.
pub(super) struct Change<'s, K> {
    pub(super) state: Writing<'s, State<K>>,
    functions: MutexGuard<'s, Functions<K>>,
}

impl<K: Object> Shared<K> {
    pub(super) fn new() -> Self {
        let hasher = DefaultHashBuilder::default();
        let empty = || State::new(hasher.clone(), Vec::new());
        Self { state: Twin::new(empty(), empty()), functions: Mutex::default(), hasher }
    }

    pub(super) fn hasher(&self) -> &DefaultHashBuilder {
        &self.hasher
    }

    pub(super) fn read<R>(&self, read: impl FnOnce(&State<K>) -> R) -> R {
        self.state.read(read)
    }

    pub(super) fn change(&self) -> Change<'_, K> {
        let functions = self.functions.lock();
        Change { state: self.state.write(), functions }
    }

    pub(super) fn add_index<V, I, F>(&self, name: &str, index: F) -> Result<(Arc<str>, usize), DuplicateIndex>
    where
        V: Hash + Eq + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
        F: Fn(&K) -> I + Send + Sync + 'static,
    {
        let mut change = self.change();
        if change.functions.iter().any(|(other, _)| **other == *name) {
            return Err(DuplicateIndex { name: name.to_owned() });
        }
        let name: Arc<str> = name.into();
        let function = function(Arc::clone(&name), self.hasher.clone(), index);
        let mut filled = function.empty();
        for (place, slot) in self.read(State::snapshot).iter() {
            if let Some(object) = slot.entry.object() {
                filled.set(place, &function.values(&object));
            }
        }
        let position = change.functions.len();
        change.functions.push((Arc::clone(&name), function));
        change.state.change(|state| state.add_index(filled.duplicate()));
        Ok((name, position))
    }
}

impl<K: Object> Change<'_, K> {
    /// Makes an object ready to be put in.
    pub(super) fn prepare(&self, hash: u64, key: ObjectKey, entry: Entry<K>) -> Put<K> {
        let values = self.values(&entry);
        Put { hash, key, entry, values }
    }

    /// What the index functions say of an object; nothing if it does not decode.
    pub(super) fn values(&self, entry: &Entry<K>) -> Vec<Values> {
        if self.functions.is_empty() {
            return Vec::new();
        }
        let Some(object) = entry.object() else { return Vec::new() };
        self.functions.iter().map(|(_, function)| function.values(&object)).collect()
    }

    /// Empty indexes for all functions.
    pub(super) fn empty_indexes(&self) -> Vec<Box<dyn IndexState>> {
        self.functions.iter().map(|(_, function)| function.empty()).collect()
    }
}
