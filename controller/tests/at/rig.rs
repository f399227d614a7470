//! A server with a kubelet, and replicas of the controllers.

use std::{num::NonZeroUsize, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kube_codegen_apiserver::{ApiServer, Kubelet, testing::Fake};
use kube_codegen_runtime::{
    CancellationToken,
    clock::WallClock,
    manager::{Manager, ManagerError},
};
use sample_apis::cnat::v1alpha1::{At, AtPhase};
use sample_client::{
    Clientset, SharedInformerFactory, clientset::versioned::typed::cnat::v1alpha1::Ats, fake,
};
use sample_controller::{Reports, Setup, add_all};
use tokio::{task::JoinHandle, time::sleep};

/// When stories begin.
pub(crate) const BEGIN: &str = "2030-01-31T12:00:00Z";

pub(crate) fn begin() -> Timestamp {
    BEGIN.parse().unwrap()
}

/// A clock that begins at [`BEGIN`] and goes with tokio's.
pub(crate) fn clock() -> WallClock {
    WallClock::starting_at(begin())
}

/// A fake whose pods run for a second.
pub(crate) fn world() -> fake::Clientset {
    world_with(Kubelet::simulated())
}

pub(crate) fn world_with(kubelet: Kubelet) -> fake::Clientset {
    let clock = clock();
    let builder = ApiServer::builder()
        .clock(move || clock.now())
        .register_all(fake::registrations())
        .create_namespaces();
    fake::Clientset::from(Fake::over(builder.kubelet(kubelet).build(), []))
}

/// A process with the controllers.
pub(crate) struct Replica {
    pub(crate) reports: Reports,
    pub(crate) stop: CancellationToken,
    pub(crate) running: JoinHandle<Result<(), ManagerError>>,
}

impl Replica {
    pub(crate) fn start(clientset: &Clientset, clock: WallClock) -> Self {
        let setup = Setup { workers: NonZeroUsize::new(4).unwrap(), clock, ..Setup::default() };
        let (manager, factory) = (Manager::builder().build(), SharedInformerFactory::new(clientset));
        let reports = add_all(&manager, clientset, &factory, &setup).unwrap();
        let stop = CancellationToken::new();
        let running = tokio::spawn(manager.run(stop.clone()));
        Self { reports, stop, running }
    }

    /// Ends it without a word.
    pub(crate) async fn crash(self) {
        self.running.abort();
        let _ = self.running.await;
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.running.await.unwrap().unwrap();
    }
}

/// An At that is due so many seconds after [`BEGIN`].
pub(crate) fn at(name: &str, seconds: i64) -> At {
    let mut at = At::default();
    at.metadata.name = Some(name.into());
    at.spec.schedule = (begin() + SignedDuration::from_secs(seconds)).to_string();
    at.spec.command = "echo 'hello world!'".into();
    at
}

pub(crate) fn ats(clientset: &Clientset) -> Ats {
    clientset.cnat_v1alpha1().ats("default")
}

/// Waits until an At has a phase.
pub(crate) async fn reaches(clientset: &Clientset, name: &str, phase: AtPhase) -> At {
    for _ in 0..10_000 {
        let at = ats(clientset).get(name).await.unwrap();
        if at.phase() == Some(phase) {
            return at;
        }
        sleep(Duration::from_millis(100)).await;
    }
    unreachable!("{name} is not {phase:?}: {:?}", ats(clientset).get(name).await)
}

/// The conditions in few words.
pub(crate) fn conditions(at: &At) -> Vec<String> {
    let conditions = at.status.iter().flat_map(|status| &status.conditions);
    conditions
        .map(|condition| format!("{}={} {}", condition.type_, condition.status, condition.reason))
        .collect()
}

/// The names of the pods.
pub(crate) async fn pods(fake: &fake::Clientset) -> Vec<String> {
    pods_of(fake.server()).await
}

/// The names of the pods of a server.
pub(crate) async fn pods_of(server: &ApiServer) -> Vec<String> {
    let pods = Clientset::new(server.client()).core_v1().pods("default").list().await.unwrap();
    pods.items.into_iter().filter_map(|pod| pod.metadata.name).collect()
}
