//! Metrics under the names of controller-runtime and client-go, so that their dashboards and alerts work.
//!
//! In: what controllers and queues do. Out: a text in the OpenMetrics form. Never: a label with more values than there are controllers and
//! results.

use std::{fmt, sync::Arc, time::Duration};

use parking_lot::Mutex;
use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

use super::{
    process::Process,
    queues::{ByQueue, Queues},
    requests::Requests,
};
use crate::{
    client::RequestMetrics,
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
    requests: Requests,
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
        registry.register_collector(Box::new(Process));
        let requests = Requests::default();
        requests.register(&mut registry);
        Self { registry: Arc::new(Mutex::new(registry)), families, queues, requests }
    }
}

impl Families {
    /// Makes the series of a controller, so that they are there before anything happens, and a rate is seen from the first event on.
    fn begin(&self, controller: &ByController, queue: &ByQueue) {
        self.active.get_or_create(controller).set(0);
        for result in ["success", "requeue", "requeue_after", "error"] {
            drop(self.total.get_or_create(&ByResult { controller: controller.controller.clone(), result }));
        }
        for counters in [&self.errors, &self.terminal, &self.panics, &self.timeouts] {
            drop(counters.get_or_create(controller));
        }
        for counters in [&self.adds, &self.retries] {
            drop(counters.get_or_create(queue));
        }
        for histograms in [&self.waited, &self.worked] {
            drop(histograms.get_or_create(queue));
        }
        drop(self.time.get_or_create(controller));
    }

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

    /// Hooks that count a client's requests, for [`Tuning::metrics`](crate::client::Tuning::metrics); `host` is where they go, as it is to
    /// stand in the metrics.
    pub fn of_requests(&self, host: &str) -> impl RequestMetrics + use<> {
        self.requests.of(host)
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
        OfQueue { families: Arc::clone(&self.families), labels: ByQueue::of(name) }
    }

    /// The gauges of a controller and of its queue.
    pub(super) fn watch(&self, name: &str, workers: usize, queue: WorkQueue<ObjectKey>) {
        let labels = ByController { controller: name.to_owned() };
        self.families.most.get_or_create(&labels).set(i64::try_from(workers).unwrap_or(i64::MAX));
        self.families.begin(&labels, &ByQueue::of(name));
        self.queues.add(name, queue);
    }

    pub(super) fn leading(&self, lease: &str, leads: i64) {
        self.families.leading.get_or_create(&ByLease { name: lease.to_owned() }).set(leads);
    }
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
            Outcome::Again | Outcome::Conflict | Outcome::Revoked => "requeue",
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

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").field("queues", &self.queues).finish_non_exhaustive()
    }
}
