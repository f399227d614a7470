//! Shards in the making.
//!
//! In: a name that all replicas use, an identity that none else has, times. Out: [`Shards`], or what is wrong with the times. Never: a
//! request.

use std::num::NonZeroU32;

use k8s_openapi::api::coordination::v1::Lease;

use super::Shards;
use crate::{
    client::ResourceClient,
    clock::WallClock,
    leader_election::{InvalidSettings, Times, lease_settings},
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

    lease_settings!();

    /// The shards.
    ///
    /// # Errors
    /// If the times do not fit together, or the identity is empty.
    pub fn build(self) -> Result<Shards, InvalidSettings> {
        self.times.check(&self.identity)?;
        Ok(Shards::new(self))
    }
}
