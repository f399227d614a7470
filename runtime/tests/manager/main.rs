//! The `manager` module from outside: order, failures, probes and scrapes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod config;
mod dashboards;
mod elections;
mod failures;
mod load;
mod order;
mod pages;
#[cfg(feature = "secure-metrics")]
mod secure;
mod support;
