//! Listers of namespaced kinds.
//!
//! In: namespaces, names, selectors. Out: objects of a store. Never: IO.

use std::{fmt, sync::Arc};

use crate::{
    object::Object,
    store::{Selector, Store},
};

/// Finds the objects of a namespaced kind in a store.
pub struct Lister<K> {
    store: Store<K>,
}

/// Finds the objects of one namespace in a store.
pub struct NamespaceLister<K> {
    store: Store<K>,
    namespace: Arc<str>,
}

impl<K: Object> Lister<K> {
    /// A lister on a store.
    #[must_use]
    pub fn new(store: Store<K>) -> Self {
        Self { store }
    }

    /// The object of this namespace and name.
    #[must_use]
    pub fn get(&self, namespace: &str, name: &str) -> Option<Arc<K>> {
        self.store.get_named(namespace, name)
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

    /// A lister for one namespace.
    #[must_use]
    pub fn namespace(&self, namespace: &str) -> NamespaceLister<K> {
        NamespaceLister { store: self.store.clone(), namespace: namespace.into() }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store<K> {
        &self.store
    }
}

impl<K: Object> NamespaceLister<K> {
    /// The object of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<K>> {
        self.store.get_named(&self.namespace, name)
    }

    /// All objects of the namespace, in no particular order. Costs what it returns.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        self.store.list_namespace(&self.namespace)
    }

    /// The objects of the namespace with labels that `selector` matches.
    #[must_use]
    pub fn select(&self, selector: &Selector) -> Vec<Arc<K>> {
        self.store.select_namespace(&self.namespace, selector)
    }

    /// The namespace.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.namespace
    }
}

impl<K> Clone for Lister<K> {
    fn clone(&self) -> Self {
        Self { store: self.store.clone() }
    }
}

impl<K> Clone for NamespaceLister<K> {
    fn clone(&self) -> Self {
        Self { store: self.store.clone(), namespace: Arc::clone(&self.namespace) }
    }
}

impl<K: Object> fmt::Debug for Lister<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lister").field(&self.store).finish()
    }
}

impl<K: Object> fmt::Debug for NamespaceLister<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamespaceLister")
            .field("namespace", &self.namespace)
            .field("store", &self.store)
            .finish()
    }
}
