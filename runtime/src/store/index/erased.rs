//! Indexes of any value type side by side in one store.
//!
//! In: index functions with their value types. Out: trait objects that a store can hold in a list. Never: a panic of an
//! index function, or of the hashing and comparing of its values, beyond this file.

use std::{
    any::Any,
    hash::{BuildHasher, Hash},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use hashbrown::DefaultHashBuilder;

use super::{super::slots::Place, Postings, postings::Hashed};
use crate::object::Object;

/// What an index function said of an object: a `Vec<Hashed<V>>` of the index's own value type.
pub(in super::super) type Values = Box<dyn Any + Send + Sync>;

/// An index function.
pub(in super::super) trait IndexFunction<K>: Send + Sync {
    /// Asks the function. If it panics, the object has no values.
    fn values(&self, object: &K) -> Values;

    /// An index without objects.
    fn empty(&self) -> Box<dyn IndexState>;
}

/// An index without its function: what belongs to one copy of a store.
pub(in super::super) trait IndexState: Send + Sync {
    /// Enters the object in `place` under `values` and nothing else.
    fn set(&mut self, place: Place, values: &Values);

    /// Takes the object in `place` out.
    fn remove(&mut self, place: Place);

    /// The same index once more.
    fn duplicate(&self) -> Box<dyn IndexState>;

    /// For the typed handle: the [`Postings`].
    fn as_any(&self) -> &dyn Any;
}

struct Function<F> {
    name: Arc<str>,
    function: F,
    hasher: DefaultHashBuilder,
}

/// An index function as a store holds it.
pub(in super::super) fn function<K, V, I, F>(
    name: Arc<str>,
    hasher: DefaultHashBuilder,
    function: F,
) -> Arc<dyn IndexFunction<K>>
where
    K: Object,
    V: Hash + Eq + Send + Sync + 'static,
    I: IntoIterator<Item = V>,
    F: Fn(&K) -> I + Send + Sync + 'static,
{
    let list = move |object: &K| function(object).into_iter().collect::<Vec<V>>();
    Arc::new(Function { name, function: list, hasher })
}

impl<K, V, F> IndexFunction<K> for Function<F>
where
    K: Object,
    V: Hash + Eq + Send + Sync + 'static,
    F: Fn(&K) -> Vec<V> + Send + Sync,
{
    fn values(&self, object: &K) -> Values {
        let hashed = catch_unwind(AssertUnwindSafe(|| {
            let mut hashed: Vec<Hashed<V>> = Vec::new();
            for value in (self.function)(object) {
                let hash = self.hasher.hash_one(&value);
                if !hashed.iter().any(|(other_hash, other)| *other_hash == hash && **other == value) {
                    hashed.push((hash, Arc::new(value)));
                }
            }
            hashed
        }));
        Box::new(hashed.unwrap_or_else(|_| {
            let key = crate::object::ObjectKey::of(object);
            tracing::error!(index = %self.name, %key, "an index function panicked; the object has no values there");
            Vec::new()
        }))
    }

    fn empty(&self) -> Box<dyn IndexState> {
        Box::new(Postings::<V>::new())
    }
}

impl<V: Hash + Eq + Send + Sync + 'static> IndexState for Postings<V> {
    fn set(&mut self, place: Place, values: &Values) {
        let values = values.downcast_ref::<Vec<Hashed<V>>>().map_or(&[] as &[_], Vec::as_slice);
        // Comparing values runs code of the user's.
        if catch_unwind(AssertUnwindSafe(|| Self::set(self, place, values))).is_err() {
            tracing::error!("comparing the values of an index panicked; the object has no values there");
            Self::remove(self, place);
        }
    }

    fn remove(&mut self, place: Place) {
        Self::remove(self, place);
    }

    fn duplicate(&self) -> Box<dyn IndexState> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
