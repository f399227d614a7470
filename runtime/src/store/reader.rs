//! The reading half of a store.
//!
//! In: keys, namespaces, selectors. Out: `Option<Arc<K>>` and `Vec<Arc<K>>`. Never: IO, waiting, or a failure.

use std::{
    fmt,
    hash::{BuildHasher, Hash},
    sync::Arc,
};

use hashbrown::DefaultHashBuilder;
use kube::core::{Selector, SelectorExt};

use super::{
    Entry, ResourceVersion,
    index::{DuplicateIndex, Index},
    shared::Shared,
    slots::{Place, Slot, Snapshot},
    state::State,
};
use crate::object::{Object, ObjectKey};

/// So many objects are looked at before the first of them is taken: looking waits for memory once for all of them, while
/// taking, which counts up in the object, waits each time.
const LOOK_AHEAD: usize = 32;

/// Up to so many objects are gathered while the writer may come to wait; for more, a snapshot is taken first.
const GATHER_AT_ONCE: usize = 1024;

/// The objects of one kind that a server has, as last heard of. A cheap handle for reading.
///
/// Reads never wait, neither for the writer nor for each other, and never show half of a re-list. Each call sees one
/// moment: what it returns was there together.
pub struct Store<K> {
    shared: Arc<Shared<K>>,
}

impl<K: Object> Store<K> {
    pub(super) fn new(shared: Arc<Shared<K>>) -> Self {
        Self { shared }
    }

    /// The object of this key.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.get_str(key.as_str())
    }

    /// The object with this namespace (empty for cluster-scoped kinds) and name. Allocates nothing.
    #[must_use]
    pub fn get_named(&self, namespace: &str, name: &str) -> Option<Arc<K>> {
        ObjectKey::lookup(namespace, name, |key| self.get_str(key))
    }

    /// Shows the object of this key to `look`, where it lies. Cheaper than [`get`](Self::get), which counts up in the object.
    ///
    /// `look` has to be short: a writer may come to wait for it. Of a packed object, a decoded one is made or shared, and looked at outside.
    pub fn with<R>(&self, key: &ObjectKey, look: impl FnOnce(&K) -> R) -> Option<R> {
        let (key, hash) = (key.as_str(), self.hasher().hash_one(key.as_str()));
        let mut look = Some(look);
        let looked = self.read(|state| match state.get(hash, key)? {
            Entry::Decoded(object) => look.take().map(|look| Ok(look(object))),
            packed @ Entry::Packed(_) => Some(Err(packed.clone())),
        });
        match looked? {
            Ok(result) => Some(result),
            Err(packed) => look.take().zip(packed.object()).map(|(look, object)| look(&object)),
        }
    }

    fn get_str(&self, key: &str) -> Option<Arc<K>> {
        // Decoding takes long, so it happens outside.
        self.entry(key).and_then(into_object)
    }

    /// What is stored under a key.
    pub(crate) fn entry(&self, key: &str) -> Option<Entry<K>> {
        let hash = self.hasher().hash_one(key);
        self.read(|state| state.get(hash, key).cloned())
    }

    /// Whether there is an object of this key.
    #[must_use]
    pub fn contains(&self, key: &ObjectKey) -> bool {
        let hash = self.hasher().hash_one(key.as_str());
        self.read(|state| state.get(hash, key.as_str()).is_some())
    }

    /// All objects, in no particular order.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        let (snapshot, len) = self.read(|state| (state.snapshot(), state.len()));
        let mut objects = Vec::with_capacity(len);
        objects.extend(snapshot.iter().filter_map(|(_, slot)| slot.entry.object()));
        objects
    }

    /// The objects of a namespace, in no particular order. Costs what it returns.
    #[must_use]
    pub fn list_namespace(&self, namespace: &str) -> Vec<Arc<K>> {
        self.gather(|state| state.namespace(namespace))
    }

    /// The objects with labels that `selector` matches, in no particular order. Looks at every object; an index does
    /// not.
    #[must_use]
    pub fn select(&self, selector: &Selector) -> Vec<Arc<K>> {
        let mut objects = self.list();
        retain_matching(&mut objects, selector);
        objects
    }

    /// The objects of a namespace with labels that `selector` matches.
    #[must_use]
    pub fn select_namespace(&self, namespace: &str, selector: &Selector) -> Vec<Arc<K>> {
        let mut objects = self.list_namespace(namespace);
        retain_matching(&mut objects, selector);
        objects
    }

    /// The keys of all objects, in no particular order.
    #[must_use]
    pub fn keys(&self) -> Vec<ObjectKey> {
        self.snapshot().iter().map(|(_, slot)| slot.key.to_key()).collect()
    }

    /// All objects as they are stored.
    pub(crate) fn entries(&self) -> Vec<(ObjectKey, Entry<K>)> {
        self.snapshot().iter().map(|(_, slot)| (slot.key.to_key(), slot.entry.clone())).collect()
    }

    /// The namespaces that hold objects, in no particular order.
    #[must_use]
    pub fn namespaces(&self) -> Vec<String> {
        self.read(|state| state.namespaces().map(str::to_owned).collect())
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read(State::len)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The version of the server's state that this shows; `None` before the first list is complete.
    #[must_use]
    pub fn resource_version(&self) -> Option<ResourceVersion> {
        self.read(|state| state.version().cloned())
    }

    /// Adds an index. Objects that are there already are in it when this returns, whatever is written meanwhile.
    ///
    /// While the objects are gone through, writes wait and reads do not. The function must give the same for the same
    /// object, and neither add indexes nor handlers, nor write; an object for which it panics has no values, which is logged.
    ///
    /// # Errors
    /// If there is an index of that name.
    pub fn add_index<V, I, F>(&self, name: &str, function: F) -> Result<Index<K, V>, DuplicateIndex>
    where
        V: Hash + Eq + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
        F: Fn(&K) -> I + Send + Sync + 'static,
    {
        let (name, position) = self.shared.add_index(name, function)?;
        Ok(Index::new(self.clone(), name, position))
    }

    pub(super) fn hasher(&self) -> &DefaultHashBuilder {
        self.shared.hasher()
    }

    pub(super) fn read<R>(&self, read: impl FnOnce(&State<K>) -> R) -> R {
        self.shared.read(read)
    }

    pub(super) fn snapshot(&self) -> Snapshot<K> {
        self.read(State::snapshot)
    }

    /// The objects in the places that `find` finds.
    pub(super) fn gather(&self, find: impl Fn(&State<K>) -> &[Place]) -> Vec<Arc<K>> {
        let entries = self.gather_with(find, |slot| slot.entry.look(), |slot| slot.entry.clone());
        entries.into_iter().filter_map(into_object).collect()
    }

    /// The keys of the objects in the places that `find` finds.
    pub(super) fn gather_keys(&self, find: impl Fn(&State<K>) -> &[Place]) -> Vec<ObjectKey> {
        self.gather_with(find, |_| 0, |slot| slot.key.to_key())
    }

    fn gather_with<R>(
        &self,
        find: impl Fn(&State<K>) -> &[Place],
        look: impl Fn(&Slot<K>) -> usize,
        take: impl Fn(&Slot<K>) -> R,
    ) -> Vec<R> {
        let gathered = self.read(|state| {
            let places = find(state);
            if places.len() > GATHER_AT_ONCE {
                return Err((places.to_vec(), state.snapshot()));
            }
            Ok(take_all(places, |place| state.at(place), &look, &take))
        });
        gathered
            .unwrap_or_else(|(places, snapshot)| take_all(&places, |place| snapshot.get(place), &look, &take))
    }
}

fn take_all<'s, K: 's, R>(
    places: &[Place],
    at: impl Fn(Place) -> Option<&'s Slot<K>>,
    look: impl Fn(&Slot<K>) -> usize,
    take: impl Fn(&Slot<K>) -> R,
) -> Vec<R> {
    let mut taken = Vec::with_capacity(places.len());
    for places in places.chunks(LOOK_AHEAD) {
        let slots = || places.iter().filter_map(|place| at(*place));
        std::hint::black_box(slots().map(&look).sum::<usize>());
        taken.extend(slots().map(&take));
    }
    taken
}

fn into_object<K: Object>(entry: Entry<K>) -> Option<Arc<K>> {
    match entry {
        Entry::Decoded(object) => Some(object),
        packed @ Entry::Packed(_) => packed.object(),
    }
}

fn retain_matching<K: Object>(objects: &mut Vec<Arc<K>>, selector: &Selector) {
    let none = std::collections::BTreeMap::new();
    objects.retain(|object| selector.matches(object.meta().labels.as_ref().unwrap_or(&none)));
}

impl<K> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K: Object> fmt::Debug for Store<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("kind", &K::kind(&()))
            .field("len", &self.len())
            .field("resource_version", &self.resource_version().map(|version| version.to_string()))
            .finish()
    }
}
