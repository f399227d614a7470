//! The writing half of a store.
//!
//! In: objects and deletions, one by one, or a whole new state. Out: what was there before. Never: a judgement whether
//! a change is right; that is the informer's.

use std::{fmt, hash::BuildHasher, sync::Arc};

use super::{Entry, Replacement, ResourceVersion, Store, shared::Shared};
use crate::object::{Object, ObjectKey};

/// The right to change a store. There is one.
pub struct Writer<K> {
    shared: Arc<Shared<K>>,
}

/// Makes an empty store, and gives its two halves.
#[must_use]
pub fn store<K: Object>() -> (Store<K>, Writer<K>) {
    let shared = Arc::new(Shared::new());
    (Store::new(Arc::clone(&shared)), Writer { shared })
}

impl<K: Object> Writer<K> {
    /// A reading half.
    #[must_use]
    pub fn store(&self) -> Store<K> {
        Store::new(Arc::clone(&self.shared))
    }

    /// Puts an object in under its own key, and gives back what it replaces.
    pub fn put_object(&mut self, object: K) -> Option<Entry<K>> {
        self.put(ObjectKey::of(&object), object.into(), None)
    }

    /// Puts an object in, and gives back what it replaces. The store is at `version` from now on, if given.
    pub fn put(
        &mut self,
        key: ObjectKey,
        entry: Entry<K>,
        version: Option<&ResourceVersion>,
    ) -> Option<Entry<K>> {
        let hash = self.shared.hasher().hash_one(key.as_str());
        let mut change = self.shared.change();
        let put = change.prepare(hash, key, entry);
        let (replaced, _) = change.state.change(|state| {
            if let Some(version) = version {
                state.set_version(Some(version.clone()));
            }
            state.put(&put)
        });
        replaced
    }

    /// Takes an object out, and gives it back. The store is at `version` from now on, if given.
    pub fn remove(&mut self, key: &ObjectKey, version: Option<&ResourceVersion>) -> Option<Entry<K>> {
        let hash = self.shared.hasher().hash_one(key.as_str());
        let (removed, _) = self.shared.change().state.change(|state| {
            if let Some(version) = version {
                state.set_version(Some(version.clone()));
            }
            state.remove(hash, key.as_str())
        });
        removed.map(|slot| slot.entry)
    }

    /// Says that nothing has changed up to `version`.
    pub fn set_version(&mut self, version: &ResourceVersion) {
        self.shared.change().state.change(|state| state.set_version(Some(version.clone())));
    }

    /// What is stored under a key.
    #[must_use]
    pub fn entry(&self, key: &ObjectKey) -> Option<Entry<K>> {
        let hash = self.shared.hasher().hash_one(key.as_str());
        self.shared.read(|state| state.get(hash, key.as_str()).cloned())
    }

    /// Begins a whole new state. Readers go on seeing the present one until it is [committed](Self::commit).
    #[must_use]
    pub fn replacement(&self) -> Replacement<K> {
        Replacement::new(self.shared.hasher().clone())
    }

    /// What the store holds under keys that the replacement does not have.
    #[must_use]
    pub fn missing_from(&self, replacement: &Replacement<K>) -> Vec<(ObjectKey, Entry<K>)> {
        let snapshot = self.store().snapshot();
        let missing = snapshot.iter().filter(|(_, slot)| !replacement.contains_text(slot.key.as_str()));
        missing.map(|(_, slot)| (slot.key.to_key(), slot.entry.clone())).collect()
    }

    /// Puts a new state in the place of the present one, in one step for readers, and gives back the old one; dropping
    /// that may take some time.
    #[must_use = "dropping the old state takes its time: choose where"]
    pub fn commit(&mut self, replacement: Replacement<K>, version: ResourceVersion) -> Replaced<K> {
        let mut change = self.shared.change();
        let mut states = replacement.finish(&change, version).into_iter();
        let (one, other) =
            change.state.change(|state| states.next().map(|new| std::mem::replace(state, new)));
        Replaced { _states: [one, other] }
    }

    /// Gives back the memory of decoded objects that nobody uses any more, in a store of packed ones.
    pub fn forget_unused(&self) {
        for (_, slot) in self.store().snapshot().iter() {
            if let Entry::Packed(packed) = &slot.entry {
                packed.forget_unused();
            }
        }
    }
}

/// The state that a store had before a commit. Good for nothing but to be dropped.
pub struct Replaced<K> {
    _states: [Option<super::state::State<K>>; 2],
}

impl<K> fmt::Debug for Replaced<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replaced").finish_non_exhaustive()
    }
}

impl<K: Object> fmt::Debug for Writer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("store", &self.store()).finish()
    }
}
