//! A manager in the making.
//!
//! In: addresses, an election, a deadline. Out: a [`Manager`]. Never: anything started.

use std::{net::SocketAddr, time::Duration};

use super::{Checks, Manager, Metrics};
use crate::{client::Client, events::EventBroadcaster, leader_election::LeaderElector};

/// How long tasks have at the stop.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(30);

/// Makes a [`Manager`].
#[derive(Debug)]
#[must_use]
pub struct ManagerBuilder {
    pub(super) elector: Option<LeaderElector>,
    pub(super) health: Option<SocketAddr>,
    pub(super) metrics_address: Option<SocketAddr>,
    #[cfg(feature = "secure-metrics")]
    pub(super) secure_metrics: Option<super::SecureMetrics>,
    pub(super) shutdown_limit: Duration,
    pub(super) live: Checks,
    pub(super) ready: Checks,
    pub(super) metrics: Metrics,
    pub(super) events: Option<EventBroadcaster>,
}

impl Default for ManagerBuilder {
    fn default() -> Self {
        Self {
            elector: None,
            health: None,
            metrics_address: None,
            #[cfg(feature = "secure-metrics")]
            secure_metrics: None,
            shutdown_limit: SHUTDOWN_LIMIT,
            live: Checks::default(),
            ready: Checks::default(),
            metrics: Metrics::default(),
            events: None,
        }
    }
}

impl ManagerBuilder {
    /// Lets controllers and leader tasks wait for a Lease; without this they run at once.
    pub fn leader_election(mut self, elector: LeaderElector) -> Self {
        self.elector = Some(elector);
        self
    }

    /// Answers `/healthz` and `/readyz` over HTTP at this address; not at all, unless this is called.
    pub fn health_address(mut self, address: SocketAddr) -> Self {
        self.health = Some(address);
        self
    }

    /// Answers `/metrics` over HTTP at this address, to everybody who can reach it; not at all, unless this is called.
    pub fn metrics_address(mut self, address: SocketAddr) -> Self {
        self.metrics_address = Some(address);
        self
    }

    /// Answers `/metrics` over TLS, and to those alone whom the cluster lets.
    #[cfg(feature = "secure-metrics")]
    pub fn secure_metrics(mut self, secure: super::SecureMetrics) -> Self {
        self.secure_metrics = Some(secure);
        self
    }

    /// Writes the events of its recorders through this client, up to the end of the last run; not at all, unless this is called.
    pub fn events(mut self, client: Client) -> Self {
        self.events = Some(EventBroadcaster::new(client));
        self
    }

    /// How long tasks may take to end at the stop before they are dropped; 30 s, unless this is called.
    pub fn shutdown_limit(mut self, limit: Duration) -> Self {
        self.shutdown_limit = limit;
        self
    }

    /// The manager.
    #[must_use]
    pub fn build(self) -> Manager {
        Manager::new(self)
    }
}
