//! In: keys and their hashes. Out: slot numbers, which everything else in the queue works with. A key stands in
//! exactly one slot, and a slot lives while its key is ready, waits for a time or is in a worker's hands.

use hashbrown::{HashTable, hash_table::Entry};
use slab::Slab;

use super::{Priority, order::Turn};

/// Where a key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nowhere yet, or only waiting for a time.
    Idle,
    /// Waiting for a worker.
    Ready,
    /// In a worker's hands.
    Running,
    /// In a worker's hands, and was asked for again since.
    RunningAgain,
}

/// What the queue needs of every key; what only some need (times) is kept elsewhere, so that slots stay small.
#[derive(Debug)]
pub(super) struct Slot<K> {
    pub(super) key: K,
    hash: u64,
    pub(super) phase: Phase,
    /// Whether it waits for a time.
    pub(super) delayed: bool,
    /// How urgent the run is that it waits for; while it is in a worker's hands, the run after that.
    pub(super) priority: Priority,
    /// Its place among the ready ones.
    pub(super) turn: Turn,
}

/// Keys by slot and slots by key.
#[derive(Debug)]
pub(super) struct Slots<K> {
    slots: Slab<Slot<K>>,
    by_key: HashTable<usize>,
}

impl<K> Default for Slots<K> {
    fn default() -> Self {
        Self { slots: Slab::new(), by_key: HashTable::new() }
    }
}

impl<K: Eq> Slots<K> {
    pub(super) fn find(&self, hash: u64, key: &K) -> Option<usize> {
        let is_key = |&slot: &usize| self.slots.get(slot).is_some_and(|slot| slot.key == *key);
        self.by_key.find(hash, is_key).copied()
    }

    /// The slot of `key`, new and idle if there was none.
    pub(super) fn find_or_insert(&mut self, hash: u64, key: K) -> usize {
        let Self { slots, by_key } = self;
        let is_key = |&slot: &usize| slots.get(slot).is_some_and(|slot| slot.key == key);
        let hash_of = |&slot: &usize| slots.get(slot).map_or(0, |slot| slot.hash);
        match by_key.entry(hash, is_key, hash_of) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let slot = slots.vacant_key();
                entry.insert(slot);
                slots.insert(Slot {
                    key,
                    hash,
                    phase: Phase::Idle,
                    delayed: false,
                    priority: Priority::NORMAL,
                    turn: 0,
                })
            }
        }
    }
}

impl<K> Slots<K> {
    pub(super) fn get(&self, slot: usize) -> Option<&Slot<K>> {
        self.slots.get(slot)
    }

    pub(super) fn get_mut(&mut self, slot: usize) -> Option<&mut Slot<K>> {
        self.slots.get_mut(slot)
    }

    /// Whether a slot is ready and this its turn.
    pub(super) fn is_current(&self, slot: usize, turn: Turn) -> bool {
        self.slots.get(slot).is_some_and(|slot| slot.phase == Phase::Ready && slot.turn == turn)
    }

    /// Takes a slot out if nothing needs it any more.
    pub(super) fn remove_idle(&mut self, slot: usize) -> Option<Slot<K>> {
        let idle = self.slots.get(slot).filter(|slot| slot.phase == Phase::Idle && !slot.delayed)?;
        if let Ok(entry) = self.by_key.find_entry(idle.hash, |&other| other == slot) {
            entry.remove();
        }
        self.slots.try_remove(slot)
    }
}
