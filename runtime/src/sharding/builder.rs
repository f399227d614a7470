//! Shards in the making.
//!
//! In: a name that all replicas use, an identity that none else has, times. Out: [`Shards`], or what is wrong with the times. Never: a
//! request.

use std::{num::NonZeroU32, time::Duration};

use k8s_openapi::api::coordination::v1::Lease;

use super::Shards;
use crate::{
    client::ResourceClient,
    clock::WallClock,
    leader_election::{InvalidSettings, Times},
};

/// How many shards there are, unless something else is said. Replicas beyond that number are idle.
const SHARDS: NonZeroU32 = NonZeroU32::MIN.saturating_add(15);

/// Makes [`Shards`].
#[derive(Clone, Debug)]
#[must_use]
pub struct ShardsBuilder {
    pub(super) leases: ResourceClient<Lease>,
    pub(super) name: String,
    pub(super) identity: String,
    pub(super) shards: NonZeroU32,
    pub(super) times: Times,
    pub(super) clock: WallClock,
}

impl ShardsBuilder {
    pub(super) fn new(leases: ResourceClient<Lease>, name: &str, identity: &str) -> Self {
        let (name, identity) = (name.to_owned(), identity.to_owned());
        Self { leases, name, identity, shards: SHARDS, times: Times::default(), clock: WallClock::system() }
    }

    /// How many shards there are; 16, unless this is called. The first replica of all decides: the number stands in the Lease `name`, and
    /// all others take it from there, until that Lease is deleted while no replica runs.
    pub fn shards(mut self, shards: NonZeroU32) -> Self {
        self.shards = shards;
        self
    }

    /// How long others wait after the last renewal that they saw before they take a Lease; 15 s, unless this is called.
    pub fn lease_duration(mut self, duration: Duration) -> Self {
        self.times.lease = duration;
        self
    }

    /// How long a holder tries to renew a Lease before it takes on no more work; 10 s, unless this is called.
    pub fn renew_deadline(mut self, deadline: Duration) -> Self {
        self.times.renew = deadline;
        self
    }

    /// How long to wait between attempts, and between looks at the others; 2 s, unless this is called.
    pub fn retry_period(mut self, period: Duration) -> Self {
        self.times.retry = period;
        self
    }

    /// Writes the time of day of another clock into Leases. No decision hangs on it.
    pub fn clock(mut self, clock: WallClock) -> Self {
        self.clock = clock;
        self
    }

    /// The shards.
    ///
    /// # Errors
    /// If the times do not fit together, or the identity is empty.
    pub fn build(self) -> Result<Shards, InvalidSettings> {
        self.times.check(&self.identity)?;
        Ok(Shards::new(self))
    }
}
