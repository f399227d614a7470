//! Which places have which value.
//!
//! In: for a place, the values of its object. Out: for a value, the places. Never: a place left behind under a value
//! that it no longer has: each place remembers where it is entered, so that taking it out asks no value anything.

use std::{borrow::Borrow, hash::Hash, sync::Arc};

use hashbrown::HashTable;

use super::super::slots::Place;

/// A value with its hash. Shared between the two copies of a store.
pub(in super::super) type Hashed<V> = (u64, Arc<V>);

/// The index proper: from values to places and back.
pub(in super::super) struct Postings<V> {
    /// From the hash of a value to its number.
    numbers: HashTable<u32>,
    values: Vec<Posting<V>>,
    unused: Vec<u32>,
    /// For each place, where it is entered.
    entered: Vec<Entered>,
}

struct Posting<V> {
    hash: u64,
    /// `None` while the number is unused.
    value: Option<Arc<V>>,
    places: Vec<Place>,
}

/// Where one place stands in the lists of its values. Nearly all objects have one value or none.
#[derive(Clone, Default)]
enum Entered {
    #[default]
    Nowhere,
    Once(Position),
    Often(Vec<Position>),
}

#[derive(Clone, Copy)]
struct Position {
    value: u32,
    position: u32,
}

impl Entered {
    fn positions(&self) -> &[Position] {
        match self {
            Self::Nowhere => &[],
            Self::Once(position) => std::slice::from_ref(position),
            Self::Often(positions) => positions,
        }
    }

    fn positions_mut(&mut self) -> &mut [Position] {
        match self {
            Self::Nowhere => &mut [],
            Self::Once(position) => std::slice::from_mut(position),
            Self::Often(positions) => positions,
        }
    }

    fn add(&mut self, position: Position) {
        match self {
            Self::Nowhere => *self = Self::Once(position),
            Self::Once(first) => *self = Self::Often(vec![*first, position]),
            Self::Often(positions) => positions.push(position),
        }
    }
}

/// Numbers are 32 bits wide and so are the smallest machines that this runs on.
fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl<V> Clone for Postings<V> {
    fn clone(&self) -> Self {
        Self {
            numbers: self.numbers.clone(),
            values: self.values.clone(),
            unused: self.unused.clone(),
            entered: self.entered.clone(),
        }
    }
}

impl<V> Clone for Posting<V> {
    fn clone(&self) -> Self {
        Self { hash: self.hash, value: self.value.clone(), places: self.places.clone() }
    }
}

impl<V: Hash + Eq> Postings<V> {
    pub(in super::super) const fn new() -> Self {
        Self { numbers: HashTable::new(), values: Vec::new(), unused: Vec::new(), entered: Vec::new() }
    }

    /// The places of a value.
    pub(in super::super) fn places<Q>(&self, hash: u64, value: &Q) -> &[Place]
    where
        V: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        let number = self.numbers.find(hash, |number| self.is(*number, value));
        number.and_then(|number| self.values.get(wide(*number))).map_or(&[], |posting| &posting.places)
    }

    /// All values that some place has.
    pub(in super::super) fn values(&self) -> impl Iterator<Item = &Arc<V>> {
        self.values.iter().filter_map(|posting| posting.value.as_ref())
    }

    fn is<Q>(&self, number: u32, value: &Q) -> bool
    where
        V: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        let found = self.values.get(wide(number)).and_then(|posting| posting.value.as_deref());
        found.is_some_and(|found| found.borrow() == value)
    }

    /// Enters a place under these values and no others.
    pub(in super::super) fn set(&mut self, place: Place, values: &[Hashed<V>]) {
        // First all that runs code of the values, while nothing has changed that a panic could leave half-done.
        let numbers: Vec<Option<u32>> =
            values.iter().map(|(hash, value)| self.number(*hash, value)).collect();
        if self.has_exactly(place, &numbers) {
            return;
        }
        let fresh: Vec<u32> = values
            .iter()
            .zip(numbers)
            .map(|(value, number)| number.unwrap_or_else(|| self.add_value(value)))
            .collect();
        let left = self.leave(place);
        for number in fresh {
            self.enter(place, number);
        }
        for position in left.positions() {
            self.forget(position.value);
        }
    }

    /// Takes a place out.
    pub(in super::super) fn remove(&mut self, place: Place) {
        let left = self.leave(place);
        for position in left.positions() {
            self.forget(position.value);
        }
    }

    fn number(&self, hash: u64, value: &V) -> Option<u32> {
        self.numbers.find(hash, |number| self.is(*number, value)).copied()
    }

    fn has_exactly(&self, place: Place, numbers: &[Option<u32>]) -> bool {
        let positions = self.entered.get(wide(place)).map_or(&[] as &[_], Entered::positions);
        positions.len() == numbers.len()
            && positions.iter().zip(numbers).all(|(position, number)| Some(position.value) == *number)
    }

    /// Gives a new value a number. A value that differs even from itself gets one each time.
    fn add_value(&mut self, (hash, value): &Hashed<V>) -> u32 {
        let posting = Posting { hash: *hash, value: Some(Arc::clone(value)), places: Vec::new() };
        let number = self.unused.pop().unwrap_or_else(|| narrow(self.values.len()));
        match self.values.get_mut(wide(number)) {
            Some(unused) => *unused = posting,
            None => self.values.push(posting),
        }
        let values = &self.values;
        let rehash = |number: &u32| values.get(wide(*number)).map_or(0, |posting| posting.hash);
        self.numbers.insert_unique(*hash, number, rehash);
        number
    }

    fn enter(&mut self, place: Place, value: u32) {
        let index = wide(place);
        if self.entered.len() <= index {
            self.entered.resize(index + 1, Entered::Nowhere);
        }
        let (Some(entered), Some(posting)) = (self.entered.get_mut(index), self.values.get_mut(wide(value)))
        else {
            return;
        };
        if entered.positions().iter().any(|position| position.value == value) {
            return;
        }
        entered.add(Position { value, position: narrow(posting.places.len()) });
        posting.places.push(place);
    }

    /// Takes a place out of the lists of its values, and says which those were.
    fn leave(&mut self, place: Place) -> Entered {
        let Some(entered) = self.entered.get_mut(wide(place)).map(std::mem::take) else {
            return Entered::Nowhere;
        };
        for position in entered.positions() {
            self.take_out(*position);
        }
        entered
    }

    /// Takes one place out of a list; the last one moves to where it stood.
    fn take_out(&mut self, hole: Position) {
        let Some(posting) = self.values.get_mut(wide(hole.value)) else { return };
        let Some(last) = posting.places.pop() else { return };
        let Some(place) = posting.places.get_mut(wide(hole.position)) else { return };
        *place = last;
        let moved = self.entered.get_mut(wide(last)).map_or(&mut [] as &mut [_], Entered::positions_mut);
        for position in moved.iter_mut().filter(|position| position.value == hole.value) {
            position.position = hole.position;
        }
    }

    /// Forgets a value that no place has any more.
    fn forget(&mut self, number: u32) {
        let Some(posting) = self.values.get_mut(wide(number)).filter(|posting| posting.places.is_empty())
        else {
            return;
        };
        if posting.value.take().is_none() {
            return;
        }
        posting.places = Vec::new();
        if let Ok(entry) = self.numbers.find_entry(posting.hash, |other| *other == number) {
            entry.remove();
        }
        self.unused.push(number);
    }
}
