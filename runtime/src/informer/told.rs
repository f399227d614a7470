//! What handlers are told of a change, in the two forms that there are.
//!
//! In: a change of the store, as entries. Out: an event with the objects, or one of the key alone, and how two of one form
//! fold into one. Never: an object decoded for those who want its key, or before its turn.

use std::sync::Arc;

use super::{Event, KeyEvent};
use crate::{
    object::{Object, ObjectKey},
    store::{Entry, Store},
};

/// A change that is in the store.
pub(super) enum Notice<K> {
    /// An object came, or changed.
    Present { key: ObjectKey, old: Option<Entry<K>>, new: Entry<K>, kind: Kind },
    /// An object is gone.
    Gone { key: ObjectKey, last: Entry<K>, missed: bool },
}

/// What an event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object was there when the handler began.
    Initial,
    Added,
    Updated,
    Deleted,
}

/// Events that can wait for a handler.
pub(super) trait Waits: Clone + Send + 'static {
    /// What the handler is called with.
    type Told: Send + 'static;

    fn kind(&self) -> Kind;

    fn key(&self) -> &ObjectKey;

    /// The same object as one that the handler has not heard of; a deletion stays one.
    fn into_added(self, kind: Kind) -> Self;

    /// From the state before `earlier` to that of this event.
    fn since(self, earlier: Self) -> Self;

    /// What to call the handler with; `None` if there is nothing to tell, as of an object that does not decode.
    fn told(self) -> Option<Self::Told>;
}

/// Events about objects of the kind `K`.
pub(super) trait Told<K>: Waits {
    fn of(notice: &Notice<K>) -> Self;

    /// Everything that is there, as a handler hears of it that begins.
    fn initial(store: &Store<K>) -> Vec<Self>;

    /// Everything that is there, once more.
    fn again(store: &Store<K>) -> Vec<Self>;
}

/// An event about objects as it waits: with entries, so that objects which are kept packed are decoded when their turn has come, and
/// not all of a list at once.
pub(super) enum Stored<K> {
    Added { object: Held<K>, initial: bool },
    Updated { old: Held<K>, new: Held<K> },
    Deleted { key: ObjectKey, last: Held<K>, missed: bool },
}

/// An object as it is stored, with its key.
pub(super) struct Held<K> {
    key: ObjectKey,
    entry: Entry<K>,
    /// A packed object that was decoded already.
    _decoded: Option<Arc<K>>,
}

impl<K: Object> Held<K> {
    fn new(key: &ObjectKey, entry: &Entry<K>) -> Self {
        Self { key: key.clone(), entry: entry.clone(), _decoded: entry.decoded() }
    }
}

impl<K> Clone for Held<K> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), entry: self.entry.clone(), _decoded: self._decoded.clone() }
    }
}

impl<K> Clone for Stored<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { object, initial } => Self::Added { object: object.clone(), initial: *initial },
            Self::Updated { old, new } => Self::Updated { old: old.clone(), new: new.clone() },
            Self::Deleted { key, last, missed } => {
                Self::Deleted { key: key.clone(), last: last.clone(), missed: *missed }
            }
        }
    }
}

impl<K: Object> Waits for Stored<K> {
    type Told = Event<K>;

    fn kind(&self) -> Kind {
        match self {
            Self::Added { initial: true, .. } => Kind::Initial,
            Self::Added { .. } => Kind::Added,
            Self::Updated { .. } => Kind::Updated,
            Self::Deleted { .. } => Kind::Deleted,
        }
    }

    fn key(&self) -> &ObjectKey {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } => &object.key,
            Self::Deleted { key, .. } => key,
        }
    }

    fn into_added(self, kind: Kind) -> Self {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } => {
                Self::Added { object, initial: kind == Kind::Initial }
            }
            deleted @ Self::Deleted { .. } => deleted,
        }
    }

    fn since(self, earlier: Self) -> Self {
        match (earlier, self) {
            (Self::Updated { old, .. }, Self::Updated { new, .. } | Self::Added { object: new, .. }) => {
                Self::Updated { old, new }
            }
            (_, event) => event,
        }
    }

    fn told(self) -> Option<Event<K>> {
        Some(match self {
            Self::Added { object, initial } => Event::Added { object: object.entry.object()?, initial },
            Self::Updated { old, new } => {
                let new = new.entry.object()?;
                match old.entry.object() {
                    Some(old) => Event::Updated { old, new },
                    None => Event::Added { object: new, initial: false },
                }
            }
            Self::Deleted { key, last, missed } => Event::Deleted { key, last: last.entry.object(), missed },
        })
    }
}

impl<K: Object> Told<K> for Stored<K> {
    fn of(notice: &Notice<K>) -> Self {
        match notice {
            Notice::Present { key, old, new, kind } => {
                let new = Held::new(key, new);
                match old {
                    Some(old) => Self::Updated { old: Held::new(key, old), new },
                    None => Self::Added { object: new, initial: *kind == Kind::Initial },
                }
            }
            Notice::Gone { key, last, missed } => {
                Self::Deleted { key: key.clone(), last: Held::new(key, last), missed: *missed }
            }
        }
    }

    fn initial(store: &Store<K>) -> Vec<Self> {
        let added = |(key, entry): (ObjectKey, Entry<K>)| Self::Added {
            object: Held::new(&key, &entry),
            initial: true,
        };
        store.entries().into_iter().map(added).collect()
    }

    fn again(store: &Store<K>) -> Vec<Self> {
        let again = |(key, entry): (ObjectKey, Entry<K>)| {
            let new = Held::new(&key, &entry);
            Self::Updated { old: new.clone(), new }
        };
        store.entries().into_iter().map(again).collect()
    }
}

impl Waits for KeyEvent {
    type Told = Self;

    fn kind(&self) -> Kind {
        match self {
            Self::Added { initial: true, .. } => Kind::Initial,
            Self::Added { .. } => Kind::Added,
            Self::Updated { .. } => Kind::Updated,
            Self::Deleted { .. } => Kind::Deleted,
        }
    }

    fn key(&self) -> &ObjectKey {
        Self::key(self)
    }

    fn into_added(self, kind: Kind) -> Self {
        match self {
            Self::Added { key, .. } | Self::Updated { key, .. } => {
                Self::Added { key, initial: kind == Kind::Initial }
            }
            deleted @ Self::Deleted { .. } => deleted,
        }
    }

    fn since(self, earlier: Self) -> Self {
        match (earlier, self) {
            // Told again is only what did not change otherwise.
            (Self::Updated { resync: before, .. }, Self::Updated { key, resync }) => {
                Self::Updated { key, resync: before && resync }
            }
            (Self::Updated { .. }, Self::Added { key, .. }) => Self::Updated { key, resync: false },
            (_, event) => event,
        }
    }

    fn told(self) -> Option<Self> {
        Some(self)
    }
}

impl<K: Object> Told<K> for KeyEvent {
    fn of(notice: &Notice<K>) -> Self {
        match notice {
            Notice::Present { key, old: Some(_), .. } => Self::Updated { key: key.clone(), resync: false },
            Notice::Present { key, old: None, kind, .. } => {
                Self::Added { key: key.clone(), initial: *kind == Kind::Initial }
            }
            Notice::Gone { key, missed, .. } => Self::Deleted { key: key.clone(), missed: *missed },
        }
    }

    fn initial(store: &Store<K>) -> Vec<Self> {
        store.keys().into_iter().map(|key| Self::Added { key, initial: true }).collect()
    }

    fn again(store: &Store<K>) -> Vec<Self> {
        store.keys().into_iter().map(|key| Self::Updated { key, resync: true }).collect()
    }
}
