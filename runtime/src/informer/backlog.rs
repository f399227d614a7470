//! What one handler has yet to be told.
//!
//! In: events, in order. Out: events, in order for each object. Never: more than two for one object, unless every event
//! was asked for.
//!
//! While a handler is busy, the events of one object fold into what brings the handler from what it was told last to
//! what is true now:
//!
//! | waiting | then | becomes |
//! | --- | --- | --- |
//! | added | updated | added, as it is now, and initial if it was |
//! | added | deleted | nothing: the handler never heard of the object |
//! | updated | updated | updated, from the first old to the last new |
//! | updated | deleted | deleted |
//! | deleted | added | both, in order: it is another object under the same name |
//! | deleted, added | updated | deleted, added as it is now |
//! | deleted, added | deleted | deleted, the one that the handler had heard of |
//!
//! So a backlog holds at most as many objects as there are and as the handler has been told of, together. The place in
//! the queue is that of the first event.

use std::collections::{BTreeMap, HashMap, VecDeque, hash_map::Entry};

use super::{
    Delivery,
    told::{Kind, Waits},
};
use crate::object::ObjectKey;

/// The events that wait for one handler.
pub(super) enum Backlog<E> {
    Coalescing(Coalescing<E>),
    Everything(VecDeque<E>),
}

pub(super) struct Coalescing<E> {
    /// Keys by their turn.
    turns: BTreeMap<u64, ObjectKey>,
    waiting: HashMap<ObjectKey, (u64, Waiting<E>)>,
    next_turn: u64,
}

/// What waits for one key.
enum Waiting<E> {
    One(E),
    /// An object was deleted, and another one of that name was added.
    Recreated {
        deleted: E,
        added: E,
    },
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pushed {
    /// It waits, by itself or folded into another.
    Waiting,
    /// It and an initial event that waited have cancelled each other out.
    InitialGone,
}

impl<E: Waits> Backlog<E> {
    pub(super) fn new(delivery: Delivery) -> Self {
        match delivery {
            Delivery::Coalesce => {
                Self::Coalescing(Coalescing { turns: BTreeMap::new(), waiting: HashMap::new(), next_turn: 0 })
            }
            Delivery::EveryEvent => Self::Everything(VecDeque::new()),
        }
    }

    pub(super) fn push(&mut self, event: E) -> Pushed {
        match self {
            Self::Coalescing(queue) => queue.push(event),
            Self::Everything(queue) => {
                queue.push_back(event);
                Pushed::Waiting
            }
        }
    }

    pub(super) fn pop(&mut self) -> Option<E> {
        match self {
            Self::Coalescing(queue) => queue.pop(),
            Self::Everything(queue) => queue.pop_front(),
        }
    }

    /// How many turns wait: objects, or events if every event was asked for.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Coalescing(queue) => queue.waiting.len(),
            Self::Everything(queue) => queue.len(),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Self::Coalescing(queue) => {
                queue.turns = BTreeMap::new();
                queue.waiting = HashMap::new();
            }
            Self::Everything(queue) => *queue = VecDeque::new(),
        }
    }
}

impl<E: Waits> Coalescing<E> {
    fn push(&mut self, event: E) -> Pushed {
        let key = event.key().clone();
        match self.waiting.entry(key.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert((self.next_turn, Waiting::One(event)));
                self.turns.insert(self.next_turn, key);
                self.next_turn += 1;
                Pushed::Waiting
            }
            Entry::Occupied(occupied) => {
                let (key, (turn, waiting)) = occupied.remove_entry();
                let was_initial = matches!(&waiting, Waiting::One(event) if event.kind() == Kind::Initial);
                match waiting.fold(event) {
                    Some(folded) => {
                        self.waiting.insert(key, (turn, folded));
                        Pushed::Waiting
                    }
                    None => {
                        self.turns.remove(&turn);
                        if was_initial { Pushed::InitialGone } else { Pushed::Waiting }
                    }
                }
            }
        }
    }

    fn pop(&mut self) -> Option<E> {
        let (turn, key) = self.turns.pop_first()?;
        match self.waiting.remove(&key)? {
            (_, Waiting::One(event)) => Some(event),
            (_, Waiting::Recreated { deleted, added }) => {
                self.waiting.insert(key.clone(), (turn, Waiting::One(added)));
                self.turns.insert(turn, key);
                Some(deleted)
            }
        }
    }
}

impl<E: Waits> Waiting<E> {
    /// What both come to; `None` if that is nothing. See the table at the top.
    fn fold(self, event: E) -> Option<Self> {
        match self {
            Self::One(waiting) => fold_one(waiting, event),
            Self::Recreated { deleted, added } => match fold_one(added, event) {
                Some(Self::One(added)) => Some(Self::Recreated { deleted, added }),
                _ => Some(Self::One(deleted)),
            },
        }
    }
}

fn fold_one<E: Waits>(waiting: E, event: E) -> Option<Waiting<E>> {
    let one = |event| Some(Waiting::One(event));
    match (waiting.kind(), event.kind()) {
        (Kind::Initial | Kind::Added, Kind::Deleted) => None,
        (kind @ (Kind::Initial | Kind::Added), _) => one(event.into_added(kind)),
        (_, Kind::Deleted) => one(event),
        (Kind::Updated, _) => one(event.since(waiting)),
        (Kind::Deleted, _) => {
            Some(Waiting::Recreated { deleted: waiting, added: event.into_added(Kind::Added) })
        }
    }
}
