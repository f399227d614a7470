//! What handlers are told that want keys alone.
//!
//! In: what changed in the store. Out: which object it was, and what became of it. Never: the object; who wants that reads the
//! store, and an informer that keeps objects packed decodes none for such a handler.

use crate::object::ObjectKey;

/// A change of one object, told without the object.
///
/// A handler that does nothing but put keys into a queue is served best by these: nothing is decoded for it, and while it waits
/// to be told, no object is held that has changed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyEvent {
    /// There is an object that this handler has not been told of.
    Added {
        /// Its key.
        key: ObjectKey,
        /// Whether it was there when the handler began.
        initial: bool,
    },
    /// An object changed, or this is a periodic resync.
    Updated {
        /// Its key.
        key: ObjectKey,
        /// Whether nothing changed, and this is a periodic resync.
        resync: bool,
    },
    /// An object is gone.
    Deleted {
        /// Its key.
        key: ObjectKey,
        /// Whether the deletion itself was not seen, as it happened while the connection was down.
        missed: bool,
    },
}

impl KeyEvent {
    /// The key of the object.
    #[must_use]
    pub fn key(&self) -> &ObjectKey {
        match self {
            Self::Added { key, .. } | Self::Updated { key, .. } | Self::Deleted { key, .. } => key,
        }
    }

    /// The key of the object, in the place of the event.
    #[must_use]
    pub fn into_key(self) -> ObjectKey {
        match self {
            Self::Added { key, .. } | Self::Updated { key, .. } | Self::Deleted { key, .. } => key,
        }
    }

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

    /// Whether this tells of an object that has not changed.
    #[must_use]
    pub fn is_resync(&self) -> bool {
        matches!(self, Self::Updated { resync: true, .. })
    }
}
