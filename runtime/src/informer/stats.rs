//! Counts of what an informer has done.
//!
//! In: events of its life. Out: numbers, for metrics. Never: a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// What an informer has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InformerStats {
    /// Complete lists, in pages or streamed.
    pub lists: u64,
    /// Watches that were opened, without streamed lists.
    pub watches: u64,
    /// Events that changed the store.
    pub changes: u64,
    /// Events that said nothing new.
    pub duplicates: u64,
    /// Failures of lists and watches, without routine ones.
    pub failures: u64,
    /// Objects that could not be used, counted each time they came.
    pub bad_objects: u64,
    /// Handler calls that panicked.
    pub handler_panics: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) lists: AtomicU64,
    pub(super) watches: AtomicU64,
    pub(super) changes: AtomicU64,
    pub(super) duplicates: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) bad_objects: AtomicU64,
    pub(super) handler_panics: AtomicU64,
}

pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Counters {
    pub(super) fn read(&self) -> InformerStats {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        InformerStats {
            lists: read(&self.lists),
            watches: read(&self.watches),
            changes: read(&self.changes),
            duplicates: read(&self.duplicates),
            failures: read(&self.failures),
            bad_objects: read(&self.bad_objects),
            handler_panics: read(&self.handler_panics),
        }
    }
}
