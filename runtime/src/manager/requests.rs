//! Metrics of a client's requests, under the names of client-go.
//!
//! In: attempts and what came of them. Out: counters and histograms. Never: a label of a path.

use std::sync::Arc;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};

use crate::client::{Answered, RequestMetrics};

/// Upper bounds of how long requests take and wait, in seconds.
const SECONDS: [f64; 14] = [0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0, 300.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByCode {
    code: String,
    method: String,
    host: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByVerb {
    verb: String,
    host: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByHost {
    host: String,
}

/// What is counted of all clients.
#[derive(Clone)]
pub(super) struct Requests {
    total: Family<ByCode, Counter>,
    retries: Family<ByHost, Counter>,
    took: Family<ByVerb, Histogram, fn() -> Histogram>,
    waited: Family<ByVerb, Histogram, fn() -> Histogram>,
}

impl Default for Requests {
    fn default() -> Self {
        let seconds: fn() -> Histogram = || Histogram::new(SECONDS);
        Self {
            total: Family::default(),
            retries: Family::default(),
            took: Family::new_with_constructor(seconds),
            waited: Family::new_with_constructor(seconds),
        }
    }
}

impl Requests {
    pub(super) fn register(&self, registry: &mut Registry) {
        let client = registry.sub_registry_with_prefix("rest_client");
        client.register(
            "requests",
            "Number of HTTP requests, partitioned by status code, method, and host",
            self.total.clone(),
        );
        client.register(
            "request_retries",
            "Number of request retries, partitioned by host",
            self.retries.clone(),
        );
        client.register(
            "request_duration_seconds",
            "Request latency in seconds, broken down by verb and host",
            self.took.clone(),
        );
        client.register(
            "rate_limiter_duration_seconds",
            "Client side rate limiter latency in seconds, broken down by verb and host",
            self.waited.clone(),
        );
    }

    /// Hooks for the client of this host.
    pub(super) fn of(&self, host: &str) -> impl RequestMetrics + use<> {
        Arc::new(OfHost { requests: self.clone(), host: host.to_owned() })
    }
}

struct OfHost {
    requests: Requests,
    host: String,
}

impl RequestMetrics for OfHost {
    fn answered(&self, attempt: &Answered) {
        let (method, host) = (attempt.method.to_string(), self.host.clone());
        let code = attempt.code.map_or_else(|| "<error>".to_owned(), |code| code.as_u16().to_string());
        let by_verb = ByVerb { verb: method.clone(), host: host.clone() };
        self.requests.total.get_or_create(&ByCode { code, method, host }).inc();
        // How long a watch lasts is its own affair.
        if !attempt.watch {
            self.requests.took.get_or_create(&by_verb).observe(attempt.took.as_secs_f64());
            self.requests.waited.get_or_create(&by_verb).observe(attempt.waited.as_secs_f64());
        }
    }

    fn retried(&self) {
        self.requests.retries.get_or_create(&ByHost { host: self.host.clone() }).inc();
    }
}
