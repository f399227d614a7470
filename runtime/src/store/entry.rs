//! One object as a store keeps it: decoded, or as the JSON that the server sent.
//!
//! In: a decoded object, or bytes with the identity read from them. Out: `Arc<K>`, decoded on demand and shared while
//! anybody holds it. Never: a second decoded copy of an object that is in use.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::ResourceVersion;
use crate::object::Object;

/// How a store keeps its objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Storage {
    /// Decoded. A read is a lookup.
    #[default]
    Decoded,
    /// Decoded, and copied once. Decoding leaves room to spare in vectors and a copy does not: an eighth less memory, for a
    /// quarter more work when an object comes.
    Compact,
    /// As JSON. A fraction of the memory; a read decodes, unless the object is in use already.
    ///
    /// An object of which the JSON turns out not to fit the type is absent for readers, and logged.
    Packed,
}

/// An object in a store.
#[derive(Debug)]
pub enum Entry<K> {
    /// The object.
    Decoded(Arc<K>),
    /// Its JSON.
    Packed(Arc<Packed<K>>),
}

/// An object kept as JSON.
#[derive(Debug)]
pub struct Packed<K> {
    json: Box<[u8]>,
    uid: Box<str>,
    version: Option<ResourceVersion>,
    /// The decoded object, as long as somebody uses it.
    in_use: Mutex<Weak<K>>,
}

impl<K> Clone for Entry<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Decoded(object) => Self::Decoded(Arc::clone(object)),
            Self::Packed(packed) => Self::Packed(Arc::clone(packed)),
        }
    }
}

impl<K: Object> Entry<K> {
    /// An object kept as the JSON it came in.
    #[must_use]
    pub fn packed(json: &[u8], uid: &str, version: Option<ResourceVersion>) -> Self {
        let in_use = Mutex::new(Weak::new());
        Self::Packed(Arc::new(Packed { json: json.into(), uid: uid.into(), version, in_use }))
    }

    /// Lets readers share an object that was decoded already.
    #[must_use]
    pub fn sharing(self, object: &Arc<K>) -> Self {
        if let Self::Packed(packed) = &self {
            *packed.in_use.lock() = Arc::downgrade(object);
        }
        self
    }

    /// Brings what [`Clone`] changes close to the processor. The result is of no use.
    pub(super) fn look(&self) -> usize {
        match self {
            Self::Decoded(object) => Arc::strong_count(object),
            Self::Packed(packed) => Arc::strong_count(packed),
        }
    }

    /// The object; `None` if its JSON does not fit the type.
    #[must_use]
    pub fn object(&self) -> Option<Arc<K>> {
        match self {
            Self::Decoded(object) => Some(Arc::clone(object)),
            Self::Packed(packed) => packed.object(),
        }
    }

    /// The object, if it is kept decoded only for as long as somebody holds it, and somebody does.
    pub(crate) fn decoded(&self) -> Option<Arc<K>> {
        match self {
            Self::Decoded(_) => None,
            Self::Packed(packed) => packed.in_use.lock().upgrade(),
        }
    }

    /// The uid, empty if it has none.
    #[must_use]
    pub fn uid(&self) -> &str {
        match self {
            Self::Decoded(object) => object.meta().uid.as_deref().unwrap_or_default(),
            Self::Packed(packed) => &packed.uid,
        }
    }

    /// The resource version.
    #[must_use]
    pub fn version(&self) -> Option<ResourceVersion> {
        match self {
            Self::Decoded(object) => object.meta().resource_version.as_deref().map(ResourceVersion::from),
            Self::Packed(packed) => packed.version.clone(),
        }
    }
}

impl<K: Object> From<K> for Entry<K> {
    fn from(object: K) -> Self {
        Self::Decoded(Arc::new(object))
    }
}

impl<K: Object> Packed<K> {
    fn object(&self) -> Option<Arc<K>> {
        let mut in_use = self.in_use.lock();
        if let Some(object) = in_use.upgrade() {
            return Some(object);
        }
        match serde_json::from_slice(&self.json) {
            Ok(object) => {
                let object = Arc::new(object);
                *in_use = Arc::downgrade(&object);
                Some(object)
            }
            Err(error) => {
                tracing::error!(kind = %K::kind(&()), %error, "a stored object does not decode");
                None
            }
        }
    }

    /// Gives back the memory of a decoded object that nobody uses any more.
    pub(super) fn forget_unused(&self) {
        if let Some(mut in_use) = self.in_use.try_lock()
            && in_use.strong_count() == 0
        {
            *in_use = Weak::new();
        }
    }
}
