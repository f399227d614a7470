//! A candidate: it waits for the Lease, works while it has it, and gives it back.
//!
//! In: a stop, and the work of a leader. Out: the work, run while the Lease is held. Never: work without the Lease, or a release before
//! the work has ended.

use std::{future::Future, pin::pin};

use k8s_openapi::api::coordination::v1::Lease;
use tokio::{
    sync::watch,
    time::{Instant, sleep, timeout_at},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::{
    ElectionStatus, LeaderElectorBuilder,
    builder::{AtStop, Times},
    lock::{Held, Lock},
};
use crate::client::ResourceClient;

/// The Lease was lost while the work was going on, and the work was stopped. The usual answer is to end the process and start anew.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{identity} has lost the lease {lease}")]
pub struct LeadershipLost {
    /// The candidate.
    pub identity: String,
    /// The Lease.
    pub lease: String,
}

/// What the work of a leader is given.
#[derive(Clone, Debug)]
pub struct Leadership {
    ended: CancellationToken,
    fencing_token: u64,
}

impl Leadership {
    /// Cancelled when the work has to end: the process stops, or the Lease could not be renewed.
    #[must_use]
    pub fn ended(&self) -> &CancellationToken {
        &self.ended
    }

    /// A number that is higher than that of every leader before, for as long as nobody deletes the Lease (its `leaseTransitions`). What
    /// this leader writes elsewhere can carry it, so that the late writes of a former one are told apart.
    #[must_use]
    pub fn fencing_token(&self) -> u64 {
        self.fencing_token
    }
}

/// One candidate for a Lease.
#[derive(Debug)]
pub struct LeaderElector {
    lock: Lock,
    times: Times,
    at_stop: AtStop,
    status: watch::Sender<ElectionStatus>,
}

impl LeaderElector {
    /// Begins a candidate for the Lease `name` in the namespace of `leases`. The identity has to differ from that of every other
    /// candidate, such as the pod's name with something random behind it; it also has to differ from that of this process' last life.
    pub fn builder(leases: ResourceClient<Lease>, name: &str, identity: &str) -> LeaderElectorBuilder {
        LeaderElectorBuilder::new(leases, name, identity)
    }

    pub(super) fn new(lock: Lock, times: Times, at_stop: AtStop) -> Self {
        Self { lock, times, at_stop, status: watch::Sender::default() }
    }

    /// The name of the Lease.
    #[must_use]
    pub fn lease_name(&self) -> &str {
        &self.lock.name
    }

    /// How the election stands, now and in future.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<ElectionStatus> {
        self.status.subscribe()
    }

    /// Waits for the Lease, then runs the work until it ends or `stop` is cancelled. A stop ends the work through its [`Leadership`]; the
    /// Lease is renewed until it has ended and then released.
    ///
    /// Dropping the future drops the work; the Lease then expires.
    ///
    /// # Errors
    /// If the Lease is lost. The work was told so, and dropped when others could begin.
    pub async fn run<W, F>(mut self, stop: CancellationToken, work: W) -> Result<(), LeadershipLost>
    where
        W: FnOnce(Leadership) -> F,
        F: Future<Output = ()>,
    {
        let Some((transitions, renewed)) = stop.run_until_cancelled(self.acquire()).await else {
            return Ok(());
        };
        let ended = stop.child_token();
        let fencing_token = u64::try_from(transitions).unwrap_or_default();
        let kept = {
            let mut work = pin!(work(Leadership { ended: ended.clone(), fencing_token }));
            let lost = tokio::select! {
                biased;
                () = &mut work => None,
                last_renewed = self.renew(renewed) => Some(last_renewed),
            };
            ended.cancel();
            if let Some(last_renewed) = lost {
                // From that instant on another may have begun.
                let limit = last_renewed + self.times.lease;
                if timeout_at(limit, work).await.is_err() {
                    warn!(lease = %self.lock.name, "the work of a lost leader did not end in time and was dropped");
                }
            }
            lost.is_none()
        };
        self.status.send_modify(|status| status.is_leading = false);
        if !kept {
            return Err(LeadershipLost { identity: self.lock.identity, lease: self.lock.name });
        }
        if self.at_stop == AtStop::Release {
            self.release().await;
        }
        Ok(())
    }

    /// Tries until the Lease is this candidate's. Says how often it had changed hands, and from when on it is held.
    async fn acquire(&mut self) -> (i32, Instant) {
        info!(lease = %self.lock.name, identity = %self.lock.identity, "waiting for the lease");
        loop {
            let asked = Instant::now();
            // An answer that comes later than that is of no use: what it says may have expired.
            match timeout_at(asked + self.times.renew, self.lock.hold()).await {
                Ok(Ok(Held::Mine { transitions })) => {
                    info!(lease = %self.lock.name, identity = %self.lock.identity, transitions, "became leader");
                    self.lead(asked);
                    return (transitions, asked);
                }
                Ok(Ok(Held::Theirs { holder })) => self.follow(holder),
                Ok(Err(error)) => debug!(lease = %self.lock.name, %error, "could not take the lease"),
                Err(_) => debug!(lease = %self.lock.name, "no answer in time"),
            }
            sleep(self.times.pause()).await;
        }
    }

    /// Renews the Lease until that fails for too long, and says when it was last renewed.
    async fn renew(&mut self, mut renewed: Instant) -> Instant {
        loop {
            sleep(self.times.retry).await;
            let asked = Instant::now();
            let deadline = renewed + self.times.renew;
            match timeout_at(deadline, self.lock.hold()).await {
                Ok(Ok(Held::Mine { .. })) => {
                    renewed = asked;
                    self.lead(asked);
                }
                Ok(Ok(Held::Theirs { holder })) => {
                    warn!(lease = %self.lock.name, %holder, "the lease was taken");
                    self.follow(holder);
                    return renewed;
                }
                Ok(Err(error)) => warn!(lease = %self.lock.name, %error, "could not renew the lease"),
                Err(_) => {}
            }
            if Instant::now() >= deadline {
                warn!(lease = %self.lock.name, deadline = ?self.times.renew, "the lease could not be renewed in time");
                return renewed;
            }
        }
    }

    async fn release(&mut self) {
        match tokio::time::timeout(self.times.renew, self.lock.release()).await {
            Ok(Ok(())) => info!(lease = %self.lock.name, "released the lease"),
            Ok(Err(error)) => {
                warn!(lease = %self.lock.name, %error, "could not release the lease; it will expire");
            }
            Err(_) => warn!(lease = %self.lock.name, "could not release the lease in time; it will expire"),
        }
    }

    fn lead(&self, at: Instant) {
        let identity = &self.lock.identity;
        self.status.send_modify(|status| {
            status.leader = Some(identity.clone());
            (status.is_leading, status.renewed) = (true, Some(at));
        });
    }

    fn follow(&self, holder: String) {
        self.status.send_if_modified(|status| {
            let news = status.leader.as_deref() != Some(&holder) || status.is_leading;
            (status.leader, status.is_leading) = (Some(holder), false);
            news
        });
    }
}
