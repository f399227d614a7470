//! Workers: they take keys from a queue and have them handled.
//!
//! In: a queue and what to do with a key. Out: every key done, or given up after [`MAX_RETRIES`]. Never: two workers
//! on one key; the queue sees to that.

use std::{future::Future, num::NonZeroUsize, sync::Arc};

use kube_codegen_runtime::{
    object::ObjectKey,
    workqueue::{WorkItem, WorkQueue},
};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use crate::HandlerError;

/// How often a key is tried again before it is given up, until its object changes once more.
pub const MAX_RETRIES: u32 = 5;

/// Why a controller stopped though nobody asked it to.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The informer stopped before its cache was filled.
    #[error("the {kind} informer stopped before it had listed all objects")]
    NotSynced {
        /// The kind.
        kind: &'static str,
        /// Why.
        #[source]
        source: kube_codegen_runtime::informer::SyncError,
    },
    /// A handler panicked.
    #[error("a worker panicked")]
    Panicked(#[source] tokio::task::JoinError),
}

/// Runs so many workers until `shutdown`; then lets them finish what is queued.
///
/// # Errors
/// If a worker panicked. The others are finished first.
pub(crate) async fn run<F>(
    queue: &WorkQueue<ObjectKey>,
    workers: NonZeroUsize,
    shutdown: &CancellationToken,
    handle: impl Fn(ObjectKey) -> F + Send + Sync + 'static,
) -> Result<(), RunError>
where
    F: Future<Output = Result<(), HandlerError>> + Send,
{
    let handle = Arc::new(handle);
    let mut tasks = JoinSet::new();
    for _ in 0..workers.get() {
        let (queue, handle) = (queue.clone(), Arc::clone(&handle));
        tasks.spawn(async move {
            while let Some(item) = queue.get().await {
                let result = handle(item.key().clone()).await;
                finish(item, result);
            }
        });
    }
    let mut result = tokio::select! {
        () = shutdown.cancelled() => Ok(()),
        // Before the queue is shut down, a worker ends in one way only.
        Some(ended) = tasks.join_next() => ended,
    };
    queue.shutdown();
    while let Some(ended) = tasks.join_next().await {
        result = result.and(ended);
    }
    result.map_err(RunError::Panicked)
}

/// Gives the key back: done, to be tried again, or given up.
fn finish(item: WorkItem<ObjectKey>, result: Result<(), HandlerError>) {
    let (key, retries) = (item.key(), item.num_requeues());
    match result {
        Ok(()) => item.forget(),
        Err(error) if retries < MAX_RETRIES => {
            warn!(%key, %error, retries, "not handled, will be tried again");
            item.requeue_rate_limited();
        }
        Err(error) => {
            error!(%key, %error, retries, "not handled, given up");
            item.forget();
        }
    }
}
