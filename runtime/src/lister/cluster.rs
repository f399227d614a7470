//! Listers of cluster-scoped kinds.
//!
//! In: names, selectors. Out: objects of a store. Never: a namespace.

use std::{fmt, sync::Arc};

use crate::{
    object::Object,
    store::{Selector, Store},
};

/// Finds the objects of a cluster-scoped kind in a store.
pub struct ClusterLister<K> {
    store: Store<K>,
}

impl<K: Object> ClusterLister<K> {
    /// A lister on a store.
    #[must_use]
    pub fn new(store: Store<K>) -> Self {
        Self { store }
    }

    /// The object of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<K>> {
        self.store.get_named("", name)
    }

    /// All objects, in no particular order.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        self.store.list()
    }

    /// The objects with labels that `selector` matches. Looks at every object.
    #[must_use]
    pub fn select(&self, selector: &Selector) -> Vec<Arc<K>> {
        self.store.select(selector)
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store<K> {
        &self.store
    }
}

impl<K> Clone for ClusterLister<K> {
    fn clone(&self) -> Self {
        Self { store: self.store.clone() }
    }
}

impl<K: Object> fmt::Debug for ClusterLister<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClusterLister").field(&self.store).finish()
    }
}
