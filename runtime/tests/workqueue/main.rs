//! The work queue from outside: its contract on paused time, the recorded cases, random calls against a model, and
//! many threads at once.

mod cases;
mod contract;
mod limiters;
mod metrics;
mod model;
mod priorities;
mod stress;

use std::time::Duration;

use futures::FutureExt;
use kube_codegen_runtime::workqueue::{WorkItem, WorkQueue};

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Polls `get` once: what a worker would get without waiting.
fn poll_get<K: Clone>(queue: &WorkQueue<K>) -> Option<Option<WorkItem<K>>> {
    tokio::task::coop::unconstrained(queue.get()).now_or_never()
}

/// The key a worker gets without waiting; the work is done at once.
fn next<K: Clone>(queue: &WorkQueue<K>) -> Option<K> {
    poll_get(queue).flatten().map(|item| item.key().clone())
}
