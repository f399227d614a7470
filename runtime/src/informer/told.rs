//! What handlers are told of a change, in the two forms that there are.
//!
//! In: a change of the store, as entries. Out: an event with the objects, or one of the key alone, and how two of one form
//! fold into one. Never: an object decoded for those who want its key.

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
    fn kind(&self) -> Kind;

    fn key(&self) -> ObjectKey;

    /// The same object as one that the handler has not heard of; a deletion stays one.
    fn into_added(self, kind: Kind) -> Self;

    /// From the state before `earlier` to that of this event.
    fn since(self, earlier: Self) -> Self;
}

/// Events about objects of the kind `K`.
pub(super) trait Told<K>: Waits {
    /// `None` if there is nothing to tell.
    fn of(notice: &Notice<K>) -> Option<Self>;

    /// Everything that is there, as a handler hears of it that begins.
    fn initial(store: &Store<K>) -> Vec<(ObjectKey, Self)>;

    /// Everything that is there, once more.
    fn again(store: &Store<K>) -> Vec<(ObjectKey, Self)>;
}

impl<K> Notice<K> {
    pub(super) fn key(&self) -> &ObjectKey {
        match self {
            Self::Present { key, .. } | Self::Gone { key, .. } => key,
        }
    }
}

impl<K: Object> Waits for Event<K> {
    fn kind(&self) -> Kind {
        match self {
            Self::Added { initial: true, .. } => Kind::Initial,
            Self::Added { .. } => Kind::Added,
            Self::Updated { .. } => Kind::Updated,
            Self::Deleted { .. } => Kind::Deleted,
        }
    }

    fn key(&self) -> ObjectKey {
        Self::key(self)
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
}

impl<K: Object> Told<K> for Event<K> {
    fn of(notice: &Notice<K>) -> Option<Self> {
        match notice {
            Notice::Present { old, new, kind, .. } => {
                let new = new.object()?;
                Some(match old.as_ref().and_then(Entry::object) {
                    Some(old) => Self::Updated { old, new },
                    None => Self::Added { object: new, initial: *kind == Kind::Initial },
                })
            }
            Notice::Gone { key, last, missed } => {
                Some(Self::Deleted { key: key.clone(), last: last.object(), missed: *missed })
            }
        }
    }

    fn initial(store: &Store<K>) -> Vec<(ObjectKey, Self)> {
        let objects = store.list().into_iter();
        objects.map(|object| (ObjectKey::of(&*object), Self::Added { object, initial: true })).collect()
    }

    fn again(store: &Store<K>) -> Vec<(ObjectKey, Self)> {
        let again = |object: Arc<K>| {
            (ObjectKey::of(&*object), Self::Updated { old: Arc::clone(&object), new: object })
        };
        store.list().into_iter().map(again).collect()
    }
}

impl Waits for KeyEvent {
    fn kind(&self) -> Kind {
        match self {
            Self::Added { initial: true, .. } => Kind::Initial,
            Self::Added { .. } => Kind::Added,
            Self::Updated { .. } => Kind::Updated,
            Self::Deleted { .. } => Kind::Deleted,
        }
    }

    fn key(&self) -> ObjectKey {
        Self::key(self).clone()
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
}

impl<K: Object> Told<K> for KeyEvent {
    fn of(notice: &Notice<K>) -> Option<Self> {
        Some(match notice {
            Notice::Present { key, old: Some(_), .. } => Self::Updated { key: key.clone(), resync: false },
            Notice::Present { key, old: None, kind, .. } => {
                Self::Added { key: key.clone(), initial: *kind == Kind::Initial }
            }
            Notice::Gone { key, missed, .. } => Self::Deleted { key: key.clone(), missed: *missed },
        })
    }

    fn initial(store: &Store<K>) -> Vec<(ObjectKey, Self)> {
        store.keys().into_iter().map(|key| (key.clone(), Self::Added { key, initial: true })).collect()
    }

    fn again(store: &Store<K>) -> Vec<(ObjectKey, Self)> {
        store.keys().into_iter().map(|key| (key.clone(), Self::Updated { key, resync: true })).collect()
    }
}
