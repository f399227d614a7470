//! Numbered places for objects, of which all can be had at once for the price of a few pointers.
//!
//! In: keys with entries. Out: the number of the place, which stays while the object does; a snapshot that later
//! changes do not touch. Never: copying on a change, unless a snapshot of the same part is still in use.

use std::sync::Arc;

use super::{Entry, key::StoredKey};
use crate::object::Object;

/// Places in a chunk. A snapshot costs one pointer a chunk, the first change beside it one copy of the chunk.
const CHUNK: usize = 64;

/// The number of a place.
pub(super) type Place = u32;

/// An object in its place, which begins with a line of the processor's cache: most keys are told and the way to the object is found
/// with one look at memory.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Slot<K> {
    pub(super) entry: Entry<K>,
    pub(super) key: StoredKey,
}

impl<K> Clone for Slot<K> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), entry: self.entry.clone() }
    }
}

/// An array, not a vector: a lookup follows one pointer less.
type Chunk<K> = [Option<Slot<K>>; CHUNK];

/// The places of a store.
pub(super) struct Slots<K> {
    chunks: Vec<Arc<Chunk<K>>>,
    /// How many places there are: taken, or free.
    len: usize,
    free: Vec<Place>,
}

/// All places as they were at one moment.
pub(super) struct Snapshot<K> {
    chunks: Vec<Arc<Chunk<K>>>,
}

/// Chunk and position of a place.
fn split(place: Place) -> (usize, usize) {
    // Places are 32 bits wide and so are the smallest machines that this runs on.
    let place = usize::try_from(place).unwrap_or(usize::MAX);
    (place / CHUNK, place % CHUNK)
}

fn at<K>(chunks: &[Arc<Chunk<K>>], place: Place) -> Option<&Slot<K>> {
    let (chunk, position) = split(place);
    chunks.get(chunk)?.get(position)?.as_ref()
}

impl<K: Object> Slots<K> {
    pub(super) const fn new() -> Self {
        Self { chunks: Vec::new(), len: 0, free: Vec::new() }
    }

    /// The same once more. Chunks are copied here and now, in the order of memory, rather than one by one when they change.
    pub(super) fn duplicate(&self) -> Self {
        let chunks = self.chunks.iter().map(|chunk| Arc::new(Chunk::clone(chunk))).collect();
        Self { chunks, len: self.len, free: self.free.clone() }
    }

    pub(super) fn get(&self, place: Place) -> Option<&Slot<K>> {
        at(&self.chunks, place)
    }

    /// Fills a free place.
    pub(super) fn insert(&mut self, slot: Slot<K>) -> Place {
        if let Some(place) = self.free.pop() {
            self.set(place, Some(slot));
            return place;
        }
        if self.len == self.chunks.len() * CHUNK {
            self.chunks.push(Arc::new(std::array::from_fn(|_| None)));
        }
        // More than 4 billion objects do not fit into memory.
        let place = Place::try_from(self.len).unwrap_or(Place::MAX);
        self.len += 1;
        self.set(place, Some(slot));
        place
    }

    /// Puts another entry into a place that is taken.
    pub(super) fn replace(&mut self, place: Place, entry: Entry<K>) -> Option<Entry<K>> {
        let slot = self.slot_mut(place)?.as_mut()?;
        Some(std::mem::replace(&mut slot.entry, entry))
    }

    /// Empties a place.
    pub(super) fn remove(&mut self, place: Place) -> Option<Slot<K>> {
        let slot = self.set(place, None)?;
        self.free.push(place);
        Some(slot)
    }

    fn set(&mut self, place: Place, slot: Option<Slot<K>>) -> Option<Slot<K>> {
        std::mem::replace(self.slot_mut(place)?, slot)
    }

    fn slot_mut(&mut self, place: Place) -> Option<&mut Option<Slot<K>>> {
        let (chunk, position) = split(place);
        Arc::make_mut(self.chunks.get_mut(chunk)?).get_mut(position)
    }

    pub(super) fn snapshot(&self) -> Snapshot<K> {
        Snapshot { chunks: self.chunks.clone() }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Place, &Slot<K>)> {
        numbered(&self.chunks)
    }
}

impl<K: Object> Snapshot<K> {
    pub(super) fn get(&self, place: Place) -> Option<&Slot<K>> {
        at(&self.chunks, place)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Place, &Slot<K>)> {
        numbered(&self.chunks)
    }
}

fn numbered<K>(chunks: &[Arc<Chunk<K>>]) -> impl Iterator<Item = (Place, &Slot<K>)> {
    let places = chunks.iter().flat_map(|chunk| chunk.iter());
    (0..).zip(places).filter_map(|(place, slot)| Some((place, slot.as_ref()?)))
}
