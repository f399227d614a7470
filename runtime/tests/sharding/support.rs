//! Replicas, and a book of who works on what.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use kube_codegen_apiserver::testing::{Fake, Faults};
use kube_codegen_runtime::{CancellationToken, client::ResourceClient, object::ObjectKey, sharding::Shards};
use parking_lot::Mutex;
use tokio::{task::JoinHandle, time::sleep};

pub(crate) const SECOND: Duration = Duration::from_secs(1);
/// The Lease, and the pauses around it: until the last renewal is seen, until it is seen to be over, and between two attempts.
pub(crate) const TAKE_OVER: Duration = Duration::from_millis(15_000 + 2_000 + 2_000 + 4_400);

/// Who works on which shard, with how many hands; and the highest token seen of each.
#[derive(Clone, Default)]
pub(crate) struct Book(Arc<Mutex<BTreeMap<u32, (String, usize)>>>, Arc<Mutex<BTreeMap<u32, u64>>>);

pub(crate) struct Line {
    book: Book,
    shard: u32,
}

impl Book {
    pub(crate) fn begin(&self, who: &str, shard: u32, token: u64) -> Line {
        let mut open = self.0.lock();
        let (holder, hands) = open.entry(shard).or_insert_with(|| (who.to_owned(), 0));
        assert!(*hands == 0 || holder == who, "{who} begins on {shard} while {holder} is at work on it");
        *holder = who.to_owned();
        *hands += 1;
        let mut tokens = self.1.lock();
        let highest = tokens.entry(shard).or_default();
        assert!(token >= *highest, "{who} has token {token} on {shard} after {highest}");
        *highest = token;
        Line { book: self.clone(), shard }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((_, hands)) = self.book.0.lock().get_mut(&self.shard) {
            *hands -= 1;
        }
    }
}

/// A replica with a network of its own, whose workers try keys at random.
pub(crate) struct Replica {
    pub(crate) shards: Shards,
    pub(crate) faults: Faults,
    pub(crate) stop: CancellationToken,
    pub(crate) tasks: Vec<JoinHandle<()>>,
}

pub(crate) fn shards(fake: &Fake, faults: &Faults, name: &str) -> Shards {
    let leases = ResourceClient::namespaced(faults.wrap(fake.server().client()), "default");
    Shards::builder(leases, "pods", name).build().unwrap()
}

impl Replica {
    pub(crate) fn start(fake: &Fake, book: &Book, name: &str, seed: u64) -> Self {
        let faults = Faults::new();
        let shards = shards(fake, &faults, name);
        let stop = CancellationToken::new();
        let mut tasks = vec![tokio::spawn({
            let (shards, stop) = (shards.clone(), stop.clone());
            async move { shards.run(stop).await }
        })];
        for worker in 0..3 {
            let work = work(shards.clone(), book.clone(), name.to_owned(), seed * 3 + worker);
            tasks.push(tokio::spawn(work));
        }
        Self { shards, faults, stop, tasks }
    }

    /// As when the machine is switched off.
    pub(crate) fn kill(&self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }

    pub(crate) fn held(&self) -> usize {
        self.shards.status().borrow().held.len()
    }
}

async fn work(shards: Shards, book: Book, who: String, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        sleep(Duration::from_millis(random.u64(1..500))).await;
        let key = ObjectKey::new("default", &format!("key-{}", random.u32(..200)));
        let (Some(entry), Some(shard)) = (shards.enter(&key), shards.shard_of(&key)) else { continue };
        let _line = book.begin(&who, shard, entry.fencing_token());
        let takes = sleep(Duration::from_millis(random.u64(1..9_000)));
        entry.revoked().run_until_cancelled(takes).await;
    }
}
