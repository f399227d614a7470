//! A candidate in the making.
//!
//! In: a Lease, an identity and times. Out: a [`LeaderElector`], or what is wrong with the times. Never: times under which two could lead.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;

use super::{LeaderElector, lease_settings, lock::Lock};
use crate::{client::ResourceClient, clock::WallClock};

/// The longest pause between two attempts, as a multiple of the retry period: candidates must not all knock at once.
const JITTER: f64 = 1.2;

/// Settings under which leader election would not be safe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSettings {
    /// Candidates are told apart by their identities.
    #[error("the identity of a candidate must not be empty")]
    NoIdentity,
    /// Leases hold whole seconds.
    #[error("the lease duration has to be at least one second, in whole seconds; it is {0:?}")]
    LeaseDuration(Duration),
    /// The holder has to give up before others may begin.
    #[error("the lease duration ({lease:?}) has to be longer than the renew deadline ({renew:?})")]
    RenewDeadline {
        /// The lease duration.
        lease: Duration,
        /// The renew deadline.
        renew: Duration,
    },
    /// There have to be at least two attempts before the deadline.
    #[error(
        "the renew deadline ({renew:?}) has to be longer than 1.2 times the retry period ({retry:?}), and that longer than nothing"
    )]
    RetryPeriod {
        /// The renew deadline.
        renew: Duration,
        /// The retry period.
        retry: Duration,
    },
}

/// Makes a [`LeaderElector`].
#[derive(Debug)]
#[must_use]
pub struct LeaderElectorBuilder {
    leases: ResourceClient<Lease>,
    name: String,
    identity: String,
    times: Times,
    at_stop: AtStop,
    clock: WallClock,
}

/// The three times of the protocol; those of client-go, unless they are set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) lease: Duration,
    pub(crate) renew: Duration,
    pub(crate) retry: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self { lease: Duration::from_secs(15), renew: Duration::from_secs(10), retry: Duration::from_secs(2) }
    }
}

impl Times {
    /// Refuses times under which two could hold a Lease, or an identity that nobody could tell.
    pub(crate) fn check(self, identity: &str) -> Result<(), InvalidSettings> {
        let Self { lease, renew, retry } = self;
        if identity.is_empty() {
            return Err(InvalidSettings::NoIdentity);
        }
        if lease.as_secs() == 0 || lease.subsec_nanos() != 0 {
            return Err(InvalidSettings::LeaseDuration(lease));
        }
        if lease <= renew {
            return Err(InvalidSettings::RenewDeadline { lease, renew });
        }
        if retry.is_zero() || renew.as_secs_f64() <= retry.as_secs_f64() * JITTER {
            return Err(InvalidSettings::RetryPeriod { renew, retry });
        }
        Ok(())
    }

    /// How long to wait until the next attempt at a Lease of somebody else's.
    pub(crate) fn pause(self) -> Duration {
        self.retry.mul_f64(fastrand::f64().mul_add(JITTER, 1.0))
    }
}

/// What becomes of the Lease when its holder stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtStop {
    Release,
    Keep,
}

impl LeaderElectorBuilder {
    pub(super) fn new(leases: ResourceClient<Lease>, name: &str, identity: &str) -> Self {
        Self {
            leases,
            name: name.to_owned(),
            identity: identity.to_owned(),
            times: Times::default(),
            at_stop: AtStop::Release,
            clock: WallClock::system(),
        }
    }

    lease_settings!();

    /// Leaves the Lease to expire at a stop, as client-go does unless `ReleaseOnCancel` is set: for work that goes on after its future has
    /// ended.
    pub fn keep_at_stop(mut self) -> Self {
        self.at_stop = AtStop::Keep;
        self
    }

    /// The candidate.
    ///
    /// # Errors
    /// If the times do not fit together, or the identity is empty.
    pub fn build(self) -> Result<LeaderElector, InvalidSettings> {
        self.times.check(&self.identity)?;
        let mut lock = Lock::new(self.leases, self.name, self.identity, self.times.lease);
        lock.clock = self.clock;
        Ok(LeaderElector::new(lock, self.times, self.at_stop))
    }
}
