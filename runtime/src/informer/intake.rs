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
    incoming::{Bookmark, Cursor, Identity, Incoming, Lean, Page, Raw, version},
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
    /// A packed object, decoded: as long as this is there, nobody has to do so again.
    _in_use: Option<Arc<K>>,
}

/// What to keep of an object, and the object if that is something else.
struct Kept<K> {
    entry: Entry<K>,
    in_use: Option<Arc<K>>,
}

impl<K> From<Entry<K>> for Kept<K> {
    fn from(entry: Entry<K>) -> Self {
        Self { entry, in_use: None }
    }
}

/// An object that has come, or why nobody knows which one it is.
pub(super) type Arrived<K> = Result<Arrival<K>, String>;

/// What an event of a watch comes to.
pub(super) enum Change<K> {
    Present(Arrived<K>),
    Gone(Arrived<K>),
    Bookmark(Bookmark),
}

/// Where an object stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// In a list: the store may have it already.
    List,
    /// In a watch: it is news.
    Watch,
}

impl<K: Object> Core<K> {
    /// The objects of a page. What the store has in this version is taken from there.
    pub(super) fn take_in_page(&self, body: &[u8]) -> client::Result<Vec<Arrived<K>>> {
        let mut arrived = Vec::new();
        Page::new(body)?.objects(|cursor| {
            arrived.push(self.read(cursor, Within::List)?);
            Ok(())
        })?;
        Ok(arrived)
    }

    /// The events of a part of a streamed list.
    pub(super) fn take_in_streamed(&self, lines: &[impl AsRef<[u8]>]) -> Vec<client::Result<Change<K>>> {
        lines.iter().map(|line| self.take_in_line(line.as_ref(), Within::List)).collect()
    }

    /// The event of a watch.
    pub(super) fn take_in_event(&self, line: &[u8]) -> client::Result<Change<K>> {
        self.take_in_line(line, Within::Watch)
    }

    fn take_in_line(&self, line: &[u8], within: Within) -> client::Result<Change<K>> {
        Ok(match Incoming::parse(line, |cursor| self.read(cursor, within))? {
            Incoming::Present(arrived) => Change::Present(arrived),
            Incoming::Gone(arrived) => Change::Gone(arrived),
            Incoming::Bookmark(bookmark) => Change::Bookmark(bookmark),
        })
    }

    /// Whether taking in means to decode; if not, it costs little.
    pub(super) fn decodes(&self) -> bool {
        self.config.storage != Storage::Packed
            || self.config.transform.is_some()
            || self.hub.lock().want_objects()
    }

    /// Reads one object: at once where it has to be decoded in any case, else its identity first.
    fn read(&self, cursor: &mut Cursor<'_>, within: Within) -> serde_json::Result<Arrived<K>> {
        if self.is_to_be_decoded(within)
            && let Some(arrival) = self.decode_at_once(cursor)
        {
            return Ok(Ok(arrival));
        }
        let raw = Raw::read(cursor)?;
        Ok(raw.map_err(|error| error.to_string()).map(|raw| self.take_in(raw, within)))
    }

    /// Whether it is known without a look at an object that it has to be decoded.
    fn is_to_be_decoded(&self, within: Within) -> bool {
        let may_be_known = within == Within::List && !self.store.is_empty();
        // Where the text is kept, it is kept without them.
        let is_to_be_cut =
            self.config.managed_fields == ManagedFields::Drop && self.config.storage == Storage::Packed;
        !may_be_known && !is_to_be_cut && self.decodes()
    }

    /// Decodes the next object, without having looked which one it is. If that cannot be done there may be more to tell about it than this.
    fn decode_at_once(&self, cursor: &mut Cursor<'_>) -> Option<Arrival<K>> {
        if !cursor.is_at_object() {
            return None;
        }
        let mut ahead = *cursor;
        let value = || match self.config.managed_fields {
            ManagedFields::Keep => ahead.value::<K>(),
            ManagedFields::Drop => ahead.value::<Lean<K>>().map(|(Lean(object), json)| (object, json)),
        };
        let (object, json) = catch_unwind(AssertUnwindSafe(value)).ok()?.ok()?;
        let meta = object.meta();
        meta.name.as_ref()?;
        *cursor = ahead;
        let identity = Identity {
            key: ObjectKey::of(&object),
            uid: meta.uid.clone().unwrap_or_default().into(),
            version: meta.resource_version.as_deref().and_then(version),
        };
        let entry = self.transform(object).and_then(|object| self.keep(object, json, &identity));
        Some(Arrival::new(identity, entry))
    }

    fn take_in(&self, raw: Raw<'_>, within: Within) -> Arrival<K> {
        if within == Within::List {
            let stored = self.store.entry(raw.identity.key.as_str());
            if let Some(stored) = stored.filter(|stored| is_that(stored, &raw.identity)) {
                return Arrival::new(raw.identity, Ok(stored.into()));
            }
        }
        let entry = self.entry(&raw);
        Arrival::new(raw.identity, entry)
    }

    fn entry(&self, raw: &Raw<'_>) -> Result<Kept<K>, String> {
        let json = match self.config.managed_fields {
            ManagedFields::Keep => raw.json.into(),
            ManagedFields::Drop => raw.without_managed_fields(),
        };
        if !self.decodes() {
            // Nobody wants to see it now.
            return Ok(raw.identity.pack(json.as_bytes()).into());
        }
        self.keep(self.decode(&json)?, &json, &raw.identity)
    }

    /// An object as it is to be seen, as it is to be stored.
    fn keep(&self, object: K, json: &str, identity: &Identity<'_>) -> Result<Kept<K>, String> {
        match self.config.storage {
            Storage::Decoded => return Ok(Entry::from(object).into()),
            Storage::Compact => return Ok(Entry::from(K::clone(&object)).into()),
            Storage::Packed => {}
        }
        let object = Arc::new(object);
        let packed = match &self.config.transform {
            Some(_) => identity.pack(&serde_json::to_vec(&*object).map_err(|error| error.to_string())?),
            None => identity.pack(json.as_bytes()),
        };
        Ok(Kept { entry: packed.sharing(&object), in_use: Some(object) })
    }

    /// The object itself, as it is to be seen. Decoding and transforming is code of the user's.
    fn decode(&self, json: &str) -> Result<K, String> {
        let decoded = catch_unwind(|| serde_json::from_str::<K>(json));
        let decoded =
            decoded.map_err(|_| "decoding it panicked".to_owned())?.map_err(|error| error.to_string())?;
        self.transform(decoded)
    }

    fn transform(&self, object: K) -> Result<K, String> {
        match &self.config.transform {
            Some(transform) => catch_unwind(AssertUnwindSafe(|| transform(object)))
                .map_err(|_| "the transform function panicked".to_owned()),
            None => Ok(object),
        }
    }
}

impl Identity<'_> {
    fn pack<K: Object>(&self, json: &[u8]) -> Entry<K> {
        Entry::packed(json, &self.uid, self.version.clone())
    }
}

impl<K> Arrival<K> {
    fn new(identity: Identity<'_>, kept: Result<Kept<K>, String>) -> Self {
        let (key, uid, version) = (identity.key, identity.uid.into(), identity.version);
        let (entry, in_use) = match kept {
            Ok(Kept { entry, in_use }) => (Ok(entry), in_use),
            Err(reason) => (Err(reason), None),
        };
        Self { key, uid, version, entry, _in_use: in_use }
    }
}

/// Whether the stored object is this very version of it. A list has the last word: after a backup was restored, it may
/// well show an older version than the stored one.
fn is_that<K: Object>(stored: &Entry<K>, identity: &Identity<'_>) -> bool {
    *stored.uid() == *identity.uid && identity.version.is_some() && stored.version() == identity.version
}
