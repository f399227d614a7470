//! A controller in the making.
//!
//! In: informers, filters and settings. Out: a [`Controller`]. Never: a started informer; whoever owns them starts them.

use std::{fmt, num::NonZeroUsize, sync::Arc, time::Duration};

use super::{
    Controller, Metrics, Reconciler,
    filter::Filter,
    partition::Partition,
    run::Settings,
    source::{self, Source},
};
use crate::{
    informer::SharedInformer,
    object::{Object, ObjectKey},
    sharding::Shards,
    workqueue::{Exponential, Metrics as QueueMetrics, RateLimiter, WorkQueue},
};

/// The wait after the first failure of a key; it doubles with each further one.
const FIRST_RETRY: Duration = Duration::from_millis(5);
/// The longest wait after a failure.
const LONGEST_RETRY: Duration = Duration::from_secs(1000);
/// How long informers may take for their first list.
const SYNC_LIMIT: Duration = Duration::from_secs(120);

/// Makes a [`Controller`] for objects of the kind `K`; see the [module](super).
#[must_use]
pub struct ControllerBuilder<K: Object> {
    informer: SharedInformer<K>,
    filter: Option<Filter<K>>,
    sources: Vec<Source>,
    limiter: Box<dyn RateLimiter<ObjectKey> + Send>,
    queue_metrics: Option<Arc<dyn QueueMetrics>>,
    shards: Option<Shards>,
    settings: Settings,
}

impl<K: Object> ControllerBuilder<K> {
    pub(super) fn new(name: &str, informer: &SharedInformer<K>) -> Self {
        Self {
            informer: informer.clone(),
            filter: None,
            sources: Vec::new(),
            limiter: Box::new(Exponential::new(FIRST_RETRY, LONGEST_RETRY)),
            queue_metrics: None,
            shards: None,
            settings: Settings {
                name: name.into(),
                workers: NonZeroUsize::MIN,
                run_limit: None,
                sync_limit: SYNC_LIMIT,
                metrics: Arc::new(()),
            },
        }
    }

    /// Which events about the objects themselves are worth a run; all, unless this is called. Of several calls all filters must pass.
    pub fn filter(mut self, filter: Filter<K>) -> Self {
        self.filter = Some(match self.filter {
            Some(before) => before.and(filter),
            None => filter,
        });
        self
    }

    /// Runs also for the controllers of other objects, as they stand in their owner references, when those objects change.
    pub fn owns<C: Object>(mut self, informer: &SharedInformer<C>) -> Self {
        self.sources.push(source::mapped(informer.clone(), None, source::controlling::<K, C>));
        self
    }

    /// [`owns`](Self::owns), for events that pass a filter.
    pub fn owns_filtered<C: Object>(mut self, informer: &SharedInformer<C>, filter: Filter<C>) -> Self {
        self.sources.push(source::mapped(informer.clone(), Some(filter), source::controlling::<K, C>));
        self
    }

    /// Runs also for the keys that `map` finds in other objects, when those change: in the old and in the new state of each.
    ///
    /// Where a field of `K` names the other object, an index of the main informer finds the keys:
    ///
    /// ```
    /// # use k8s_openapi::api::core::v1::{ConfigMap, Pod};
    /// # use kube_codegen_runtime::{controller::*, informer::SharedInformer, store::DuplicateIndex};
    /// # fn example(pods: SharedInformer<Pod>, accounts: SharedInformer<ConfigMap>) -> Result<(), DuplicateIndex> {
    /// let by_account = pods.add_index("account", |pod| pod.spec.as_ref().and_then(|spec| spec.service_account.clone()))?;
    /// let builder = Controller::builder("pods", &pods)
    ///     .watches(&accounts, move |account| by_account.keys_of(account.metadata.name.as_deref().unwrap_or_default()));
    /// # let _ = builder; Ok(()) }
    /// ```
    pub fn watches<C, I>(
        mut self,
        informer: &SharedInformer<C>,
        map: impl Fn(&C) -> I + Send + Sync + 'static,
    ) -> Self
    where
        C: Object,
        I: IntoIterator<Item = ObjectKey>,
    {
        self.sources.push(source::mapped(informer.clone(), None, map));
        self
    }

    /// [`watches`](Self::watches), for events that pass a filter.
    pub fn watches_filtered<C, I>(
        mut self,
        informer: &SharedInformer<C>,
        filter: Filter<C>,
        map: impl Fn(&C) -> I + Send + Sync + 'static,
    ) -> Self
    where
        C: Object,
        I: IntoIterator<Item = ObjectKey>,
    {
        self.sources.push(source::mapped(informer.clone(), Some(filter), map));
        self
    }

    /// How many keys may be worked on at a time; one, unless this is called.
    pub fn workers(mut self, workers: NonZeroUsize) -> Self {
        self.settings.workers = workers;
        self
    }

    /// How long one run may take; a longer one is dropped where it waits, and counts as a failure. No limit, unless this is called.
    pub fn run_limit(mut self, limit: Duration) -> Self {
        self.settings.run_limit = Some(limit);
        self
    }

    /// How long informers may take for their first list before [`Controller::run`] fails; two minutes, unless this is called.
    pub fn sync_limit(mut self, limit: Duration) -> Self {
        self.settings.sync_limit = limit;
        self
    }

    /// How long keys wait that have failed; 5 ms doubling up to 1000 s for each key, unless this is called.
    pub fn rate_limiter(mut self, limiter: impl RateLimiter<ObjectKey> + Send + 'static) -> Self {
        self.limiter = Box::new(limiter);
        self
    }

    /// Runs only about keys in shards that this replica holds, and about all of a shard's keys when it has taken that over. Whoever runs the
    /// controller has to run the shards as well.
    pub fn sharded(mut self, shards: &Shards) -> Self {
        self.shards = Some(shards.clone());
        self
    }

    /// Hooks that hear of every run.
    pub fn metrics(mut self, metrics: impl Metrics + 'static) -> Self {
        self.settings.metrics = Arc::new(metrics);
        self
    }

    /// Hooks that hear of what the queue does.
    pub fn queue_metrics(mut self, metrics: impl QueueMetrics + 'static) -> Self {
        self.queue_metrics = Some(Arc::new(metrics));
        self
    }

    /// The controller. From here on its queue fills, once the informers run.
    pub fn build<R: Reconciler>(self, reconciler: R) -> Controller<R> {
        let queue = match self.queue_metrics {
            Some(metrics) => WorkQueue::with_metrics(self.limiter, metrics),
            None => WorkQueue::new(self.limiter),
        };
        let store = self.informer.store();
        let partition = self.shards.map(|shards| Partition::new(shards, store));
        let own = source::own(self.informer, self.filter);
        let sources = std::iter::once(own).chain(self.sources);
        let registrations = sources.map(|source| source(&queue)).collect();
        Controller::new(self.settings, (queue, partition), registrations, reconciler)
    }
}

impl<K: Object> fmt::Debug for ControllerBuilder<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("ControllerBuilder");
        shown
            .field("name", &self.settings.name)
            .field("workers", &self.settings.workers)
            .finish_non_exhaustive()
    }
}
