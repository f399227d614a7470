//! What became of an object since the handler last heard of it.
//!
//! In: how an object is now, as the lister says, and how it last was, if the informer saw it deleted. Out: what the
//! handler is to be told. Never: the same thing twice, once it was told with success.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kube::Resource;
use kube_codegen_runtime::object::{Object, ObjectKey};

/// Something to tell a handler.
#[derive(Clone, Debug)]
pub enum Change<K> {
    /// The handler has not heard of this object yet.
    Created(Arc<K>),
    /// The object is no longer as the handler was told.
    Updated {
        /// As the handler was told.
        old: Arc<K>,
        /// As it is.
        new: Arc<K>,
    },
    /// The object that the handler was told of is gone.
    Deleted(Arc<K>),
}

/// The memory of one controller. The objects in it are those in the informer's cache, not copies.
#[derive(Debug)]
pub struct Changes<K>(Mutex<Memory<K>>);

#[derive(Debug)]
struct Memory<K> {
    /// Every object as the handler was last told of it.
    told: HashMap<ObjectKey, Arc<K>>,
    /// How objects last were that have been deleted, until the handler was told.
    last: HashMap<ObjectKey, Arc<K>>,
}

impl<K> Default for Changes<K> {
    fn default() -> Self {
        Self(Mutex::new(Memory { told: HashMap::new(), last: HashMap::new() }))
    }
}

impl<K: Object> Changes<K> {
    /// Keeps how an object last was when it was deleted; nobody could look it up later.
    pub fn keep_last(&self, key: ObjectKey, last: Arc<K>) {
        self.memory().last.insert(key, last);
    }

    /// The next thing to tell of the object that is `now` like this, or is not there.
    ///
    /// Ask again after each [`told`](Self::told) until there is nothing: an object that was deleted and made anew is
    /// two things to tell.
    #[must_use]
    pub fn next(&self, key: &ObjectKey, now: Option<Arc<K>>) -> Option<Change<K>> {
        let mut memory = self.memory();
        match (memory.told.get(key).cloned(), now) {
            (None, None) => {
                // It came and went before a worker looked; the handler need never know.
                memory.last.remove(key);
                None
            }
            (None, Some(new)) => Some(Change::Created(new)),
            (Some(old), Some(new)) if !is_same_object::<K>(&old, &new) => {
                Some(Change::Deleted(memory.last_of(key, old)))
            }
            (Some(old), None) => Some(Change::Deleted(memory.last_of(key, old))),
            (Some(old), Some(new)) if is_same_version::<K>(&old, &new) => None,
            (Some(old), Some(new)) => Some(Change::Updated { old, new }),
        }
    }

    /// Remembers that the handler was told this, and is done with it.
    pub fn told(&self, key: &ObjectKey, change: Change<K>) {
        let mut memory = self.memory();
        match change {
            Change::Created(new) | Change::Updated { new, .. } => {
                memory.told.insert(key.clone(), new);
            }
            Change::Deleted(_) => {
                memory.told.remove(key);
                memory.last.remove(key);
            }
        }
    }

    /// A panic elsewhere leaves the maps whole, as nothing in this file runs foreign code while it holds them.
    fn memory(&self) -> MutexGuard<'_, Memory<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Object> Memory<K> {
    /// How the object `old` last was.
    fn last_of(&self, key: &ObjectKey, old: Arc<K>) -> Arc<K> {
        match self.last.get(key) {
            Some(last) if is_same_object::<K>(last, &old) => Arc::clone(last),
            _ => old,
        }
    }
}

/// Whether two objects of one name are one and the same: a name can be used again, a uid cannot.
fn is_same_object<K: Resource>(one: &K, other: &K) -> bool {
    one.meta().uid == other.meta().uid
}

fn is_same_version<K: Resource>(one: &K, other: &K) -> bool {
    one.meta().resource_version == other.meta().resource_version
}
