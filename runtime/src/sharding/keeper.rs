//! The keeper of one shard.
//!
//! In: the plan. Out: the shard's door, open while its Lease is held. Never: an open door without the Lease, or a release while somebody is
//! inside.

use std::{collections::BTreeSet, sync::Arc};

use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until, timeout_at},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::{
    ShardsBuilder, ShardsStatus,
    council::{Sightings, labels, shard_name},
    gate::Gate,
};
use crate::{
    leader_election::{Held, Lock},
    published::Published,
};

type Plan = Published<BTreeSet<u32>>;

pub(super) struct Keeper<'a> {
    pub(super) shard: u32,
    pub(super) gate: Gate,
    pub(super) settings: &'a ShardsBuilder,
    pub(super) status: &'a watch::Sender<ShardsStatus>,
    pub(super) sightings: Arc<Sightings>,
}

/// Why a shard is not held any more.
enum End {
    GivenBack,
    Lost,
}

impl Keeper<'_> {
    /// Takes the shard when it is planned, and gives it back when it is not or at the stop.
    pub(super) async fn keep(self, plan: Arc<Plan>, stop: &CancellationToken) {
        let ShardsBuilder { leases, name, identity, times, clock, .. } = self.settings;
        let mut lock = Lock::new(leases.clone(), shard_name(name, self.shard), identity.clone(), times.lease);
        lock.labels = labels(name);
        lock.clock = clock.clone();
        loop {
            let planned = plan.wait_for(|plan| plan.contains(&self.shard).then_some(()));
            if stop.run_until_cancelled(planned).await.is_none() {
                return;
            }
            if let Some((lease, since)) = self.sightings.lock().get(&self.shard) {
                lock.learn(lease, *since);
            }
            let asked = Instant::now();
            // Not given up for a stop: it may be taken already.
            match timeout_at(asked + times.renew, lock.hold()).await {
                Ok(Ok(Held::Mine { transitions })) => {
                    let token = u64::try_from(transitions).unwrap_or_default();
                    self.begin(token);
                    let end = self.hold(&mut lock, asked, (&plan, stop)).await;
                    self.finish();
                    if matches!(end, End::GivenBack) {
                        self.release(&mut lock).await;
                        continue;
                    }
                }
                Ok(Ok(Held::Theirs { holder })) => {
                    debug!(shard = self.shard, holder, "the shard is not free yet");
                }
                Ok(Err(error)) => debug!(shard = self.shard, %error, "could not take the shard"),
                Err(_) => debug!(shard = self.shard, "no answer in time about the shard"),
            }
            if stop.run_until_cancelled(sleep(times.pause())).await.is_none() {
                return;
            }
        }
    }

    /// Renews the Lease until the shard is given back, empty, or lost.
    async fn hold(&self, lock: &mut Lock, taken: Instant, (plan, stop): (&Plan, &CancellationToken)) -> End {
        let times = self.settings.times;
        let (mut renewed, mut next, mut closing) = (taken, taken + times.retry, false);
        loop {
            let unwanted = async {
                tokio::select! {
                    biased;
                    () = stop.cancelled() => {}
                    () = plan.wait_for(|plan| (!plan.contains(&self.shard)).then_some(())) => {}
                }
            };
            tokio::select! {
                biased;
                () = unwanted, if !closing => {
                    self.finish();
                    closing = true;
                    continue;
                }
                () = self.gate.empty(), if closing => return End::GivenBack,
                () = sleep_until(next) => {}
            }
            let (asked, deadline) = (Instant::now(), renewed + times.renew);
            match timeout_at(deadline, lock.hold()).await {
                Ok(Ok(Held::Mine { .. })) => renewed = asked,
                Ok(Ok(Held::Theirs { holder })) => {
                    warn!(shard = self.shard, holder, "the shard was taken");
                    self.gate.revoke();
                    return End::Lost;
                }
                Ok(Err(error)) => warn!(shard = self.shard, %error, "could not renew the shard"),
                Err(_) => {}
            }
            if Instant::now() >= deadline {
                warn!(shard = self.shard, "the shard could not be renewed in time");
                self.finish();
                // From that instant on it may be another's.
                let _ = timeout_at(renewed + times.lease, self.gate.empty()).await;
                self.gate.revoke();
                return End::Lost;
            }
            next = asked + times.retry;
        }
    }

    fn begin(&self, token: u64) {
        info!(shard = self.shard, token, "holds the shard");
        self.gate.open(token);
        self.status.send_modify(|status| {
            status.held.insert(self.shard);
            *status.taken.entry(self.shard).or_default() += 1;
        });
    }

    /// Nobody gets in any more.
    fn finish(&self) {
        self.gate.close();
        self.status.send_if_modified(|status| status.held.remove(&self.shard));
    }

    async fn release(&self, lock: &mut Lock) {
        let limit = Instant::now() + self.settings.times.renew;
        match timeout_at(limit, lock.release()).await {
            Ok(Ok(())) => info!(shard = self.shard, "gave the shard back"),
            Ok(Err(error)) => {
                warn!(shard = self.shard, %error, "could not give the shard back; it will expire");
            }
            Err(_) => warn!(shard = self.shard, "could not give the shard back in time; it will expire"),
        }
    }
}
