//! One candidate's view of the Lease.
//!
//! In: wishes to hold or release it. Out: who holds it. It judges expiry from when this process first saw the Lease as it is, by its own
//! clock. Never: a write over a change that it has not seen.

use std::{collections::BTreeMap, time::Duration};

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::core::ObjectMeta;
use tokio::time::Instant;

use super::record;
use crate::{
    client::{Error, ResourceClient, Result},
    clock::WallClock,
};

/// The Lease as it was last seen.
#[derive(Debug)]
struct Seen {
    lease: Lease,
    /// When it was first seen to be like this.
    since: Instant,
}

impl Seen {
    fn spec(&self) -> LeaseSpec {
        self.lease.spec.clone().unwrap_or_default()
    }
}

/// Whose the Lease is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// This candidate's, with the number of changes of hands before.
    Mine { transitions: i32 },
    /// Somebody else's.
    Theirs { holder: String },
}

/// The Lease that candidates compete for.
#[derive(Debug)]
pub(crate) struct Lock {
    pub(crate) leases: ResourceClient<Lease>,
    pub(crate) name: String,
    pub(crate) identity: String,
    pub(crate) duration: Duration,
    pub(crate) clock: WallClock,
    /// The labels of a Lease that it creates.
    pub(crate) labels: Option<BTreeMap<String, String>>,
    seen: Option<Seen>,
}

impl Lock {
    pub(crate) fn new(
        leases: ResourceClient<Lease>,
        name: String,
        identity: String,
        duration: Duration,
    ) -> Self {
        Self { leases, name, identity, duration, clock: WallClock::system(), labels: None, seen: None }
    }

    /// Takes or renews the Lease if it is free, expired or this candidate's.
    ///
    /// # Errors
    /// The server could not be asked, or another candidate was quicker.
    pub(crate) async fn hold(&mut self) -> Result<Held> {
        // The holder knows the Lease, and nobody else should have changed it.
        if let Some(seen) = self.seen.as_ref().filter(|seen| self.is_mine(seen)) {
            let lease = seen.lease.clone();
            match self.write(lease).await {
                Err(Error::Conflict(_) | Error::NotFound(_)) => {}
                written => return written,
            }
        }
        let lease = match self.leases.get(&self.name).await {
            Ok(lease) => lease,
            Err(Error::NotFound(_)) => return self.create().await,
            Err(error) => return Err(error),
        };
        self.see(lease.clone());
        match self.other_holder() {
            Some(holder) => Ok(Held::Theirs { holder }),
            None => self.write(lease).await,
        }
    }

    /// Frees the Lease if it is still this candidate's.
    pub(crate) async fn release(&mut self) -> Result<()> {
        for _ in 0..2 {
            let Some(seen) = self.seen.as_ref().filter(|seen| self.is_mine(seen)) else { return Ok(()) };
            let mut lease = seen.lease.clone();
            lease.spec = Some(record::released(&seen.spec(), self.clock.now()));
            match self.leases.update(&lease).await {
                // Somebody has put a label on it, say.
                Err(Error::Conflict(_)) => {
                    let lease = self.leases.get(&self.name).await?;
                    self.see(lease);
                }
                Ok(lease) => {
                    self.see(lease);
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    async fn create(&mut self) -> Result<Held> {
        let spec = record::created(&self.identity, self.duration, self.clock.now());
        let metadata = ObjectMeta {
            name: Some(self.name.clone()),
            labels: self.labels.clone(),
            ..ObjectMeta::default()
        };
        let lease = self.leases.create(&Lease { metadata, spec: Some(spec) }).await?;
        Ok(self.held(lease))
    }

    async fn write(&mut self, mut lease: Lease) -> Result<Held> {
        let before = lease.spec.take().unwrap_or_default();
        lease.spec = Some(record::held(&before, &self.identity, self.duration, self.clock.now()));
        let lease = self.leases.update(&lease).await?;
        Ok(self.held(lease))
    }

    fn held(&mut self, lease: Lease) -> Held {
        let transitions = lease.spec.as_ref().and_then(|spec| spec.lease_transitions).unwrap_or_default();
        self.see(lease);
        Held::Mine { transitions }
    }

    /// Learns how the Lease stood at an instant at which somebody else in this process saw it first, unless it has been seen itself since.
    pub(crate) fn learn(&mut self, lease: &Lease, since: Instant) {
        let newer = |seen: &Seen| seen.since < since && seen.lease.spec != lease.spec;
        if self.seen.as_ref().is_none_or(newer) {
            self.seen = Some(Seen { lease: lease.clone(), since });
        }
    }

    fn see(&mut self, lease: Lease) {
        let since = match &self.seen {
            Some(seen) if seen.lease.spec == lease.spec => seen.since,
            _ => Instant::now(),
        };
        self.seen = Some(Seen { lease, since });
    }

    fn is_mine(&self, seen: &Seen) -> bool {
        record::holder(&seen.spec()) == Some(self.identity.as_str())
    }

    /// Who else holds the Lease, if it has not expired.
    fn other_holder(&self) -> Option<String> {
        let seen = self.seen.as_ref()?;
        let spec = seen.spec();
        let holder = record::holder(&spec).filter(|holder| *holder != self.identity)?;
        (seen.since.elapsed() < record::duration(&spec)).then(|| holder.to_owned())
    }
}
