//! From what the server sent to what a store keeps.
//!
//! In: objects, not decoded. Out: entries, decoded or packed as the informer is told to, or what is wrong with an object.
//! Never: a change of the store. Any thread may do this.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::{
    config::ManagedFields,
    core::Core,
    incoming::{Bookmark, Identity, Incoming, Page, Raw},
};
use crate::{
    client,
    object::{Object, ObjectKey},
    store::{Entry, ResourceVersion, Storage},
};

/// An object that has come, and is ready to be stored.
pub(super) struct Arrival<K> {
    pub(super) key: ObjectKey,
    pub(super) uid: Box<str>,
    pub(super) version: Option<ResourceVersion>,
    /// What to keep, or why that cannot be used.
    pub(super) entry: Result<Entry<K>, String>,
}

/// An object that has come, or why nobody knows which one it is.
pub(super) type Arrived<K> = Result<Arrival<K>, String>;

/// What an event of a watch comes to.
pub(super) enum Change<K> {
    Present(Arrived<K>),
    Gone(Arrived<K>),
    Bookmark(Bookmark),
}

impl<K: Object> Core<K> {
    /// The objects of a page. What the store has in this version is taken from there.
    pub(super) fn take_in_page(&self, body: &[u8]) -> client::Result<Vec<Arrived<K>>> {
        let mut arrived = Vec::new();
        Page::new(body)?.objects(|raw| arrived.push(self.take_in_listed(raw)))?;
        Ok(arrived)
    }

    /// The events of a part of a streamed list.
    pub(super) fn take_in_streamed(&self, lines: &[impl AsRef<[u8]>]) -> Vec<client::Result<Change<K>>> {
        let take_in = |line: &[u8]| {
            Ok(match Incoming::parse(line)? {
                Incoming::Present(raw) => Change::Present(self.take_in_listed(raw)),
                Incoming::Gone(raw) => Change::Gone(self.take_in(raw)),
                Incoming::Bookmark(bookmark) => Change::Bookmark(bookmark),
            })
        };
        lines.iter().map(|line| take_in(line.as_ref())).collect()
    }

    /// The event of a watch.
    pub(super) fn take_in_event(&self, line: &[u8]) -> client::Result<Change<K>> {
        Ok(match Incoming::parse(line)? {
            Incoming::Present(raw) => Change::Present(self.take_in(raw)),
            Incoming::Gone(raw) => Change::Gone(self.take_in(raw)),
            Incoming::Bookmark(bookmark) => Change::Bookmark(bookmark),
        })
    }

    /// Whether taking in means to decode; if not, it costs little.
    pub(super) fn decodes(&self) -> bool {
        self.config.storage != Storage::Packed
            || self.config.transform.is_some()
            || !self.hub.lock().is_empty()
    }

    /// An object of a list, which the store may have already.
    fn take_in_listed(&self, raw: serde_json::Result<Raw<'_>>) -> Arrived<K> {
        let raw = raw.map_err(|error| error.to_string())?;
        let stored = self.store.entry(raw.identity.key.as_str());
        if let Some(stored) = stored.filter(|stored| is_that(stored, &raw.identity)) {
            return Ok(Arrival::new(raw.identity, Ok(stored)));
        }
        let entry = self.entry(&raw);
        Ok(Arrival::new(raw.identity, entry))
    }

    fn take_in(&self, raw: serde_json::Result<Raw<'_>>) -> Arrived<K> {
        let raw = raw.map_err(|error| error.to_string())?;
        let entry = self.entry(&raw);
        Ok(Arrival::new(raw.identity, entry))
    }

    fn entry(&self, raw: &Raw<'_>) -> Result<Entry<K>, String> {
        let json = match self.config.managed_fields {
            ManagedFields::Keep => raw.json.into(),
            ManagedFields::Drop => raw.without_managed_fields(),
        };
        let pack = |json: &[u8]| Entry::packed(json, &raw.identity.uid, raw.identity.version.clone());
        if !self.decodes() {
            // Nobody wants to see it now.
            return Ok(pack(json.as_bytes()));
        }
        let decoded = self.decode(&json)?;
        match self.config.storage {
            Storage::Decoded => return Ok(decoded.into()),
            Storage::Compact => return Ok(K::clone(&decoded).into()),
            Storage::Packed => {}
        }
        let decoded = Arc::new(decoded);
        let packed = match &self.config.transform {
            Some(_) => pack(&serde_json::to_vec(&*decoded).map_err(|error| error.to_string())?),
            None => pack(json.as_bytes()),
        };
        Ok(packed.sharing(&decoded))
    }

    /// The object itself, as it is to be seen. Decoding and transforming is code of the user's.
    fn decode(&self, json: &str) -> Result<K, String> {
        let decoded = catch_unwind(|| serde_json::from_str::<K>(json));
        let decoded =
            decoded.map_err(|_| "decoding it panicked".to_owned())?.map_err(|error| error.to_string())?;
        match &self.config.transform {
            Some(transform) => catch_unwind(AssertUnwindSafe(|| transform(decoded)))
                .map_err(|_| "the transform function panicked".to_owned()),
            None => Ok(decoded),
        }
    }
}

impl<K> Arrival<K> {
    fn new(identity: Identity<'_>, entry: Result<Entry<K>, String>) -> Self {
        Self { key: identity.key, uid: identity.uid.into(), version: identity.version, entry }
    }
}

/// Whether the stored object is this very version of it. A list has the last word: after a backup was restored, it may
/// well show an older version than the stored one.
fn is_that<K: Object>(stored: &Entry<K>, identity: &Identity<'_>) -> bool {
    *stored.uid() == *identity.uid && identity.version.is_some() && stored.version() == identity.version
}
