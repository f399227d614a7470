//! What was written here and has not come back yet.
//!
//! In: answers to writes. Out: what they change about what the cache says. Never: an answer that the cache has overtaken.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    object::{Object, ObjectKey},
    store::{ResourceVersion, Store},
};

/// One answer.
pub(super) enum Write<K> {
    /// The object as it then was.
    Object(Arc<K>, ResourceVersion),
    /// The object with this uid is gone.
    Gone(Option<String>),
}

/// The answers by key; few, and none for long.
pub(super) struct Own<K>(BTreeMap<ObjectKey, Write<K>>);

impl<K> Default for Own<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Object> Own<K> {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Notes the state in which a write has left an object.
    pub(super) fn note(&mut self, object: Arc<K>, store: &Store<K>) {
        let key = ObjectKey::of(&*object);
        let version = version_of(&*object);
        // Only numbers can be told to be older or newer.
        let Some(version) = version.filter(|version| version.number().is_some()) else { return };
        // Two writes at a time may be answered in any order.
        let newer =
            |before: &Write<K>| matches!(before, Write::Object(_, before) if version.is_before(before));
        if !self.0.get(&key).is_some_and(newer) {
            self.0.insert(key, Write::Object(object, version));
        }
        self.settle(store);
    }

    pub(super) fn note_gone(&mut self, key: ObjectKey, uid: Option<String>, store: &Store<K>) {
        self.0.insert(key, Write::Gone(uid));
        self.settle(store);
    }

    /// Forgets what the cache has reached.
    pub(super) fn settle(&mut self, store: &Store<K>) {
        if self.0.is_empty() {
            return;
        }
        let reached = store.resource_version();
        self.0.retain(|key, write| match write {
            // Before the first list the cache has reached nothing.
            Write::Object(_, version) => reached.as_ref().is_none_or(|reached| reached.is_before(version)),
            Write::Gone(uid) => store.get(key).is_some_and(|there| there.meta().uid == *uid),
        });
    }

    pub(super) fn get(&self, key: &ObjectKey) -> Option<&Write<K>> {
        self.0.get(key)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&ObjectKey, &Write<K>)> {
        self.0.iter()
    }
}

fn version_of(object: &impl Object) -> Option<ResourceVersion> {
    object.meta().resource_version.as_deref().map(ResourceVersion::from)
}
