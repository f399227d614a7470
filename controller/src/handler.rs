//! What is done about a change.
//!
//! In: an object that was created, updated or deleted. Out: success, or an error after which it is tried again.
//! Never: a change of the object it is given, which others share.

use std::{future::Future, sync::Arc};

use kube_codegen_runtime::object::Object;

use crate::Counts;

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

/// The handler of the samples: it logs and counts. What it logs of each kind stands with that kind.
#[derive(Clone, Debug, Default)]
pub struct LogAndCount {
    pub(crate) counts: Arc<Counts>,
}

impl LogAndCount {
    /// What was handled so far; goes on counting.
    #[must_use]
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.counts)
    }
}
