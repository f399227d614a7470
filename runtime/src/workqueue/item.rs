//! In: a key that a worker took. Out: the key's way back into the queue, whatever happens to the worker.

use std::{fmt, ops::Deref, time::Duration};

use super::{
    Priority, WorkQueue,
    state::{Outcome, Taken},
};

/// A key in a worker's hands. While it exists, no other worker gets this key.
///
/// Dropping it says "done", also when the worker panics or its future is cancelled: the key is free again, and runs
/// at once if it was asked for in the meantime. The methods that consume it say more than that.
#[must_use = "dropping it says that the work is done"]
pub struct WorkItem<K> {
    queue: WorkQueue<K>,
    slot: usize,
    key: K,
    priority: Priority,
    outcome: Outcome,
}

impl<K> WorkItem<K> {
    pub(super) fn new(queue: WorkQueue<K>, taken: Taken<K>) -> Self {
        if let (Some(metrics), Some(waited)) = (&queue.shared.metrics, taken.waited) {
            metrics.taken(waited);
        }
        Self { queue, slot: taken.slot, key: taken.key, priority: taken.priority, outcome: Outcome::Done }
    }

    /// What to work on.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The queue it came from.
    pub fn queue(&self) -> &WorkQueue<K> {
        &self.queue
    }

    /// How urgent it was. The methods that ask for another run ask with this priority; [`with_priority`](Self::with_priority) changes it.
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// The same item, whose further run is as urgent as this.
    pub fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// How often this key was retried since its last success.
    pub fn num_requeues(&self) -> u32 {
        self.queue.num_requeues(&self.key)
    }

    /// Success: gives the key back and clears its failures.
    pub fn forget(self) {
        self.finish(Outcome::Forget);
    }

    /// Gives the key back and asks for another run at once. Failures stay counted.
    pub fn requeue(self) {
        self.finish(Outcome::Requeue);
    }

    /// Gives the key back and asks for another run after `delay`, as
    /// [`add_after`](WorkQueue::add_after) does. Failures stay counted.
    pub fn requeue_after(self, delay: Duration) {
        self.finish(Outcome::RequeueAfter(delay));
    }

    /// Failure: gives the key back and asks for another run when the limiter allows it, as
    /// [`add_rate_limited`](WorkQueue::add_rate_limited) does.
    pub fn requeue_rate_limited(self) {
        self.finish(Outcome::RequeueRateLimited);
    }

    fn finish(mut self, outcome: Outcome) {
        self.outcome = outcome;
    }
}

impl<K> Deref for WorkItem<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.key
    }
}

impl<K: fmt::Debug> fmt::Debug for WorkItem<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WorkItem").field(&self.key).finish()
    }
}

impl<K> Drop for WorkItem<K> {
    fn drop(&mut self) {
        let shared = &self.queue.shared;
        let finished = shared.run(|state| state.finish(self.slot, self.outcome, self.priority));
        drop(finished.removed);
        if let (Some(metrics), Some(ran)) = (&shared.metrics, finished.ran) {
            metrics.finished(ran);
        }
    }
}
