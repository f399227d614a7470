//! What is done about a change.
//!
//! In: an object that was created, updated or deleted. Out: success, or an error after which it is tried again.
//! Never: a change of the object it is given, which others share.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use kube_codegen_runtime::object::Object;

/// Why a handler failed; any error will do.
pub type HandlerError = Box<dyn std::error::Error + Send + Sync>;

/// What a controller does about the objects of a kind.
///
/// It must stand being told the same thing again: after an error, and for every object that there is when the
/// controller starts.
pub trait Handler<K: Object>: Send + Sync + 'static {
    /// An object is there that was not there before.
    fn created(&self, object: &Arc<K>) -> impl Future<Output = Result<(), HandlerError>> + Send;

    /// An object is no longer as it was.
    fn updated(&self, old: &Arc<K>, new: &Arc<K>) -> impl Future<Output = Result<(), HandlerError>> + Send;

    /// An object is gone; this is how it last was.
    fn deleted(&self, last: &Arc<K>) -> impl Future<Output = Result<(), HandlerError>> + Send;
}

/// The handler of the samples: it logs and counts. What it logs of a kind stands with that kind. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct LogAndCount {
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    created: AtomicU64,
    updated: AtomicU64,
    deleted: AtomicU64,
}

/// What a [`LogAndCount`] was told so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Objects that were created.
    pub created: u64,
    /// Objects that were updated.
    pub updated: u64,
    /// Objects that were deleted.
    pub deleted: u64,
}

impl LogAndCount {
    /// What it was told so far.
    #[must_use]
    pub fn told(&self) -> Told {
        Told {
            created: self.counts.created.load(Relaxed),
            updated: self.counts.updated.load(Relaxed),
            deleted: self.counts.deleted.load(Relaxed),
        }
    }

    pub(crate) fn count_created(&self) {
        self.counts.created.fetch_add(1, Relaxed);
    }

    pub(crate) fn count_updated(&self) {
        self.counts.updated.fetch_add(1, Relaxed);
    }

    pub(crate) fn count_deleted(&self) {
        self.counts.deleted.fetch_add(1, Relaxed);
    }
}
