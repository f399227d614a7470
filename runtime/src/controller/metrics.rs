//! What others may count.
//!
//! In: the beginnings and ends of runs. Out: calls into whatever counts them. Never: a decision.

use std::time::Duration;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// Done (Go: `result="success"`).
    Done,
    /// Done, and to be run again at once (`result="requeue"`).
    Again,
    /// Done, and to be run again later (`result="requeue_after"`).
    After,
    /// A write met another writer; the key runs again soon, and no failure is counted.
    Conflict,
    /// It failed and is tried again (`result="error"`).
    Failed,
    /// It failed for good (`result="error"`, `terminal_reconcile_errors_total`).
    Terminal,
    /// It panicked and is tried again (`result="error"`, `reconcile_panics_total`).
    Panicked,
    /// It took too long and is tried again (`result="error"`, `reconcile_timeouts_total`).
    TimedOut,
    /// It was dropped since its shard went to another replica, which runs the key anew (`result="requeue"`).
    Revoked,
}

impl Outcome {
    /// Whether the run counts as a failure.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Terminal | Self::Panicked | Self::TimedOut)
    }
}

/// Hooks for counters and histograms of one controller, each of which does nothing unless it is overridden. Calls of several workers may
/// overlap.
pub trait Metrics: Send + Sync {
    /// A worker begins a run (Go: `active_workers`).
    fn started(&self) {}
    /// A run has ended after this long (`reconcile_total`, `reconcile_time_seconds`). A run that is dropped, as the controller is, does
    /// not end.
    fn finished(&self, _outcome: Outcome, _took: Duration) {}
}

/// The metrics of a controller that nobody watches.
impl Metrics for () {}

impl<M: Metrics + ?Sized> Metrics for std::sync::Arc<M> {
    fn started(&self) {
        (**self).started();
    }
    fn finished(&self, outcome: Outcome, took: Duration) {
        (**self).finished(outcome, took);
    }
}
