//! `Reached`: the version that a server has come to, and waits for a newer one.
//!
//! In: versions. Out: waits, which end in the order in which they began. Never: an order that chance decides, as it does for those who wait
//! at a `watch` of tokio's; a simulation would not be the same twice.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::sync::{Notify, futures::OwnedNotified};

pub(super) struct Reached {
    version: AtomicU64,
    newer: Arc<Notify>,
}

impl Reached {
    pub(super) fn new(version: u64) -> Self {
        Self { version: AtomicU64::new(version), newer: Arc::default() }
    }

    /// Ends the waits, if this version is newer.
    pub(super) fn advance(&self, version: u64) {
        if self.version.fetch_max(version, Ordering::AcqRel) < version {
            self.newer.notify_waiters();
        }
    }

    /// A wait that ends when a version is reached that is newer than now.
    pub(super) fn newer(&self) -> OwnedNotified {
        Arc::clone(&self.newer).notified_owned()
    }
}
