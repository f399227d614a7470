//! Metrics of webhooks, under the names of controller-runtime.
//!
//! In: requests and their answers. Out: counters and histograms. Never: a label that strangers choose; paths are those that are served.

use std::{sync::Arc, time::Duration};

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

/// Upper bounds of how long answers take, in seconds.
const SECONDS: [f64; 13] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByWebhook {
    webhook: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByCode {
    webhook: Arc<str>,
    code: u16,
}

/// How often a webhook's code has panicked.
#[derive(Clone, Debug, Default)]
pub(super) struct Panics(Counter);

impl Panics {
    pub(super) fn count(&self) {
        self.0.inc();
    }
}

/// What is counted of all webhooks of a process.
#[derive(Clone, Debug)]
pub(crate) struct WebhookMetrics {
    total: Family<ByCode, Counter>,
    took: Family<ByWebhook, Histogram, fn() -> Histogram>,
    in_flight: Family<ByWebhook, Gauge>,
    pub(super) panics: Panics,
}

impl Default for WebhookMetrics {
    fn default() -> Self {
        let seconds: fn() -> Histogram = || Histogram::new(SECONDS);
        Self {
            total: Family::default(),
            took: Family::new_with_constructor(seconds),
            in_flight: Family::default(),
            panics: Panics::default(),
        }
    }
}

impl WebhookMetrics {
    /// Adds them to what is scraped. Counters get their `_total` from the encoder.
    pub(crate) fn register(&self, registry: &mut Registry) {
        let webhooks = registry.sub_registry_with_prefix("controller_runtime_webhook");
        webhooks.register(
            "requests",
            "Total number of admission requests by HTTP status code",
            self.total.clone(),
        );
        webhooks.register(
            "latency_seconds",
            "Histogram of the latency of processing admission requests",
            self.took.clone(),
        );
        webhooks.register(
            "requests_in_flight",
            "Current number of admission requests being served",
            self.in_flight.clone(),
        );
        webhooks.register("panics", "Total number of webhook panics", self.panics.0.clone());
    }

    /// A request has come.
    pub(super) fn begin(&self, path: &str) -> Running {
        let gauge = self.in_flight.get_or_create(&ByWebhook { webhook: path.into() }).clone();
        gauge.inc();
        Running(gauge)
    }

    /// It is answered.
    pub(super) fn end(&self, path: &str, code: u16, took: Duration) {
        let webhook: Arc<str> = path.into();
        self.total.get_or_create(&ByCode { webhook: Arc::clone(&webhook), code }).inc();
        self.took.get_or_create(&ByWebhook { webhook }).observe(took.as_secs_f64());
    }
}

/// A request that is being answered; dropped with it, however it ends.
pub(super) struct Running(Gauge);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.dec();
    }
}
