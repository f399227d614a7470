//! What all replicas agree on.
//!
//! In: their Leases, looked at once in a retry period. Out: this replica's plan: the shards that it should have. Never: the right to a
//! shard; that is in the shard's own Lease.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use k8s_openapi::api::coordination::v1::Lease;
use kube::{
    api::{DeleteParams, ListParams, Preconditions},
    core::ObjectMeta,
};
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    time::{Instant, sleep, timeout},
};
use tracing::{debug, info, warn};

use super::{ShardsBuilder, ShardsStatus, assign::assign};
use crate::{
    client::{Error, Result},
    leader_election::{Lock, duration, holder},
    object::{letters, stable_hash},
    published::Published,
};

/// The label of all Leases of one controller, with the controller's name.
const LABEL: &str = "kube-codegen.dev/sharding";
/// Where the number of shards stands.
const NUMBER: &str = "kube-codegen.dev/shards";
/// For how many lease durations the Lease of a dead replica is kept.
const KEPT: u32 = 20;

/// The labels of the Leases that are looked at together.
pub(super) fn labels(name: &str) -> Option<BTreeMap<String, String>> {
    Some(BTreeMap::from([(LABEL.to_owned(), name.to_owned())]))
}

/// The name of a shard's Lease.
pub(super) fn shard_name(name: &str, shard: u32) -> String {
    format!("{name}-shard-{shard}")
}

/// The Leases of the shards, each with the instant at which it was first seen to be as it is. Without them a keeper would begin to wait for
/// the end of a dead replica's Lease only when that shard is planned, which is when the replica is known to be dead.
pub(super) type Sightings = Mutex<BTreeMap<u32, (Lease, Instant)>>;

/// One replica's seat.
pub(super) struct Council<'a> {
    settings: &'a ShardsBuilder,
    shards: u32,
    /// This replica's own Lease.
    member: Lock,
    /// When each Lease was first seen to be as it is.
    seen: BTreeMap<String, (Option<String>, Instant)>,
    sightings: Arc<Sightings>,
    plan: Arc<Published<BTreeSet<u32>>>,
}

impl<'a> Council<'a> {
    pub(super) fn new(settings: &'a ShardsBuilder) -> Self {
        let ShardsBuilder { leases, name, identity, times, clock, .. } = settings;
        // An identity need not be a name.
        let own = format!("{name}-member-{}", letters(stable_hash(&[identity])));
        let mut member = Lock::new(leases.clone(), own, identity.clone(), times.lease);
        member.labels = labels(name);
        member.clock = clock.clone();
        let (sightings, plan) = (Arc::default(), Arc::default());
        Self { settings, shards: 0, member, seen: BTreeMap::new(), sightings, plan }
    }

    /// What has been seen of the shards' Leases.
    pub(super) fn sightings(&self) -> Arc<Sightings> {
        Arc::clone(&self.sightings)
    }

    /// The shards that this replica should have.
    pub(super) fn plan(&self) -> Arc<Published<BTreeSet<u32>>> {
        Arc::clone(&self.plan)
    }

    /// The number of shards, as the first replica wrote it down.
    pub(super) async fn agree_on_number(&mut self) -> u32 {
        loop {
            match timeout(self.settings.times.renew, self.number()).await {
                Ok(Ok(shards)) => {
                    self.shards = shards;
                    return shards;
                }
                Ok(Err(error)) => debug!(%error, "could not learn the number of shards"),
                Err(_) => debug!("no answer in time about the number of shards"),
            }
            sleep(self.settings.times.pause()).await;
        }
    }

    async fn number(&self) -> Result<u32> {
        let ShardsBuilder { leases, name, shards: wanted, .. } = self.settings;
        let annotations = BTreeMap::from([(NUMBER.to_owned(), wanted.to_string())]);
        let lease = match leases.get(name).await {
            Err(Error::NotFound(_)) => {
                let metadata = ObjectMeta {
                    name: Some(name.clone()),
                    labels: labels(name),
                    annotations: Some(annotations.clone()),
                    ..ObjectMeta::default()
                };
                leases.create(&Lease { metadata, spec: None }).await?
            }
            lease => lease?,
        };
        let written = lease.metadata.annotations.as_ref().and_then(|notes| notes.get(NUMBER));
        let written = written.and_then(|number| number.parse().ok()).filter(|number| *number > 0);
        match written {
            Some(written) => {
                if written != wanted.get() {
                    warn!(name, written, wanted, "others share another number of shards; takes theirs");
                }
                Ok(written)
            }
            None => {
                let mut lease = lease;
                lease.metadata.annotations.get_or_insert_default().extend(annotations);
                leases.update(&lease).await.map(|_| wanted.get())
            }
        }
    }

    /// Shows that this replica lives, looks at the others, and plans; for ever.
    pub(super) async fn sit(&mut self, status: &watch::Sender<ShardsStatus>) {
        loop {
            let limit = self.settings.times.renew;
            match timeout(limit, self.member.hold()).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => debug!(%error, "could not renew the lease of this replica"),
                Err(_) => debug!("no answer in time about the lease of this replica"),
            }
            let list = ListParams::default().labels(&format!("{LABEL}={}", self.settings.name));
            match timeout(limit, self.settings.leases.list_with(&list)).await {
                Ok(Ok(leases)) => self.decide(&leases.items, status).await,
                Ok(Err(error)) => debug!(%error, "could not look at the other replicas"),
                Err(_) => debug!("no answer in time about the other replicas"),
            }
            sleep(self.settings.times.retry).await;
        }
    }

    async fn decide(&mut self, leases: &[Lease], status: &watch::Sender<ShardsStatus>) {
        let (shard_prefix, member_prefix) =
            (format!("{}-shard-", self.settings.name), format!("{}-member-", self.settings.name));
        let (mut members, mut holders) = (BTreeSet::from([self.settings.identity.clone()]), BTreeMap::new());
        let (mut seen, mut sightings) = (BTreeMap::new(), BTreeMap::new());
        for lease in leases {
            let Some(name) = lease.metadata.name.clone() else { continue };
            let version = lease.metadata.resource_version.clone();
            let since = match self.seen.get(&name) {
                Some((before, since)) if *before == version => *since,
                _ => Instant::now(),
            };
            let spec = lease.spec.clone().unwrap_or_default();
            let age = since.elapsed();
            let shard = name.strip_prefix(&shard_prefix).and_then(|shard| shard.parse().ok());
            if let Some(shard) = shard {
                sightings.insert(shard, (lease.clone(), since));
            }
            if let Some(holder) = holder(&spec).filter(|_| age < duration(&spec)) {
                if name.starts_with(&member_prefix) {
                    members.insert(holder.to_owned());
                } else if let Some(shard) = shard {
                    holders.insert(shard, holder.to_owned());
                }
            } else if name.starts_with(&member_prefix) && age > self.settings.times.lease * KEPT {
                self.bury(lease).await;
            }
            seen.insert(name, (version, since));
        }
        self.seen = seen;
        *self.sightings.lock() = sightings;
        let assigned = assign(self.shards, &members, &holders);
        let mine = assigned.into_iter().filter(|(_, member)| *member == self.settings.identity);
        let mine: BTreeSet<u32> = mine.map(|(shard, _)| shard).collect();
        self.plan.modify(|plan| {
            let changed = *plan != mine;
            if changed {
                info!(members = members.len(), shards = ?mine, "plans to hold other shards");
                *plan = mine;
            }
            changed
        });
        status.send_if_modified(|status| {
            let changed = status.members != members;
            status.members = members;
            changed
        });
    }

    /// Removes the Lease of a replica that has been dead for long, unless it has come back.
    async fn bury(&self, lease: &Lease) {
        let preconditions = Preconditions {
            uid: lease.metadata.uid.clone(),
            resource_version: lease.metadata.resource_version.clone(),
        };
        let params = DeleteParams { preconditions: Some(preconditions), ..DeleteParams::default() };
        let name = lease.metadata.name.as_deref().unwrap_or_default();
        let leases = &self.settings.leases;
        if let Ok(Err(error)) = timeout(Duration::from_secs(5), leases.delete_with(name, &params)).await {
            debug!(name, %error, "could not remove the lease of a replica that is gone");
        }
    }

    /// Tells the others that this replica is gone.
    pub(super) async fn leave(self) {
        let leaving = self.settings.leases.delete(&self.member.name);
        match timeout(self.settings.times.renew, leaving).await {
            Ok(Ok(_) | Err(Error::NotFound(_))) => {}
            Ok(Err(error)) => debug!(%error, "could not remove the lease of this replica; it will expire"),
            Err(_) => debug!("no answer in time about the end of this replica"),
        }
    }
}
