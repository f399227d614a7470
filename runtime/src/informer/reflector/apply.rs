//! One object from the server: is it news, can it be used, what does it replace.
//!
//! In: the raw JSON of an object. Out: a changed store and an event for the handlers, or neither. Never: a version that
//! goes back, or an object that stops the others.
//!
//! An object that does not decode is reported and otherwise treated as if the change had not been seen: the store keeps
//! the last state of it that did decode, and readers and handlers go by that until it decodes again or is deleted. To
//! say that it is gone would be false, and controllers act on it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use serde_json::value::RawValue;

use super::{
    super::{Event, error::InformerError, incoming::Identity, stats::count},
    Reflector,
};
use crate::{
    object::{Object, ObjectKey},
    store::{Entry, Replacement, ResourceVersion, Storage},
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
    pub(super) fn listed(&self, list: &mut Replacement<K>, object: &RawValue) {
        let Some(identity) = self.identify(object) else { return };
        // Pages may overlap when objects move between them.
        if list.get(&identity.key).is_some_and(|listed| news(listed, &identity) == News::Nothing) {
            return;
        }
        let stored = self.writer.entry(&identity.key);
        let entry = match stored {
            Some(stored) if is_that(&stored, &identity) => Some(stored),
            stored => self.entry(object, &identity).or_else(|| {
                // It does not decode; what is known of the same object stays.
                stored.filter(|stored| *stored.uid() == *identity.uid)
            }),
        };
        if let Some(entry) = entry {
            list.put(identity.key, entry);
        }
    }

    /// A watch says that an object was added or changed.
    pub(super) fn present(&mut self, object: &RawValue) {
        let Some(identity) = self.identify(object) else { return };
        let stored = self.writer.entry(&identity.key);
        let news = stored.as_ref().map_or(News::Change, |stored| news(stored, &identity));
        if news == News::Nothing || self.has_seen(identity.version.as_ref()) {
            count(&self.core.hub.counters.duplicates);
            self.advance(identity.version.as_ref());
            return;
        }
        let Some(entry) = self.entry(object, &identity) else {
            self.advance(identity.version.as_ref());
            if let (News::Another, Some(stored)) = (news, stored) {
                self.take_out(&identity.key, &stored, Seen::Missed);
            }
            return;
        };
        if let (News::Another, Some(stored)) = (news, &stored) {
            self.take_out(&identity.key, stored, Seen::Missed);
        }
        let old = stored.as_ref().filter(|_| news == News::Change);
        self.put(&identity, &entry, old);
    }

    /// A watch says that an object was deleted.
    pub(super) fn gone(&mut self, object: &RawValue) {
        let Some(identity) = self.identify(object) else { return };
        self.advance(identity.version.as_ref());
        let Some(stored) = self.writer.entry(&identity.key) else {
            count(&self.core.hub.counters.duplicates);
            return;
        };
        let late = match (&identity.version, stored.version()) {
            (Some(deleted), Some(stored)) => deleted.is_before(&stored),
            _ => false,
        };
        if *stored.uid() != *identity.uid || late {
            count(&self.core.hub.counters.duplicates);
            return;
        }
        let last = self.entry(object, &identity).unwrap_or(stored);
        self.take_out(&identity.key, &last, Seen::Told);
    }

    fn put(&mut self, identity: &Identity<'_>, entry: &Entry<K>, old: Option<&Entry<K>>) {
        let version = self.advance(identity.version.as_ref());
        let key = &identity.key;
        let hub = Arc::clone(&self.core.hub);
        let members = hub.lock();
        self.writer.put(key.clone(), entry.clone(), version.as_ref());
        count(&hub.counters.changes);
        if let Some(event) = (!members.is_empty()).then(|| change(old, entry)).flatten() {
            members.publish(key, &event);
        }
    }

    fn take_out(&mut self, key: &ObjectKey, last: &Entry<K>, seen: Seen) {
        let hub = Arc::clone(&self.core.hub);
        let members = hub.lock();
        self.writer.remove(key, self.seen.as_ref());
        count(&hub.counters.changes);
        if !members.is_empty() {
            members.publish(key, &deletion(key, last, seen));
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

    fn identify<'o>(&self, object: &'o RawValue) -> Option<Identity<'o>> {
        match Identity::read(object) {
            Ok(identity) => Some(identity),
            Err(error) => {
                self.report_bad(None, error.to_string());
                None
            }
        }
    }

    /// The object as the store is to keep it; `None` if it cannot be used, which is reported.
    fn entry(&self, object: &RawValue, identity: &Identity<'_>) -> Option<Entry<K>> {
        match self.try_entry(object, identity) {
            Ok(entry) => Some(entry),
            Err(reason) => {
                self.report_bad(Some(identity.key.clone()), reason);
                None
            }
        }
    }

    fn try_entry(&self, object: &RawValue, identity: &Identity<'_>) -> Result<Entry<K>, String> {
        let config = &self.core.config;
        let pack = |json: &[u8]| Entry::packed(json, &identity.uid, identity.version.clone());
        let json = object.get();
        if config.storage == Storage::Packed && config.transform.is_none() && self.core.hub.lock().is_empty()
        {
            // Nobody wants to see it now.
            return Ok(pack(json.as_bytes()));
        }
        let decoded: K = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let decoded = match &config.transform {
            Some(transform) => catch_unwind(AssertUnwindSafe(|| transform(decoded)))
                .map_err(|_| "the transform function panicked".to_owned())?,
            None => decoded,
        };
        match config.storage {
            Storage::Decoded => Ok(decoded.into()),
            Storage::Packed => {
                let decoded = Arc::new(decoded);
                let packed = match &config.transform {
                    Some(_) => pack(&serde_json::to_vec(&*decoded).map_err(|error| error.to_string())?),
                    None => pack(json.as_bytes()),
                };
                Ok(packed.sharing(&decoded))
            }
        }
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

/// Whether the stored object is this very version of it. A list has the last word: after a backup was restored, it may
/// well show an older version than the stored one.
fn is_that<K: Object>(stored: &Entry<K>, identity: &Identity<'_>) -> bool {
    *stored.uid() == *identity.uid && identity.version.is_some() && stored.version() == identity.version
}

fn news<K: Object>(stored: &Entry<K>, identity: &Identity<'_>) -> News {
    let same_object = *stored.uid() == *identity.uid;
    match (stored.version(), &identity.version) {
        (Some(stored), Some(version)) if version.is_before(&stored) => News::Nothing,
        (Some(stored), Some(version)) if same_object && *version == stored => News::Nothing,
        _ if same_object => News::Change,
        _ => News::Another,
    }
}

/// The event for an object that is in the store now.
pub(super) fn change<K: Object>(old: Option<&Entry<K>>, new: &Entry<K>) -> Option<Event<K>> {
    let new = new.object()?;
    match old.and_then(Entry::object) {
        Some(old) => Some(Event::Updated { old, new }),
        None => Some(Event::Added { object: new, initial: false }),
    }
}

/// The event for an object that is not in the store any more.
pub(super) fn deletion<K: Object>(key: &ObjectKey, last: &Entry<K>, seen: Seen) -> Event<K> {
    Event::Deleted { key: key.clone(), last: last.object(), missed: seen == Seen::Missed }
}
