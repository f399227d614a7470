//! What handlers are told.
//!
//! In: what changed in the store. Out: an event with the objects themselves, shared with the store. Never: an event
//! about something that readers of the store cannot see yet.

use std::{fmt, sync::Arc};

use crate::object::{Object, ObjectKey};

/// A change of one object.
pub enum Event<K> {
    /// There is an object that this handler has not been told of.
    Added {
        /// The object.
        object: Arc<K>,
        /// Whether it was there when the handler began: it comes from the first list, or the handler was added later
        /// and is being told what is there already.
        initial: bool,
    },
    /// An object changed, or, with the same object twice, this is a periodic resync.
    Updated {
        /// What the handler was told of before.
        old: Arc<K>,
        /// What it is now.
        new: Arc<K>,
    },
    /// An object is gone.
    Deleted {
        /// Its key.
        key: ObjectKey,
        /// The last known state of it. There is one, unless the informer keeps objects packed and its JSON does not
        /// fit the type.
        last: Option<Arc<K>>,
        /// Whether the deletion itself was not seen, as it happened while the connection was down; then `last` may be
        /// older than the object's true last state.
        missed: bool,
    },
}

impl<K: Object> Event<K> {
    /// The key of the object.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } => ObjectKey::of(&**object),
            Self::Deleted { key, .. } => key.clone(),
        }
    }

    /// The object as it is now, or as it last was.
    #[must_use]
    pub fn object(&self) -> Option<&Arc<K>> {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } => Some(object),
            Self::Deleted { last, .. } => last.as_ref(),
        }
    }
}

impl<K> Event<K> {
    /// Whether this is a deletion.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        matches!(self, Self::Deleted { .. })
    }

    /// Whether this tells of what was there when the handler began.
    #[must_use]
    pub fn is_initial(&self) -> bool {
        matches!(self, Self::Added { initial: true, .. })
    }
}

impl<K> Clone for Event<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { object, initial } => Self::Added { object: Arc::clone(object), initial: *initial },
            Self::Updated { old, new } => Self::Updated { old: Arc::clone(old), new: Arc::clone(new) },
            Self::Deleted { key, last, missed } => {
                Self::Deleted { key: key.clone(), last: last.clone(), missed: *missed }
            }
        }
    }
}

impl<K: Object> fmt::Debug for Event<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key();
        match self {
            Self::Added { initial, .. } => {
                f.debug_struct("Added").field("key", &key).field("initial", initial).finish()
            }
            Self::Updated { .. } => f.debug_struct("Updated").field("key", &key).finish(),
            Self::Deleted { missed, .. } => {
                f.debug_struct("Deleted").field("key", &key).field("missed", missed).finish()
            }
        }
    }
}
