//! Putting a whole new state in the place of the old one.
//!
//! In: a complete list. Out: the store, in one step for readers, and for the handlers what has changed since: deletions
//! that nobody told of among it. Never: an event for an object that did not change.

use std::sync::Arc;

use super::{
    Reflector,
    apply::{Seen, change, deletion},
};
use crate::{
    informer::{Event, sync::SyncState},
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
        let events = if told { self.differences(&list, first) } else { Vec::new() };
        let before = self.writer.store().len();
        let replaced = self.writer.commit(list, version);
        if first {
            members.publish_first(&events);
        } else {
            for (key, event) in &events {
                members.publish(key, event);
            }
        }
        drop(members);
        self.core.sync.settle(SyncState::Synced);
        retire(before, replaced);
    }

    /// What a handler must be told to get from the present state to that of the list.
    fn differences(&self, list: &Replacement<K>, first: bool) -> Vec<(ObjectKey, Event<K>)> {
        let mut events = Vec::new();
        for (key, entry) in self.writer.missing_from(list) {
            let event = deletion(&key, &entry, Seen::Missed);
            events.push((key, event));
        }
        let store = self.writer.store();
        for (key, entry) in list.iter() {
            let stored = store.entry(key);
            if stored.as_ref().is_some_and(|stored| is_same(stored, entry)) {
                continue;
            }
            let key = ObjectKey::from_text(key);
            let (gone, old) = match stored {
                Some(stored) if stored.uid() != entry.uid() => (Some(stored), None),
                stored => (None, stored),
            };
            if let Some(gone) = gone {
                events.push((key.clone(), deletion(&key, &gone, Seen::Missed)));
            }
            if let Some(event) = change(old.as_ref(), entry) {
                events.push((key, if first { as_initial(event) } else { event }));
            }
        }
        events
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

fn as_initial<K>(event: Event<K>) -> Event<K> {
    match event {
        Event::Added { object, .. } => Event::Added { object, initial: true },
        event => event,
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
