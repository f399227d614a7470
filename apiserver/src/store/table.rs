//! `Table`: the objects of one resource, and the log of what became of them.
//!
//! In: versions of objects, strictly ascending. Out: the newest of each, any state since the log begins, and the changes after a
//! version. The past is kept once, in the log: an older state is the newest one with the later changes taken back.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Bound,
    sync::Arc,
};

use super::{Change, Stored};

/// One change of one object.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub change: Change,
    /// What was stored; for a deletion the last content under the version of the deletion.
    pub object: Arc<Stored>,
    /// What was there before.
    pub previous: Option<Arc<Stored>>,
}

/// The objects of one resource.
#[derive(Debug, Default)]
pub(crate) struct Table {
    objects: BTreeMap<Arc<str>, Arc<Stored>>,
    log: VecDeque<Event>,
    /// The version of the newest event that the log no longer holds.
    forgotten: u64,
    /// The version of the newest event.
    newest: u64,
    /// How often its watches were ended.
    pub(super) epoch: u64,
}

/// The log does not reach back to this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forgotten;

impl Table {
    /// How many objects there are.
    pub(crate) fn count(&self) -> usize {
        self.objects.len()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Arc<Stored>> {
        self.objects.get(key)
    }

    /// Stores a version, or the end of an object.
    pub(crate) fn record(&mut self, change: Change, object: Arc<Stored>, history: usize) -> Event {
        let previous = match change {
            Change::Deleted => self.objects.remove(&object.key),
            Change::Added | Change::Modified => {
                self.objects.insert(Arc::clone(&object.key), Arc::clone(&object))
            }
        };
        self.newest = object.version;
        let event = Event { change, object, previous };
        self.log.push_back(event.clone());
        self.shorten(history);
        event
    }

    /// Forgets all but the newest `keep` events.
    pub(crate) fn shorten(&mut self, keep: usize) {
        while self.log.len() > keep {
            if let Some(event) = self.log.pop_front() {
                self.forgotten = event.object.version;
            }
        }
    }

    /// The version of the newest event that the log no longer holds.
    pub(crate) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// The version of the newest event.
    pub(crate) fn newest(&self) -> u64 {
        self.newest
    }

    /// The events after a version, oldest first.
    pub(crate) fn events_after(&self, version: u64) -> Result<impl Iterator<Item = &Event>, Forgotten> {
        if version < self.forgotten {
            return Err(Forgotten);
        }
        let start = self.log.partition_point(|event| event.object.version <= version);
        Ok(self.log.range(start..))
    }

    /// The objects whose keys begin with `prefix` and come after `after`, as they are now.
    pub(crate) fn range<'a>(
        &'a self,
        prefix: &'a str,
        after: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Arc<Stored>> {
        let start = match after {
            Some(after) => Bound::Excluded(after),
            None => Bound::Included(prefix),
        };
        self.objects
            .range::<str, _>((start, Bound::Unbounded))
            .take_while(move |(key, _)| key.starts_with(prefix))
            .map(|(_, object)| object)
    }

    /// The same as they were at a version.
    pub(crate) fn range_at(
        &self,
        version: u64,
        prefix: &str,
        after: Option<&str>,
    ) -> Result<Vec<Arc<Stored>>, Forgotten> {
        let mut undone: BTreeMap<&str, Option<&Arc<Stored>>> = BTreeMap::new();
        for event in self.events_after(version)? {
            let key = &*event.object.key;
            if key.starts_with(prefix) && after.is_none_or(|after| key > after) {
                undone.entry(key).or_insert(event.previous.as_ref());
            }
        }
        if undone.is_empty() {
            return Ok(self.range(prefix, after).cloned().collect());
        }
        let mut state: BTreeMap<&str, &Arc<Stored>> =
            self.range(prefix, after).map(|object| (&*object.key, object)).collect();
        for (key, previous) in undone {
            match previous {
                Some(object) => state.insert(key, object),
                None => state.remove(key),
            };
        }
        Ok(state.into_values().cloned().collect())
    }
}
