//! What is read off the queues at a scrape.
//!
//! In: the queues of controllers. Out: their gauges of the moment. Never: a tick between scrapes.

use std::{
    fmt,
    sync::{Arc, atomic::AtomicU64},
};

use parking_lot::Mutex;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric},
    metrics::{
        family::Family,
        gauge::{ConstGauge, Gauge},
    },
};

use crate::{
    object::ObjectKey,
    workqueue::{Stats, WorkQueue},
};

/// A queue is named after its controller.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ByQueue {
    pub(super) name: String,
    pub(super) controller: String,
}

impl ByQueue {
    pub(super) fn of(controller: &str) -> Self {
        Self { name: controller.to_owned(), controller: controller.to_owned() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByPriority {
    name: String,
    controller: String,
    priority: i16,
}

/// A queue and its labels.
type Labelled = (ByQueue, WorkQueue<ObjectKey>);
/// Name and help of a gauge, and where it is read.
type Reading = (&'static str, &'static str, fn(&Stats) -> f64);

/// The collector. A cheap handle.
#[derive(Clone, Default)]
pub(super) struct Queues(Arc<Mutex<Vec<Labelled>>>);

impl Queues {
    pub(super) fn add(&self, controller: &str, queue: WorkQueue<ObjectKey>) {
        self.0.lock().push((ByQueue::of(controller), queue));
    }
}

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
