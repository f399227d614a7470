//! In: what the queue does. Out: calls into whatever counts it. It never decides anything.
//!
//! Counters and histograms are pushed through [`Metrics`]; gauges are pulled with
//! [`WorkQueue::stats`](super::WorkQueue::stats) when somebody asks, so that nothing has to tick.

use std::time::Duration;

/// Hooks for counters and histograms, each of which does nothing unless it is overridden.
///
/// They run after the queue has released its lock, on the task that caused them: they may call the queue, and
/// calls of several workers may overlap. A queue without metrics reads no clock for them.
///
/// ```
/// use std::{sync::atomic::{AtomicU64, Ordering}, time::Duration};
/// use kube_codegen_runtime::workqueue::Metrics;
///
/// #[derive(Default)]
/// struct Adds(AtomicU64);
///
/// impl Metrics for Adds {
///     fn added(&self, keys: u64) {
///         self.0.fetch_add(keys, Ordering::Relaxed);
///     }
/// }
/// ```
pub trait Metrics: Send + Sync {
    /// That many keys were taken in that did not wait already (Go: `adds_total`).
    fn added(&self, _keys: u64) {}
    /// A key was handed to a worker after this long in the queue, counted from when it was due
    /// (`queue_duration_seconds`).
    fn taken(&self, _waited: Duration) {}
    /// A worker gave a key back after this long (`work_duration_seconds`).
    fn finished(&self, _ran: Duration) {}
    /// That many keys were taken in for a later time (`retries_total`).
    fn retried(&self, _keys: u64) {}
}

/// The metrics of a queue that nobody watches.
impl Metrics for () {}

impl<M: Metrics + ?Sized> Metrics for std::sync::Arc<M> {
    fn added(&self, keys: u64) {
        (**self).added(keys);
    }
    fn taken(&self, waited: Duration) {
        (**self).taken(waited);
    }
    fn finished(&self, ran: Duration) {
        (**self).finished(ran);
    }
    fn retried(&self, keys: u64) {
        (**self).retried(keys);
    }
}

/// One look at a queue: its gauges at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Keys that are ready and wait for a worker (Go: `depth`).
    pub ready: usize,
    /// Keys that wait for a time, among them those that are also ready or in a worker's hands.
    pub delayed: usize,
    /// Keys in workers' hands.
    pub in_flight: usize,
    /// For how long these have been worked on, added up (`unfinished_work_seconds`). Zero without metrics.
    pub unfinished: Duration,
    /// For how long the oldest of them has been (`longest_running_processor_seconds`). Zero without metrics.
    pub longest_running: Duration,
}
