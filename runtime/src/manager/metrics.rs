//! Metrics under the names of controller-runtime and client-go, so that their dashboards and alerts work.
//!
//! In: what controllers and queues do. Out: a text in the OpenMetrics form. Never: a label with more values than there are controllers and
//! results.

use std::{
    fmt,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use parking_lot::Mutex;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
    },
    registry::Registry,
};

use crate::{
    controller::{self, Outcome},
    object::ObjectKey,
    workqueue::{self, WorkQueue},
};

/// Upper bounds of how long runs take, in seconds.
const RUN_SECONDS: [f64; 40] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25,
    1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0,
    50.0, 60.0,
];
/// Upper bounds of how long keys wait and are worked on, in seconds.
const QUEUE_SECONDS: [f64; 12] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByController {
    controller: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByResult {
    controller: String,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByQueue {
    name: String,
    controller: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByPriority {
    name: String,
    controller: String,
    priority: i16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByLease {
    name: String,
}

type Counters<L> = Family<L, Counter>;
type Gauges<L> = Family<L, Gauge>;
type Histograms<L> = Family<L, Histogram, fn() -> Histogram>;

/// The metrics of one process. A cheap handle.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Mutex<Registry>>,
    families: Arc<Families>,
    queues: Queues,
}

struct Families {
    total: Counters<ByResult>,
    errors: Counters<ByController>,
    terminal: Counters<ByController>,
    panics: Counters<ByController>,
    timeouts: Counters<ByController>,
    time: Histograms<ByController>,
    most: Gauges<ByController>,
    active: Gauges<ByController>,
    adds: Counters<ByQueue>,
    retries: Counters<ByQueue>,
    waited: Histograms<ByQueue>,
    worked: Histograms<ByQueue>,
    leading: Gauges<ByLease>,
}

impl Default for Metrics {
    fn default() -> Self {
        let run_seconds: fn() -> Histogram = || Histogram::new(RUN_SECONDS);
        let queue_seconds: fn() -> Histogram = || Histogram::new(QUEUE_SECONDS);
        let families = Arc::new(Families {
            total: Family::default(),
            errors: Family::default(),
            terminal: Family::default(),
            panics: Family::default(),
            timeouts: Family::default(),
            time: Family::new_with_constructor(run_seconds),
            most: Family::default(),
            active: Family::default(),
            adds: Family::default(),
            retries: Family::default(),
            waited: Family::new_with_constructor(queue_seconds),
            worked: Family::new_with_constructor(queue_seconds),
            leading: Family::default(),
        });
        let queues = Queues::default();
        let mut registry = Registry::default();
        families.register(&mut registry);
        registry.register_collector(Box::new(queues.clone()));
        Self { registry: Arc::new(Mutex::new(registry)), families, queues }
    }
}

impl Families {
    /// Counters get their `_total` from the encoder.
    fn register(&self, registry: &mut Registry) {
        let runs = registry.sub_registry_with_prefix("controller_runtime");
        runs.register("reconcile", "Total number of reconciliations per controller", self.total.clone());
        runs.register(
            "reconcile_errors",
            "Total number of reconciliation errors per controller",
            self.errors.clone(),
        );
        runs.register(
            "terminal_reconcile_errors",
            "Total number of terminal reconciliation errors per controller",
            self.terminal.clone(),
        );
        runs.register(
            "reconcile_panics",
            "Total number of reconciliation panics per controller",
            self.panics.clone(),
        );
        runs.register(
            "reconcile_timeouts",
            "Total number of reconciliation timeouts per controller",
            self.timeouts.clone(),
        );
        runs.register(
            "reconcile_time_seconds",
            "Length of time per reconciliation per controller",
            self.time.clone(),
        );
        runs.register(
            "max_concurrent_reconciles",
            "Maximum number of concurrent reconciles per controller",
            self.most.clone(),
        );
        runs.register(
            "active_workers",
            "Number of currently used workers per controller",
            self.active.clone(),
        );
        let queue = registry.sub_registry_with_prefix("workqueue");
        queue.register("adds", "Total number of adds handled by workqueue", self.adds.clone());
        queue.register("retries", "Total number of retries handled by workqueue", self.retries.clone());
        queue.register(
            "queue_duration_seconds",
            "How long in seconds an item stays in workqueue before being requested",
            self.waited.clone(),
        );
        queue.register(
            "work_duration_seconds",
            "How long in seconds processing an item from workqueue takes",
            self.worked.clone(),
        );
        registry.register(
            "leader_election_master_status",
            "Whether this process holds the lease: 1 for the leader, 0 for others",
            self.leading.clone(),
        );
    }
}

impl Metrics {
    /// Adds metrics of one's own to what is scraped.
    pub fn register(&self, register: impl FnOnce(&mut Registry)) {
        register(&mut self.registry.lock());
    }

    /// All metrics, as they are scraped.
    #[must_use]
    pub fn text(&self) -> String {
        let mut scraped = String::new();
        // Writing to a string fails only where a collector does, and then what is there so far is better than nothing.
        let _ = text::encode(&mut scraped, &self.registry.lock());
        scraped
    }

    /// Hooks for a controller.
    pub(super) fn of_controller(&self, name: &str) -> impl controller::Metrics + use<> {
        OfController {
            families: Arc::clone(&self.families),
            labels: ByController { controller: name.to_owned() },
        }
    }

    /// Hooks for the queue of a controller.
    pub(super) fn of_queue(&self, name: &str) -> impl workqueue::Metrics + use<> {
        OfQueue { families: Arc::clone(&self.families), labels: queue_labels(name) }
    }

    /// The gauges of a controller and of its queue.
    pub(super) fn watch(&self, name: &str, workers: usize, queue: WorkQueue<ObjectKey>) {
        let labels = ByController { controller: name.to_owned() };
        self.families.most.get_or_create(&labels).set(i64::try_from(workers).unwrap_or(i64::MAX));
        self.families.active.get_or_create(&labels).set(0);
        self.queues.0.lock().push((queue_labels(name), queue));
    }

    pub(super) fn leading(&self, lease: &str, leads: i64) {
        self.families.leading.get_or_create(&ByLease { name: lease.to_owned() }).set(leads);
    }
}

fn queue_labels(name: &str) -> ByQueue {
    ByQueue { name: name.to_owned(), controller: name.to_owned() }
}

struct OfController {
    families: Arc<Families>,
    labels: ByController,
}

impl controller::Metrics for OfController {
    fn started(&self) {
        self.families.active.get_or_create(&self.labels).inc();
    }

    fn finished(&self, outcome: Outcome, took: Duration) {
        let families = &self.families;
        families.active.get_or_create(&self.labels).dec();
        families.time.get_or_create(&self.labels).observe(took.as_secs_f64());
        let result = match outcome {
            Outcome::Done => "success",
            Outcome::Again | Outcome::Conflict => "requeue",
            Outcome::After => "requeue_after",
            _ => "error",
        };
        families.total.get_or_create(&ByResult { controller: self.labels.controller.clone(), result }).inc();
        if outcome.is_failure() {
            families.errors.get_or_create(&self.labels).inc();
        }
        match outcome {
            Outcome::Terminal => families.terminal.get_or_create(&self.labels).inc(),
            Outcome::Panicked => families.panics.get_or_create(&self.labels).inc(),
            Outcome::TimedOut => families.timeouts.get_or_create(&self.labels).inc(),
            _ => 0,
        };
    }
}

struct OfQueue {
    families: Arc<Families>,
    labels: ByQueue,
}

impl workqueue::Metrics for OfQueue {
    fn added(&self, keys: u64) {
        self.families.adds.get_or_create(&self.labels).inc_by(keys);
    }

    fn taken(&self, waited: Duration) {
        self.families.waited.get_or_create(&self.labels).observe(waited.as_secs_f64());
    }

    fn finished(&self, ran: Duration) {
        self.families.worked.get_or_create(&self.labels).observe(ran.as_secs_f64());
    }

    fn retried(&self, keys: u64) {
        self.families.retries.get_or_create(&self.labels).inc_by(keys);
    }
}

/// A queue and its labels.
type Labelled = (ByQueue, WorkQueue<ObjectKey>);
/// Name and help of a gauge, and where it is read.
type Reading = (&'static str, &'static str, fn(&workqueue::Stats) -> f64);

/// What is read off the queues at a scrape.
#[derive(Clone, Default)]
struct Queues(Arc<Mutex<Vec<Labelled>>>);

impl Collector for Queues {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let queues = self.0.lock().clone();
        let kind = ConstGauge::new(0.0).metric_type();
        let depth = Family::<ByPriority, Gauge>::default();
        for (ByQueue { name, controller }, queue) in &queues {
            for (priority, keys) in queue.depths() {
                let (name, controller) = (name.clone(), controller.clone());
                let labels = ByPriority { name, controller, priority: priority.value() };
                depth.get_or_create(&labels).set(i64::try_from(keys).unwrap_or(i64::MAX));
            }
        }
        let help = "Current depth of workqueue by workqueue and priority";
        depth.encode(encoder.encode_descriptor("workqueue_depth", help, None, kind)?)?;
        let seen: Vec<_> = queues.into_iter().map(|(labels, queue)| (labels, queue.stats())).collect();
        let gauges: [Reading; 2] = [
            (
                "workqueue_unfinished_work_seconds",
                "How many seconds of work has been done that is in progress",
                |stats| stats.unfinished.as_secs_f64(),
            ),
            (
                "workqueue_longest_running_processor_seconds",
                "How many seconds has the longest running processor for workqueue been running",
                |stats| stats.longest_running.as_secs_f64(),
            ),
        ];
        for (name, help, read) in gauges {
            let gauge = Family::<ByQueue, Gauge<f64, AtomicU64>>::default();
            for (labels, stats) in &seen {
                gauge.get_or_create(labels).set(read(stats));
            }
            gauge.encode(encoder.encode_descriptor(name, help, None, kind)?)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Queues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.lock().iter().map(|(labels, _)| &labels.name)).finish()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").field("queues", &self.queues).finish_non_exhaustive()
    }
}
