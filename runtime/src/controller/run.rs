//! A controller at work.
//!
//! In: a queue of keys and a reconciler. Out: runs, until the stop; then the end of those that are running. Never: a run that begins after
//! the stop, or one that outlives the future.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures::future::try_join_all;
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, debug, error, info, info_span, warn};

use super::{
    Action, ControllerBuilder, Metrics, Outcome, Reconciler, Request, attempt::Attempt, partition::Partition,
};
use crate::{
    informer::{HandlerRegistration, SharedInformer, SyncError},
    object::{Object, ObjectKey},
    workqueue::{WorkItem, WorkQueue},
};

/// How long a key waits whose write has met another writer: about as long as the other's change takes into the cache.
const CONFLICT_WAIT: Duration = Duration::from_millis(50);

/// What a controller is made with.
pub(super) struct Settings {
    pub(super) name: Arc<str>,
    pub(super) workers: NonZeroUsize,
    pub(super) run_limit: Option<Duration>,
    pub(super) sync_limit: Duration,
    pub(super) metrics: Arc<dyn Metrics>,
}

/// Why a controller did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// An informer stopped before its first list was through.
    #[error("the controller {controller} cannot start")]
    NotSynced {
        /// The controller.
        controller: String,
        /// What happened.
        source: SyncError,
    },
    /// The informers took too long for their first list.
    #[error(
        "the controller {controller} cannot start: its informers were not synced within {limit:?}; were they started?"
    )]
    SyncTimeout {
        /// The controller.
        controller: String,
        /// The limit.
        limit: Duration,
    },
}

/// A controller that is ready to run. Made by [`Controller::builder`].
pub struct Controller<R> {
    settings: Settings,
    queue: Own,
    partition: Option<Partition>,
    registrations: Vec<HandlerRegistration>,
    reconciler: R,
}

impl Controller<()> {
    /// Begins a controller for the objects of an informer. The name stands in logs and metrics.
    pub fn builder<K: Object>(name: &str, informer: &SharedInformer<K>) -> ControllerBuilder<K> {
        ControllerBuilder::new(name, informer)
    }
}

impl<R> Controller<R> {
    pub(super) fn new(
        settings: Settings,
        (queue, partition): (WorkQueue<ObjectKey>, Option<Partition>),
        registrations: Vec<HandlerRegistration>,
        reconciler: R,
    ) -> Self {
        Self { settings, queue: Own(queue), partition, registrations, reconciler }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// How many keys may be worked on at a time.
    #[must_use]
    pub fn workers(&self) -> NonZeroUsize {
        self.settings.workers
    }

    /// The queue, for requests from elsewhere: a timer, a webhook, another cluster.
    #[must_use]
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.queue.0
    }

    /// Waits until all that its informers listed first is in the queue.
    ///
    /// # Errors
    /// If an informer stops before.
    pub async fn wait_for_sync(&self) -> Result<(), SyncError> {
        try_join_all(self.registrations.iter().map(HandlerRegistration::wait_for_sync)).await.map(|_| ())
    }
}

impl<R: Reconciler> Controller<R> {
    /// Runs until `stop`: waits for the first lists, then has the keys of the queue worked on. At the stop no further run begins, those
    /// that are running are waited for, and the handlers are taken off the informers, which have to be there until then.
    ///
    /// Dropping the future ends the runs where they wait.
    ///
    /// # Errors
    /// If the informers do not get to the end of their first lists.
    pub async fn run(self, stop: CancellationToken) -> Result<(), RunError> {
        let Some(synced) = stop.run_until_cancelled(self.synced()).await else {
            return Ok(());
        };
        synced?;
        let Self { settings, queue: own, partition, registrations, reconciler } = self;
        let queue = &own.0;
        info!(controller = %settings.name, workers = settings.workers, keys = queue.len(), "controller started");
        let workers = settings.workers.get();
        let name = Arc::clone(&settings.name);
        let shared = Arc::new(Shared { settings, partition, reconciler, runs: AtomicU64::new(0) });
        let mut tasks = JoinSet::new();
        if shared.partition.is_some() {
            tasks.spawn(Arc::clone(&shared).follow_shards(queue.clone(), stop.clone()));
        }
        for _ in 0..workers {
            tasks.spawn(Arc::clone(&shared).work(queue.clone(), stop.clone()));
        }
        while tasks.join_next().await.is_some() {}
        queue.shutdown();
        for registration in &registrations {
            registration.remove().await;
        }
        info!(controller = %name, "controller stopped");
        Ok(())
    }

    async fn synced(&self) -> Result<(), RunError> {
        let controller = || self.settings.name.to_string();
        let limit = self.settings.sync_limit;
        match tokio::time::timeout(limit, self.wait_for_sync()).await {
            Ok(synced) => synced.map_err(|source| RunError::NotSynced { controller: controller(), source }),
            Err(_) => Err(RunError::SyncTimeout { controller: controller(), limit }),
        }
    }
}

impl<R> fmt::Debug for Controller<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("name", &self.settings.name)
            .field("queue", &self.queue.0)
            .finish_non_exhaustive()
    }
}

/// The queue of a controller. Handlers may be there longer than the controller, which can be dropped at any time; nothing is gathered then
/// that nobody will work on.
struct Own(WorkQueue<ObjectKey>);

impl Drop for Own {
    fn drop(&mut self) {
        self.0.shutdown();
    }
}

/// What workers share.
struct Shared<R> {
    settings: Settings,
    partition: Option<Partition>,
    reconciler: R,
    runs: AtomicU64,
}

impl<R: Reconciler> Shared<R> {
    async fn work(self: Arc<Self>, queue: WorkQueue<ObjectKey>, stop: CancellationToken) {
        loop {
            let item = tokio::select! {
                // In this order: what is ready when the stop comes is not begun.
                biased;
                () = stop.cancelled() => return,
                item = queue.get() => item,
            };
            let Some(item) = item else { return };
            self.handle(item).await;
        }
    }

    /// Has the keys of shards worked on that this replica takes over.
    async fn follow_shards(self: Arc<Self>, queue: WorkQueue<ObjectKey>, stop: CancellationToken) {
        if let Some(partition) = &self.partition {
            stop.run_until_cancelled(partition.follow(&queue)).await;
        }
    }

    async fn handle(&self, item: WorkItem<ObjectKey>) {
        let entry = match self.partition.as_ref().map(|partition| partition.enter(item.key())) {
            None => None,
            Some(Some(entry)) => Some(entry),
            // Another replica's.
            Some(None) => return item.forget(),
        };
        // This run answers for the timed run that the key was waiting for as well.
        item.queue().cancel_delayed(item.key());
        let run = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        let request = Request::new(item.key().clone(), item.num_requeues(), run);
        let span = info_span!("reconcile", controller = %self.settings.name, key = %item.key(), run);
        async {
            let started = Instant::now();
            self.settings.metrics.started();
            let attempt = Attempt::make(&self.reconciler, request, self.settings.run_limit);
            let attempt = match &entry {
                None => attempt.await,
                Some(entry) => entry.revoked().run_until_cancelled(attempt).await.unwrap_or(Attempt::Revoked),
            };
            let (outcome, took) = (attempt.outcome(), started.elapsed());
            if let (Outcome::Revoked, Some(partition)) = (outcome, &self.partition) {
                partition.left(item.key());
            }
            report(&attempt, outcome, took);
            settle(item, outcome, &attempt);
            self.settings.metrics.finished(outcome, took);
        }
        .instrument(span)
        .await;
    }
}

/// Gives the key back.
fn settle(item: WorkItem<ObjectKey>, outcome: Outcome, attempt: &Attempt) {
    match outcome {
        Outcome::Conflict => item.requeue_after(CONFLICT_WAIT),
        Outcome::Failed | Outcome::Panicked | Outcome::TimedOut => item.requeue_rate_limited(),
        Outcome::Done | Outcome::Again | Outcome::After | Outcome::Terminal | Outcome::Revoked => {
            let delay = match attempt {
                Attempt::Said(Ok(action)) => Action::delay(*action),
                _ => None,
            };
            item.queue().forget(item.key());
            match delay {
                Some(delay) => item.requeue_after(delay),
                None => drop(item),
            }
        }
    }
}

fn report(attempt: &Attempt, outcome: Outcome, took: Duration) {
    match attempt {
        Attempt::Said(Ok(action)) => debug!(?action, ?took, "reconciled"),
        Attempt::Said(Err(failure)) if outcome == Outcome::Conflict => {
            debug!(%failure, ?took, "met another writer; runs again");
        }
        Attempt::Said(Err(failure)) if failure.is_terminal() => error!(%failure, ?took, "failed for good"),
        Attempt::Said(Err(failure)) => warn!(%failure, ?took, "failed; will be tried again"),
        Attempt::Panicked(text) => error!(panic = text, ?took, "panicked; will be tried again"),
        Attempt::Revoked => warn!(?took, "its shard went to another replica; dropped"),
        Attempt::TimedOut(limit) => warn!(?limit, "took too long and was dropped; will be tried again"),
    }
}
