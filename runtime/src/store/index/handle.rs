//! The typed handle of an index.
//!
//! In: a value. Out: the objects that have it. Never: a lookup of the index by its name.

use std::{
    borrow::Borrow,
    fmt,
    hash::{BuildHasher, Hash},
    marker::PhantomData,
    sync::Arc,
};

use super::Postings;
use crate::{
    object::{Object, ObjectKey},
    store::{Store, slots::Place, state::State},
};

/// A named index of a store, from values of `V` to objects. A cheap handle.
pub struct Index<K: Object, V> {
    store: Store<K>,
    name: Arc<str>,
    position: usize,
    values: PhantomData<fn() -> V>,
}

/// There is an index of this name already.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store has an index named {name:?} already: choose another name, or share its handle")]
pub struct DuplicateIndex {
    /// The name.
    pub name: String,
}

impl<K: Object, V: Hash + Eq + Send + Sync + 'static> Index<K, V> {
    pub(in crate::store) fn new(store: Store<K>, name: Arc<str>, position: usize) -> Self {
        Self { store, name, position, values: PhantomData }
    }

    /// The name it was added under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The objects that have `value`, in no particular order. Costs what it returns.
    #[must_use]
    pub fn get<Q>(&self, value: &Q) -> Vec<Arc<K>>
    where
        V: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.store.hasher().hash_one(value);
        self.store.gather(|state| self.places(state, hash, value))
    }

    /// The keys of the objects that have `value`, in no particular order.
    #[must_use]
    pub fn keys_of<Q>(&self, value: &Q) -> Vec<ObjectKey>
    where
        V: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.store.hasher().hash_one(value);
        self.store.gather_keys(|state| self.places(state, hash, value))
    }

    /// How many objects have `value`.
    #[must_use]
    pub fn count<Q>(&self, value: &Q) -> usize
    where
        V: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.store.hasher().hash_one(value);
        self.store.read(|state| self.places(state, hash, value).len())
    }

    /// Every value that some object has, in no particular order.
    #[must_use]
    pub fn keys(&self) -> Vec<V>
    where
        V: Clone,
    {
        let values: Vec<Arc<V>> = self
            .store
            .read(|state| self.postings(state).map(|postings| postings.values().cloned().collect()))
            .unwrap_or_default();
        values.into_iter().map(|value| V::clone(&value)).collect()
    }

    fn postings<'s>(&self, state: &'s State<K>) -> Option<&'s Postings<V>> {
        state.index(self.position)?.as_any().downcast_ref()
    }

    fn places<'s, Q>(&self, state: &'s State<K>, hash: u64, value: &Q) -> &'s [Place]
    where
        V: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        self.postings(state).map_or(&[], |postings| postings.places(hash, value))
    }
}

impl<K: Object, V> Clone for Index<K, V> {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            name: Arc::clone(&self.name),
            position: self.position,
            values: PhantomData,
        }
    }
}

impl<K: Object, V> fmt::Debug for Index<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("name", &self.name).finish_non_exhaustive()
    }
}
