//! Candidates that lead until they are told to stop, and a book of who led when.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::{Api, Client};
use kube_codegen_apiserver::testing::{Fake, Faults};
use kube_codegen_runtime::{
    CancellationToken,
    client::ResourceClient,
    leader_election::{ElectionStatus, LeaderElector, LeaderElectorBuilder, LeadershipLost},
};
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep},
};

pub(crate) const LEASE: &str = "operator";

/// Who led from when to when, in milliseconds, with which token.
#[derive(Clone, Debug)]
pub(crate) struct Reign {
    pub(crate) who: String,
    pub(crate) token: u64,
    pub(crate) from: u128,
    pub(crate) to: Option<u128>,
}

#[derive(Clone)]
pub(crate) struct Book {
    began: Instant,
    pub(crate) reigns: Arc<Mutex<Vec<Reign>>>,
}

impl Book {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), reigns: Arc::default() }
    }

    pub(crate) fn now(&self) -> u128 {
        self.began.elapsed().as_millis()
    }

    /// Who leads now; never two.
    pub(crate) fn leader(&self) -> Option<String> {
        let reigns = self.reigns.lock();
        let open: Vec<&Reign> = reigns.iter().filter(|reign| reign.to.is_none()).collect();
        assert!(open.len() <= 1, "two leaders: {open:?}");
        open.first().map(|reign| reign.who.clone())
    }

    fn open(&self, who: &str, token: u64) -> Open {
        assert_eq!(self.leader(), None, "{who} begins");
        let mut reigns = self.reigns.lock();
        reigns.push(Reign { who: who.to_owned(), token, from: self.now(), to: None });
        Open { book: self.clone(), index: reigns.len() - 1 }
    }
}

/// A reign ends when this is dropped: with the work, however that ends.
struct Open {
    book: Book,
    index: usize,
}

impl Drop for Open {
    fn drop(&mut self) {
        let now = self.book.now();
        self.book.reigns.lock()[self.index].to = Some(now);
    }
}

pub(crate) fn leases(client: Client) -> ResourceClient<Lease> {
    ResourceClient::namespaced(client, "default")
}

pub(crate) fn builder(client: Client, identity: &str) -> LeaderElectorBuilder {
    LeaderElector::builder(leases(client), LEASE, identity)
}

/// A candidate with a network of its own.
pub(crate) struct Candidate {
    pub(crate) stop: CancellationToken,
    pub(crate) faults: Faults,
    pub(crate) status: watch::Receiver<ElectionStatus>,
    pub(crate) task: JoinHandle<Result<(), LeadershipLost>>,
}

impl Candidate {
    /// Its work takes `last_words` to end.
    pub(crate) fn start(fake: &Fake, book: &Book, identity: &str, last_words: Duration) -> Self {
        let faults = Faults::new();
        let elector = builder(faults.wrap(fake.server().client()), identity).build().unwrap();
        let (stop, status) = (CancellationToken::new(), elector.status());
        let (book, identity) = (book.clone(), identity.to_owned());
        let task = tokio::spawn(elector.run(stop.clone(), async move |leadership| {
            let _reign = book.open(&identity, leadership.fencing_token());
            leadership.ended().cancelled().await;
            sleep(last_words).await;
        }));
        Self { stop, faults, status, task }
    }
}

pub(crate) async fn spec(fake: &Fake) -> LeaseSpec {
    let leases: Api<Lease> = Api::namespaced(fake.server().client(), "default");
    leases.get(LEASE).await.unwrap().spec.unwrap()
}
