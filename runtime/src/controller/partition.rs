//! The part of the keys that is this replica's.
//!
//! In: keys, and word of shards that come and go. Out: the right to work on a key; all keys of a shard when it comes. Never: a key that is
//! forgotten because it changed while its shard changed hands.

use std::collections::{BTreeSet, HashSet};

use parking_lot::Mutex;

use crate::{
    object::{Object, ObjectKey},
    sharding::{Entry, Shards},
    store::Store,
    workqueue::{Priority, WorkQueue},
};

/// How many keys of objects that are gone are kept for shards that may come. Those of objects that are there need not be.
const KEPT: usize = 10_000;

pub(super) struct Partition {
    shards: Shards,
    keys: Box<dyn Fn() -> Vec<ObjectKey> + Send + Sync>,
    contains: Box<dyn Fn(&ObjectKey) -> bool + Send + Sync>,
    /// Gone while they were another's, who may have been gone too.
    gone: Mutex<HashSet<ObjectKey>>,
}

impl Partition {
    pub(super) fn new<K: Object>(shards: Shards, store: Store<K>) -> Self {
        let other = store.clone();
        Self {
            shards,
            keys: Box::new(move || store.keys()),
            contains: Box::new(move |key| other.contains(key)),
            gone: Mutex::default(),
        }
    }

    /// The right to work on a key, if it is this replica's.
    pub(super) fn enter(&self, key: &ObjectKey) -> Option<Entry> {
        let entry = self.shards.enter(key);
        if entry.is_none() && !(self.contains)(key) {
            let mut gone = self.gone.lock();
            if gone.len() < KEPT {
                gone.insert(key.clone());
            }
        }
        entry
    }

    /// Puts the keys of each shard that this replica takes over into the queue; for ever.
    pub(super) async fn follow(&self, queue: &WorkQueue<ObjectKey>) {
        let mut status = self.shards.status();
        let mut known = std::collections::BTreeMap::new();
        loop {
            let taken: BTreeSet<u32> = {
                let now = status.borrow_and_update();
                let news = now.taken.iter().filter(|(shard, times)| known.get(*shard) != Some(*times));
                let news = news.map(|(shard, _)| *shard).collect();
                known = now.taken.clone();
                news
            };
            if !taken.is_empty() {
                let is_taken =
                    |key: &ObjectKey| self.shards.shard_of(key).is_some_and(|shard| taken.contains(&shard));
                let mut gone: HashSet<ObjectKey> = std::mem::take(&mut *self.gone.lock());
                let keys = (self.keys)().into_iter().filter(is_taken);
                queue.add_all_with(keys.chain(gone.extract_if(is_taken)), Priority::LOW.into());
                self.gone.lock().extend(gone);
            }
            if status.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }
}
