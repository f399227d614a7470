//! Everything a store knows, as one plain value.
//!
//! In: objects with what the index functions said of them. Out: lookups. Never: a lock, or a call to an index
//! function; [`Twin`](super::twin::Twin) holds two of these and shows readers one.

use std::{hash::BuildHasher, sync::Arc};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{
    Entry, ResourceVersion,
    index::{IndexState, Postings, Values},
    key::StoredKey,
    slots::{Place, Slot, Slots, Snapshot},
};
use crate::object::{Object, ObjectKey};

/// The contents of a store.
pub(super) struct State<K> {
    /// From the hash of a key to its place.
    places: HashTable<Place>,
    slots: Slots<K>,
    namespaces: Postings<Box<str>>,
    indexes: Vec<Box<dyn IndexState>>,
    version: Option<ResourceVersion>,
    hasher: DefaultHashBuilder,
}

/// An object to put into a state: made once, put into both copies.
pub(super) struct Put<K> {
    pub(super) hash: u64,
    pub(super) key: ObjectKey,
    pub(super) entry: Entry<K>,
    /// One for each index, in their order.
    pub(super) values: Vec<Values>,
}

impl<K: Object> State<K> {
    pub(super) fn new(hasher: DefaultHashBuilder, indexes: Vec<Box<dyn IndexState>>) -> Self {
        Self {
            places: HashTable::new(),
            slots: Slots::new(),
            namespaces: Postings::new(),
            indexes,
            version: None,
            hasher,
        }
    }

    /// The same once more; the objects are shared.
    pub(super) fn duplicate(&self) -> Self {
        Self {
            places: self.places.clone(),
            slots: self.slots.duplicate(),
            namespaces: self.namespaces.clone(),
            indexes: self.indexes.iter().map(|index| index.duplicate()).collect(),
            version: self.version.clone(),
            hasher: self.hasher.clone(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn version(&self) -> Option<&ResourceVersion> {
        self.version.as_ref()
    }

    pub(super) fn set_version(&mut self, version: Option<ResourceVersion>) {
        self.version = version;
    }

    pub(super) fn get(&self, hash: u64, key: &str) -> Option<&Entry<K>> {
        self.slots.get(self.place(hash, key)?).map(|slot| &slot.entry)
    }

    pub(super) fn at(&self, place: Place) -> Option<&Slot<K>> {
        self.slots.get(place)
    }

    pub(super) fn snapshot(&self) -> Snapshot<K> {
        self.slots.snapshot()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot<K>> {
        self.slots.iter().map(|(_, slot)| slot)
    }

    /// The places of the objects in a namespace.
    pub(super) fn namespace(&self, namespace: &str) -> &[Place] {
        self.namespaces.places(self.hasher.hash_one(namespace), namespace)
    }

    pub(super) fn namespaces(&self) -> impl Iterator<Item = &str> {
        self.namespaces.values().map(|namespace| &***namespace)
    }

    pub(super) fn index(&self, position: usize) -> Option<&dyn IndexState> {
        self.indexes.get(position).map(|index| &**index)
    }

    pub(super) fn add_index(&mut self, index: Box<dyn IndexState>) {
        self.indexes.push(index);
    }

    fn place(&self, hash: u64, key: &str) -> Option<Place> {
        let is = |place: &Place| self.slots.get(*place).is_some_and(|slot| slot.key.is(key));
        self.places.find(hash, is).copied()
    }

    /// Puts an object in, and gives back the entry it replaces.
    pub(super) fn put(&mut self, put: &Put<K>) -> Option<Entry<K>> {
        let known = self.place(put.hash, put.key.as_str());
        let (place, replaced) = match known {
            Some(place) => (place, self.slots.replace(place, put.entry.clone())),
            None => (self.add(put), None),
        };
        let mut values = put.values.iter();
        for index in &mut self.indexes {
            match values.next() {
                Some(values) => index.set(place, values),
                // A packed object that does not decode: the index functions could not be asked.
                None => index.remove(place),
            }
        }
        replaced
    }

    fn add(&mut self, put: &Put<K>) -> Place {
        let place = self.slots.insert(Slot { entry: put.entry.clone(), key: StoredKey::new(&put.key) });
        let (slots, hasher) = (&self.slots, &self.hasher);
        let rehash = |place: &Place| slots.get(*place).map_or(0, |slot| hasher.hash_one(slot.key.as_str()));
        self.places.insert_unique(put.hash, place, rehash);
        if let Some(namespace) = put.key.namespace() {
            let hash = self.hasher.hash_one(namespace);
            self.namespaces.set(place, &[(hash, Arc::new(namespace.into()))]);
        }
        place
    }

    /// Takes an object out.
    pub(super) fn remove(&mut self, hash: u64, key: &str) -> Option<Slot<K>> {
        let slots = &self.slots;
        let is = |place: &Place| slots.get(*place).is_some_and(|slot| slot.key.is(key));
        let (place, _) = self.places.find_entry(hash, is).ok()?.remove();
        self.namespaces.remove(place);
        for index in &mut self.indexes {
            index.remove(place);
        }
        self.slots.remove(place)
    }
}
