//! A server, an informer, and a controller whose runs are scripted and written down.

use std::{collections::HashMap, sync::Arc, time::Duration};

use k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::ConfigMap};
use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams, PostParams},
};
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    CancellationToken,
    client::ResourceClient,
    controller::{Action, Controller, ControllerBuilder, Failure, Reconciler, Request, RunError},
    informer::SharedInformer,
    object::Object,
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::{task::JoinHandle, time::Instant};

type Answer = Box<dyn FnMut(&Request) -> Result<Action, Failure> + Send>;

/// Notes every run, and answers as it is told to; `Done` where it is told nothing.
#[derive(Clone)]
pub(crate) struct Script {
    began: Instant,
    runs: Arc<Mutex<Vec<(Duration, String)>>>,
    answers: Arc<Mutex<HashMap<String, Answer>>>,
    takes: Duration,
}

impl Script {
    pub(crate) fn new() -> Self {
        Self::taking(Duration::ZERO)
    }

    /// Each run takes this long.
    pub(crate) fn taking(takes: Duration) -> Self {
        Self { began: Instant::now(), runs: Arc::default(), answers: Arc::default(), takes }
    }

    pub(crate) fn answer(
        &self,
        name: &str,
        answer: impl FnMut(&Request) -> Result<Action, Failure> + Send + 'static,
    ) {
        self.answers.lock().insert(name.to_owned(), Box::new(answer));
    }

    /// The names of the runs since this was last asked.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.runs.lock()).into_iter().map(|(_, name)| name).collect()
    }

    /// When the runs about this object began, in milliseconds from the making of the script.
    pub(crate) fn times(&self, name: &str) -> Vec<u128> {
        let runs = self.runs.lock();
        runs.iter().filter(|(_, run)| run == name).map(|(at, _)| at.as_millis()).collect()
    }

    pub(crate) fn count(&self) -> usize {
        self.runs.lock().len()
    }
}

impl Reconciler for Script {
    async fn reconcile(&self, request: Request) -> Result<Action, Failure> {
        self.runs.lock().push((self.began.elapsed(), request.name().to_owned()));
        if !self.takes.is_zero() {
            tokio::time::sleep(self.takes).await;
        }
        match self.answers.lock().get_mut(request.name()) {
            Some(answer) => answer(&request),
            None => Ok(Action::Done),
        }
    }
}

/// A controller that runs.
pub(crate) struct Running {
    pub(crate) stop: CancellationToken,
    pub(crate) task: JoinHandle<Result<(), RunError>>,
}

impl Running {
    pub(crate) fn start<R: Reconciler>(controller: Controller<R>) -> Self {
        let stop = CancellationToken::new();
        Self { task: tokio::spawn(controller.run(stop.clone())), stop }
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap().unwrap();
    }
}

/// A fake with an informer of its ConfigMaps, which runs, and a controller in the making.
pub(crate) fn maps(fake: &Fake) -> (SharedInformer<ConfigMap>, ControllerBuilder<ConfigMap>) {
    let informer = started(fake);
    let builder = Controller::builder("maps", &informer);
    (informer, builder)
}

pub(crate) fn started<K: Object<Scope = kube::core::NamespaceResourceScope>>(
    fake: &Fake,
) -> SharedInformer<K> {
    let informer = SharedInformer::builder(ResourceClient::<K>::namespaced(fake.client(), "default")).build();
    informer.start(&CancellationToken::new());
    informer
}

pub(crate) fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name, "namespace": "default"}})).unwrap()
}

pub(crate) fn set(name: &str) -> ReplicaSet {
    let template =
        json!({"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}});
    let spec = json!({"selector": {"matchLabels": {"a": "b"}}, "template": template});
    serde_json::from_value(json!({"metadata": {"name": name, "namespace": "default"}, "spec": spec})).unwrap()
}

/// Writes past the controller.
pub(crate) struct Hand<K>(pub(crate) Api<K>);

impl<K: Object<Scope = kube::core::NamespaceResourceScope>> Hand<K> {
    pub(crate) fn new(fake: &Fake) -> Self {
        Self(Api::namespaced(fake.server().client(), "default"))
    }

    pub(crate) async fn create(&self, object: &K) -> K {
        self.0.create(&PostParams::default(), object).await.unwrap()
    }

    pub(crate) async fn patch(&self, name: &str, patch: Value) -> K {
        self.0.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap()
    }

    pub(crate) async fn patch_status(&self, name: &str, patch: Value) -> K {
        self.0.patch_status(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap()
    }

    pub(crate) async fn delete(&self, name: &str) {
        self.0.delete(name, &DeleteParams::default()).await.unwrap();
    }
}

/// Lets everything happen that is about to.
pub(crate) async fn settle() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}

/// What the log says while it is listened to.
#[derive(Clone, Default)]
pub(crate) struct Quiet(Arc<Mutex<Vec<(tracing::Level, String)>>>);

impl Quiet {
    /// Listens in this thread.
    pub(crate) fn listen() -> (Self, tracing::subscriber::DefaultGuard) {
        let quiet = Self::default();
        (quiet.clone(), tracing::subscriber::set_default(quiet))
    }

    /// How many lines hold these words.
    pub(crate) fn count(&self, words: &str) -> usize {
        self.0.lock().iter().filter(|(_, line)| line.contains(words)).count()
    }

    /// The lines that warn, or worse.
    pub(crate) fn loud(&self) -> Vec<String> {
        let lines = self.0.lock();
        lines
            .iter()
            .filter(|(level, _)| *level <= tracing::Level::WARN)
            .map(|(_, line)| line.clone())
            .collect()
    }
}

impl tracing::Subscriber for Quiet {
    fn enabled(&self, _metadata: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _span: &tracing::span::Id, _values: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _span: &tracing::span::Id, _follows: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        if event.metadata().target().starts_with("kube_codegen_runtime") {
            let mut line = String::new();
            event.record(&mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
                line.push_str(&format!("{field}={value:?} "));
            });
            self.0.lock().push((*event.metadata().level(), line));
        }
    }

    fn enter(&self, _span: &tracing::span::Id) {}

    fn exit(&self, _span: &tracing::span::Id) {}
}
