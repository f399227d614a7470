//! One object from the server: is it news, can it be used, what does it replace.
//!
//! In: objects that were taken in. Out: a changed store and an event for the handlers, or neither. Never: a version that
//! goes back, or an object that stops the others.
//!
//! An object that does not decode is reported and otherwise treated as if the change had not been seen: the store keeps
//! the last state of it that did decode, and readers and handlers go by that until it decodes again or is deleted. To
//! say that it is gone would be false, and controllers act on it.

use std::sync::Arc;

use super::{
    super::{
        error::InformerError,
        intake::{Arrival, Arrived},
        stats::count,
        told::{Kind, Notice},
    },
    Reflector,
};
use crate::{
    object::{Object, ObjectKey},
    store::{Entry, Replacement, ResourceVersion},
};

/// What an object is to the one stored under its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    /// The same object, and the version is known or older.
    Nothing,
    /// The same object, changed.
    Change,
    /// Another object of the same name: the stored one is gone.
    Another,
}

impl<K: Object> Reflector<K> {
    /// An object of a list that is not complete yet.
    pub(super) fn listed(&self, list: &mut Replacement<K>, arrived: Arrived<K>) {
        let Some(arrival) = self.identified(arrived) else { return };
        // Pages may overlap when objects move between them.
        if list.get(&arrival.key).is_some_and(|listed| news(listed, &arrival) == News::Nothing) {
            return;
        }
        let entry = match arrival.entry {
            Ok(entry) => Some(entry),
            Err(reason) => {
                self.report_bad(Some(arrival.key.clone()), reason);
                // What is known of the same object stays.
                self.writer.entry(&arrival.key).filter(|stored| *stored.uid() == *arrival.uid)
            }
        };
        if let Some(entry) = entry {
            list.put(arrival.key, entry);
        }
    }

    /// A streamed list says that an object which it has shown is gone.
    pub(super) fn unlisted(&self, list: &mut Replacement<K>, arrived: Arrived<K>) {
        if let Some(arrival) = self.identified(arrived) {
            list.remove(&arrival.key);
        }
    }

    /// A watch says that an object was added or changed.
    pub(super) fn present(&mut self, arrived: Arrived<K>) {
        let Some(arrival) = self.identified(arrived) else { return };
        let stored = self.writer.entry(&arrival.key);
        let news = stored.as_ref().map_or(News::Change, |stored| news(stored, &arrival));
        if news == News::Nothing || self.has_seen(arrival.version.as_ref()) {
            count(&self.core.hub.counters.duplicates);
            self.advance(arrival.version.as_ref());
            return;
        }
        let (replaced, old) = match news {
            News::Another => (stored, None),
            News::Change | News::Nothing => (None, stored),
        };
        match arrival.entry {
            Ok(entry) => {
                if let Some(replaced) = replaced {
                    self.take_out(&arrival.key, &replaced, Seen::Missed);
                }
                self.put(&arrival.key, &entry, arrival.version.as_ref(), old);
            }
            Err(reason) => {
                self.report_bad(Some(arrival.key.clone()), reason);
                self.advance(arrival.version.as_ref());
                if let Some(replaced) = replaced {
                    self.take_out(&arrival.key, &replaced, Seen::Missed);
                }
            }
        }
    }

    /// A watch says that an object was deleted.
    pub(super) fn gone(&mut self, arrived: Arrived<K>) {
        let Some(arrival) = self.identified(arrived) else { return };
        self.advance(arrival.version.as_ref());
        let Some(stored) = self.writer.entry(&arrival.key) else {
            count(&self.core.hub.counters.duplicates);
            return;
        };
        let late = match (&arrival.version, stored.version()) {
            (Some(deleted), Some(stored)) => deleted.is_before(&stored),
            _ => false,
        };
        if *stored.uid() != *arrival.uid || late {
            count(&self.core.hub.counters.duplicates);
            return;
        }
        let last = arrival.entry.unwrap_or_else(|reason| {
            self.report_bad(Some(arrival.key.clone()), reason);
            stored
        });
        self.take_out(&arrival.key, &last, Seen::Told);
    }

    fn put(
        &mut self,
        key: &ObjectKey,
        entry: &Entry<K>,
        version: Option<&ResourceVersion>,
        old: Option<Entry<K>>,
    ) {
        let version = self.advance(version);
        let hub = Arc::clone(&self.core.hub);
        let members = hub.lock();
        let replaced = self.writer.put(key.clone(), entry.clone(), version.as_ref());
        count(&hub.counters.changes);
        if !members.is_empty() {
            let (key, old, new) = (key.clone(), old.clone(), entry.clone());
            members.publish(&Notice::Present { key, old, new, kind: Kind::Added });
        }
        drop(members);
        self.replaced.extend(replaced.or(old));
    }

    fn take_out(&mut self, key: &ObjectKey, last: &Entry<K>, seen: Seen) {
        let hub = Arc::clone(&self.core.hub);
        let members = hub.lock();
        self.writer.remove(key, self.seen.as_ref());
        count(&hub.counters.changes);
        if !members.is_empty() {
            members.publish(&gone(key, last, seen));
        }
    }

    /// Everything up to this version is known.
    pub(super) fn bookmark(&mut self, version: Option<&ResourceVersion>) {
        if let Some(version) = self.advance(version) {
            self.writer.set_version(&version);
        }
        self.writer.forget_unused();
    }

    /// Whether an event is one that came before, as it repeats when a proxy does. An object that is not stored may have
    /// been deleted since; only the version of the event tells.
    fn has_seen(&self, version: Option<&ResourceVersion>) -> bool {
        match (version, &self.seen) {
            (Some(version), Some(seen)) => {
                version.number().is_some() && (version == seen || version.is_before(seen))
            }
            _ => false,
        }
    }

    /// Moves the version that is known forward, never back.
    fn advance(&mut self, version: Option<&ResourceVersion>) -> Option<ResourceVersion> {
        let version = version?;
        if !self.seen.as_ref().is_some_and(|seen| version.is_before(seen)) {
            self.seen = Some(version.clone());
        }
        self.seen.clone()
    }

    fn identified(&self, arrived: Arrived<K>) -> Option<Arrival<K>> {
        arrived.map_err(|reason| self.report_bad(None, reason)).ok()
    }

    fn report_bad(&self, key: Option<ObjectKey>, reason: String) {
        count(&self.core.hub.counters.bad_objects);
        self.report(&InformerError::BadObject { key, reason });
    }
}

/// How a deletion came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The server told of it.
    Told,
    /// The object was not there any more.
    Missed,
}

fn news<K: Object>(stored: &Entry<K>, arrival: &Arrival<K>) -> News {
    let same_object = *stored.uid() == *arrival.uid;
    match (stored.version(), &arrival.version) {
        (Some(stored), Some(version)) if version.is_before(&stored) => News::Nothing,
        (Some(stored), Some(version)) if same_object && *version == stored => News::Nothing,
        _ if same_object => News::Change,
        _ => News::Another,
    }
}

/// The notice of an object that is not in the store any more.
pub(super) fn gone<K: Object>(key: &ObjectKey, last: &Entry<K>, seen: Seen) -> Notice<K> {
    Notice::Gone { key: key.clone(), last: last.clone(), missed: seen == Seen::Missed }
}
