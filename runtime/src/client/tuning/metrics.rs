//! What others may count about requests.
//!
//! In: answers. Out: calls into whatever counts them. Never: a decision, or a label of a path.

use std::time::Duration;

use http::{Method, StatusCode};

/// One attempt at a request, and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answered {
    /// The method.
    pub method: Method,
    /// Whether it began a watch.
    pub watch: bool,
    /// The code of the answer; `None` if there was none.
    pub code: Option<StatusCode>,
    /// How long it waited for its turn (Go: `rest_client_rate_limiter_duration_seconds`).
    pub waited: Duration,
    /// How long it took to the beginning of the answer (`rest_client_request_duration_seconds`).
    pub took: Duration,
}

/// Hooks for counters and histograms of one client, each of which does nothing unless it is overridden. Calls may overlap.
pub trait RequestMetrics: Send + Sync {
    /// An attempt has ended (`rest_client_requests_total`).
    fn answered(&self, _attempt: &Answered) {}
    /// A request is sent once more (`rest_client_request_retries_total`).
    fn retried(&self) {}
}

impl<M: RequestMetrics + ?Sized> RequestMetrics for std::sync::Arc<M> {
    fn answered(&self, attempt: &Answered) {
        (**self).answered(attempt);
    }
    fn retried(&self) {
        (**self).retried();
    }
}
