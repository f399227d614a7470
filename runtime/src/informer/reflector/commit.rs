//! Putting a whole new state in the place of the old one.
//!
//! In: a complete list. Out: the store, in one step for readers, and for the handlers what has changed since: deletions
//! that nobody told of among it. Never: an event for an object that did not change.

use std::sync::Arc;

use super::{
    Reflector,
    apply::{Seen, gone},
};
use crate::{
    informer::{
        sync::SyncState,
        told::{Kind, Notice},
    },
    object::{Object, ObjectKey},
    store::{Entry, Replaced, Replacement, ResourceVersion},
};

/// Dropping so many objects is left to a thread of its own.
const MANY: usize = 10_000;

impl<K: Object> Reflector<K> {
    pub(super) fn commit(&mut self, list: Replacement<K>, version: ResourceVersion) {
        self.seen = Some(version.clone());
        let hub = Arc::clone(&self.core.hub);
        let mut members = hub.lock();
        let first = !members.is_synced();
        let told = !members.is_empty();
        let kind = if first { Kind::Initial } else { Kind::Added };
        let notices = if told { self.differences(&list, kind) } else { Vec::new() };
        let before = self.writer.store().len();
        let replaced = self.writer.commit(list, version);
        if first {
            members.publish_first(&notices);
        } else {
            notices.iter().for_each(|notice| members.publish(notice));
        }
        drop(members);
        self.core.sync.settle(SyncState::Synced);
        retire(before, replaced);
    }

    /// What handlers must be told to get from the present state to that of the list. `kind` is that of objects they have not
    /// heard of.
    fn differences(&self, list: &Replacement<K>, kind: Kind) -> Vec<Notice<K>> {
        let missing = self.writer.missing_from(list);
        let mut notices: Vec<_> = missing.iter().map(|(key, entry)| gone(key, entry, Seen::Missed)).collect();
        let store = self.writer.store();
        for (key, new) in list.iter() {
            let stored = store.entry(key);
            if stored.as_ref().is_some_and(|stored| is_same(stored, new)) {
                continue;
            }
            let key = ObjectKey::from_text(key);
            let (another, old) = match stored {
                Some(stored) if stored.uid() != new.uid() => (Some(stored), None),
                stored => (None, stored),
            };
            notices.extend(another.map(|another| gone(&key, &another, Seen::Missed)));
            notices.push(Notice::Present { key, old, new: new.clone(), kind });
        }
        notices
    }
}

/// Whether both are one entry: the list keeps those that did not change.
fn is_same<K>(one: &Entry<K>, other: &Entry<K>) -> bool {
    match (one, other) {
        (Entry::Decoded(one), Entry::Decoded(other)) => Arc::ptr_eq(one, other),
        (Entry::Packed(one), Entry::Packed(other)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}

/// Drops the old state where that holds nobody up.
fn retire<K: Object>(objects: usize, replaced: Replaced<K>) {
    if objects >= MANY
        && let Ok(runtime) = tokio::runtime::Handle::try_current()
    {
        runtime.spawn_blocking(move || drop(replaced));
    }
}
