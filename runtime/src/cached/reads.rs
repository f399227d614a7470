//! Reads.
//!
//! In: keys and selectors. Out: objects, from the cache or from what was written here later. Never: a request.

use std::{collections::BTreeMap, sync::Arc};

use kube::core::SelectorExt;

use super::{
    CachedClient,
    own::{Own, Write},
};
use crate::{
    object::{Object, ObjectKey},
    store::Selector,
};

/// How often a read is made until the cache stands still for it.
const ATTEMPTS: usize = 4;

impl<K: Object> CachedClient<K> {
    /// The object of this key.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.steady(|own| match own.get(key) {
            Some(Write::Object(object, _)) => Some(Arc::clone(object)),
            Some(Write::Gone(_)) => None,
            None => self.store.get(key),
        })
    }

    /// The object with this namespace (empty for cluster-scoped kinds) and name.
    #[must_use]
    pub fn get_named(&self, namespace: &str, name: &str) -> Option<Arc<K>> {
        self.get(&ObjectKey::new(namespace, name))
    }

    /// All objects, in no particular order.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        self.with_own(|| self.store.list(), |_| true)
    }

    /// The objects of a namespace, in no particular order.
    #[must_use]
    pub fn list_namespace(&self, namespace: &str) -> Vec<Arc<K>> {
        let here = |object: &K| object.meta().namespace.as_deref().unwrap_or_default() == namespace;
        self.with_own(|| self.store.list_namespace(namespace), here)
    }

    /// The objects with labels that `selector` matches, in no particular order. Looks at every object.
    #[must_use]
    pub fn select(&self, selector: &Selector) -> Vec<Arc<K>> {
        let empty = BTreeMap::new();
        let matches = |object: &K| selector.matches(object.meta().labels.as_ref().unwrap_or(&empty));
        self.with_own(|| self.store.select(selector), matches)
    }

    /// What the cache says, but for the objects of which more is known here; of those, what belongs to the answer.
    fn with_own(&self, read: impl Fn() -> Vec<Arc<K>>, belongs: impl Fn(&K) -> bool) -> Vec<Arc<K>> {
        self.steady(|own| {
            let mut objects = read();
            if own.len() == 0 {
                return objects;
            }
            objects.retain(|object| own.get(&ObjectKey::of(&**object)).is_none());
            objects.extend(own.iter().filter_map(|(_, write)| match write {
                Write::Object(object, _) if belongs(object) => Some(Arc::clone(object)),
                Write::Object(..) | Write::Gone(_) => None,
            }));
            objects
        })
    }

    /// Reads when what is known here is newer than the cache; once more where the cache has moved meanwhile, and may have overtaken it.
    fn steady<R>(&self, read: impl Fn(&Own<K>) -> R) -> R {
        let mut own = self.own.lock();
        for _ in 0..ATTEMPTS {
            let before = self.store.resource_version();
            own.settle(&self.store);
            let result = read(&own);
            if own.len() == 0 || self.store.resource_version() == before {
                return result;
            }
        }
        own.settle(&self.store);
        read(&own)
    }
}
