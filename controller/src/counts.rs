//! Counters of what was handled.
//!
//! In: one call for each thing done. Out: the numbers, readable from any task at any time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often each thing was done.
#[derive(Debug, Default)]
pub struct Counts {
    created: AtomicU64,
    updated: AtomicU64,
    deleted: AtomicU64,
}

/// The numbers at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Objects that were handled as created.
    pub created: u64,
    /// Objects that were handled as updated.
    pub updated: u64,
    /// Objects that were handled as deleted.
    pub deleted: u64,
}

impl Counts {
    pub(crate) fn created(&self) {
        self.created.fetch_add(1, Relaxed);
    }

    pub(crate) fn updated(&self) {
        self.updated.fetch_add(1, Relaxed);
    }

    pub(crate) fn deleted(&self) {
        self.deleted.fetch_add(1, Relaxed);
    }

    /// The numbers now.
    #[must_use]
    pub fn read(&self) -> Counted {
        Counted {
            created: self.created.load(Relaxed),
            updated: self.updated.load(Relaxed),
            deleted: self.deleted.load(Relaxed),
        }
    }
}
