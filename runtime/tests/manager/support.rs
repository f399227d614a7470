//! A cluster, and processes with managers.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    CancellationToken,
    client::ResourceClient,
    controller::{Action, Request},
    informer::Factory,
    leader_election::LeaderElector,
    manager::{Manager, ManagerBuilder, ManagerError},
};
use parking_lot::Mutex;
use serde_json::json;
use tokio::{task::JoinHandle, time::sleep};

/// What happened, in order.
#[derive(Clone, Default)]
pub(crate) struct Diary(Arc<Mutex<Vec<String>>>);

impl Diary {
    pub(crate) fn write(&self, line: impl Into<String>) {
        self.0.lock().push(line.into());
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock())
    }
}

pub(crate) fn cluster() -> Fake {
    let map = |name: &str| -> ConfigMap {
        serde_json::from_value(json!({"metadata": {"name": name, "namespace": "default"}})).unwrap()
    };
    Fake::new([], ["a", "b", "c"].map(|name| map(name).into()))
}

pub(crate) fn electing(fake: &Fake, identity: &str) -> ManagerBuilder {
    let leases = ResourceClient::namespaced(fake.client(), "default");
    Manager::builder().leader_election(LeaderElector::builder(leases, "operator", identity).build().unwrap())
}

/// Adds the informer of ConfigMaps and a controller whose runs take a while and read the cache at their end.
pub(crate) fn add_maps(
    manager: &Manager,
    fake: &Fake,
    name: &str,
    takes: Duration,
    diary: &Diary,
) -> Factory {
    let informers = Factory::builder(fake.client()).namespace("default").build();
    add_controller(manager, &informers, name, takes, diary);
    manager.add_informers(&informers);
    informers
}

pub(crate) fn add_controller(
    manager: &Manager,
    informers: &Factory,
    name: &str,
    takes: Duration,
    diary: &Diary,
) {
    let informer = informers.informer::<ConfigMap>();
    let (lister, diary, named) = (informer.lister(), diary.clone(), name.to_owned());
    manager.add_controller(manager.controller(name, &informer).build(move |request: Request| {
        let (lister, diary, name) = (lister.clone(), diary.clone(), named.clone());
        async move {
            sleep(takes).await;
            assert!(lister.get("default", request.name()).is_some(), "the cache is there to the end");
            diary.write(format!("{name} {}", request.name()));
            Ok(Action::Done)
        }
    }));
}

pub(crate) struct Process {
    pub(crate) manager: Manager,
    pub(crate) stop: CancellationToken,
    pub(crate) task: JoinHandle<Result<(), ManagerError>>,
}

impl Process {
    pub(crate) fn start(manager: &Manager) -> Self {
        let stop = CancellationToken::new();
        let task = tokio::spawn(manager.clone().run(stop.clone()));
        Self { manager: manager.clone(), stop, task }
    }

    pub(crate) async fn stop(self) -> Result<(), ManagerError> {
        self.stop.cancel();
        self.task.await.unwrap()
    }
}

/// The lines of the runtime's log that warn, or worse, while it is listened to.
#[derive(Clone, Default)]
pub(crate) struct Complaints(Diary);

impl Complaints {
    /// Listens in this thread.
    pub(crate) fn listen() -> (Diary, tracing::subscriber::DefaultGuard) {
        let complaints = Self::default();
        (complaints.0.clone(), tracing::subscriber::set_default(complaints))
    }
}

impl tracing::Subscriber for Complaints {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.is_event()
            && *metadata.level() <= tracing::Level::WARN
            && metadata.target().starts_with("kube_codegen_runtime")
    }

    fn new_span(&self, _span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _span: &tracing::span::Id, _values: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _span: &tracing::span::Id, _follows: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut line = event.metadata().level().to_string();
        event.record(&mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
            line.push_str(&format!(" {field}={value:?}"));
        });
        self.0.write(line);
    }

    fn enter(&self, _span: &tracing::span::Id) {}

    fn exit(&self, _span: &tracing::span::Id) {}
}

/// Notes its beginning and its end.
pub(crate) async fn task(
    name: &'static str,
    diary: Diary,
    stop: CancellationToken,
) -> Result<(), kube_codegen_runtime::manager::BoxError> {
    diary.write(format!("{name} begins"));
    stop.cancelled().await;
    diary.write(format!("{name} ends"));
    Ok(())
}
