//! The shards as a replica sees them.
//!
//! In: keys. Out: the right to work on them, or none. Never: a right beyond the life of [`Shards::run`].

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, OnceLock},
};

use futures::{
    FutureExt, StreamExt,
    future::{Either, select},
    stream::FuturesUnordered,
};
use k8s_openapi::api::coordination::v1::Lease;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::info;

use super::{Entry, ShardsBuilder, council::Council, gate::Gate, keeper::Keeper};
use crate::{
    client::ResourceClient,
    object::{ObjectKey, stable_hash},
};

/// The keys of a controller, shared with other replicas. A cheap handle.
#[derive(Clone)]
pub struct Shards {
    shared: Arc<Shared>,
}

struct Shared {
    settings: ShardsBuilder,
    /// One for each shard, once their number is known.
    gates: OnceLock<Vec<Gate>>,
    status: watch::Sender<ShardsStatus>,
}

/// How the shards stand, as this replica sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShardsStatus {
    /// How many there are; 0 until it is known.
    pub shards: u32,
    /// Those on which this replica works.
    pub held: BTreeSet<u32>,
    /// The identities of the replicas that live.
    pub members: BTreeSet<String>,
    /// How often each shard was taken by this replica: one that was lost and taken again is news.
    pub(crate) taken: BTreeMap<u32, u64>,
}

impl Shards {
    /// Begins to share the keys of a controller with all that use this name in the namespace of `leases`. The identity has to differ from
    /// that of every other replica and from that of this process' last life. The Leases are `name`, `name-shard-N` and `name-member-...`.
    pub fn builder(leases: ResourceClient<Lease>, name: &str, identity: &str) -> ShardsBuilder {
        ShardsBuilder::new(leases, name, identity)
    }

    pub(super) fn new(settings: ShardsBuilder) -> Self {
        let shared = Shared { settings, gates: OnceLock::new(), status: watch::Sender::default() };
        Self { shared: Arc::new(shared) }
    }

    /// The right to work on a key, if it is this replica's now.
    #[must_use]
    pub fn enter(&self, key: &ObjectKey) -> Option<Entry> {
        self.gate_of(key)?.enter()
    }

    /// Whether a key is this replica's, at this moment.
    #[must_use]
    pub fn owns(&self, key: &ObjectKey) -> bool {
        self.gate_of(key).is_some_and(Gate::is_open)
    }

    /// The shard of a key; `None` until the number of shards is known.
    #[must_use]
    pub fn shard_of(&self, key: &ObjectKey) -> Option<u32> {
        let shards = u64::try_from(self.shared.gates.get()?.len()).ok()?;
        u32::try_from(stable_hash(&[key.as_str()]).checked_rem(shards)?).ok()
    }

    fn gate_of(&self, key: &ObjectKey) -> Option<&Gate> {
        let shard = usize::try_from(self.shard_of(key)?).ok()?;
        self.shared.gates.get()?.get(shard)
    }

    /// How the shards stand, now and in future.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<ShardsStatus> {
        self.shared.status.subscribe()
    }

    /// Takes, keeps and gives back shards until `stop`; then gives back all, each when the work on its keys has ended. A second run does
    /// nothing.
    ///
    /// Dropping the future revokes all entries; the Leases then expire.
    pub async fn run(&self, stop: CancellationToken) {
        let Shared { settings, status, gates } = &*self.shared;
        let mut council = Council::new(settings);
        let Some(shards) = stop.run_until_cancelled(council.agree_on_number()).await else { return };
        if gates.set((0..shards).map(|_| Gate::default()).collect()).is_err() {
            return;
        }
        let gates = gates.get().map(Vec::as_slice).unwrap_or_default();
        let _closing = Closing { gates, status };
        status.send_modify(|status| status.shards = shards);
        info!(name = settings.name, identity = settings.identity, shards, "shares shards");
        let mut keepers: FuturesUnordered<_> = (0..shards)
            .zip(gates)
            .map(|(shard, gate)| {
                let sightings = council.sightings();
                Keeper { shard, gate: gate.clone(), settings, status, sightings }.keep(council.plan(), &stop)
            })
            .collect();
        let all_kept = async { while keepers.next().await.is_some() {} }.boxed();
        // The council sits as long as shards are held, so that others see that this replica lives.
        match select(all_kept, council.sit(status).boxed()).await {
            Either::Left(_) => {}
            Either::Right(((), keepers)) => keepers.await,
        }
        council.leave().await;
    }
}

/// Closes all doors for good, however the run ends.
struct Closing<'a> {
    gates: &'a [Gate],
    status: &'a watch::Sender<ShardsStatus>,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.gates.iter().for_each(Gate::revoke);
        self.status.send_modify(|status| status.held.clear());
    }
}

impl fmt::Debug for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { settings, status, .. } = &*self.shared;
        f.debug_struct("Shards")
            .field("name", &settings.name)
            .field("identity", &settings.identity)
            .field("status", &*status.borrow())
            .finish_non_exhaustive()
    }
}
