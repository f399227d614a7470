//! The part of the keys that is this replica's.
//!
//! In: keys, and word of shards that come and go. Out: the right to work on a key; all keys of a shard when it comes. Never: a key that is
//! forgotten because it changed while its shard changed hands.

use std::collections::BTreeSet;

use parking_lot::Mutex;

use super::gone::Gone;
use crate::{
    object::{Object, ObjectKey},
    sharding::{Entry, Shards},
    store::Store,
    workqueue::{Priority, WorkQueue},
};

pub(super) struct Partition {
    shards: Shards,
    keys: Box<dyn Fn() -> Vec<ObjectKey> + Send + Sync>,
    contains: Box<dyn Fn(&ObjectKey) -> bool + Send + Sync>,
    /// Gone while they were another's, who may have been gone too.
    gone: Mutex<Gone>,
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
        if entry.is_some() {
            return entry;
        }
        self.left(key);
        // Its shard may have come while the key was noted, after those that were noted had been put into the queue.
        let entry = self.shards.enter(key);
        if entry.is_some() {
            self.gone.lock().forget(key);
        }
        entry
    }

    /// A key is left to whoever has its shard now.
    pub(super) fn left(&self, key: &ObjectKey) {
        if !(self.contains)(key) {
            self.gone.lock().note(key);
        }
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
                let gone = self.gone.lock().take(is_taken);
                let keys = (self.keys)().into_iter().filter(is_taken);
                queue.add_all_with(keys.chain(gone), Priority::LOW.into());
            }
            if status.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }
}
