//! A controller that runs over the fake clientset.

use std::{num::NonZeroUsize, time::Duration};

use k8s_openapi::api::core::v1::{Container, Pod, PodSpec};
use kube_codegen_runtime::object::{Object, ObjectMeta};
use sample_apis::myresource::v1::{MyResource, MyResourceSpec};
use sample_client::{Clientset, SharedInformerFactory, fake};
use sample_controller::{Controller, RunError, my_resource, pod};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::recorder::Recorder;

/// The fake, and a controller that runs until [`stop`](Self::stop).
pub(crate) struct Rig<K> {
    pub(crate) fake: fake::Clientset,
    pub(crate) clientset: Clientset,
    pub(crate) recorder: Recorder<K>,
    pub(crate) shutdown: CancellationToken,
    factory: SharedInformerFactory,
    running: JoinHandle<Result<(), RunError>>,
}

impl Rig<MyResource> {
    /// The MyResource controller over an empty fake.
    pub(crate) fn my_resources() -> Self {
        Self::over(fake::Clientset::new([]), NonZeroUsize::MIN)
    }

    /// The MyResource controller with so many workers.
    pub(crate) fn over(fake: fake::Clientset, workers: NonZeroUsize) -> Self {
        let recorder = Recorder::new(|object: &MyResource| describe(&object.metadata, &object.spec.message));
        Self::new(fake, workers, recorder, my_resource::controller)
    }
}

impl Rig<Pod> {
    /// The Pod controller over an empty fake.
    pub(crate) fn pods() -> Self {
        let recorder = Recorder::new(|pod: &Pod| {
            let containers = pod.spec.as_ref().map(|spec| spec.containers.as_slice()).unwrap_or_default();
            let image = containers.first().and_then(|container| container.image.as_deref());
            describe(&pod.metadata, image.unwrap_or_default())
        });
        Self::new(fake::Clientset::new([]), NonZeroUsize::MIN, recorder, pod::controller)
    }
}

impl<K: Object> Rig<K> {
    fn new(
        fake: fake::Clientset,
        workers: NonZeroUsize,
        recorder: Recorder<K>,
        controller: fn(&SharedInformerFactory, Recorder<K>) -> Controller<K, Recorder<K>>,
    ) -> Self {
        let clientset = fake.clientset();
        let factory = SharedInformerFactory::new(&clientset);
        let controller = controller(&factory, recorder.clone());
        let shutdown = CancellationToken::new();
        factory.start(&shutdown);
        let running = tokio::spawn({
            let shutdown = shutdown.clone();
            async move { controller.run(workers, &shutdown).await }
        });
        Self { fake, clientset, recorder, shutdown, factory, running }
    }

    /// Waits until the informer has a watch open.
    pub(crate) async fn watching(&self) {
        while self.fake.faults().open_watches() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Stops all of it and gives what the controller was told.
    pub(crate) async fn stop(self) -> (Result<(), RunError>, Vec<String>) {
        self.shutdown.cancel();
        self.ended().await
    }

    /// Waits for the controller to end by itself.
    pub(crate) async fn ended(self) -> (Result<(), RunError>, Vec<String>) {
        let result = self.running.await.unwrap();
        self.factory.shutdown().await;
        (result, self.recorder.lines())
    }
}

fn describe(metadata: &ObjectMeta, what: &str) -> String {
    format!("{}:{what}", metadata.name.as_deref().unwrap_or_default())
}

/// A MyResource to create.
pub(crate) fn my_resource(name: &str, message: &str) -> MyResource {
    let metadata = ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() };
    let spec = MyResourceSpec { message: message.into(), ..MyResourceSpec::default() };
    MyResource { metadata, spec, ..MyResource::default() }
}

/// A Pod to create.
pub(crate) fn pod(name: &str, image: &str) -> Pod {
    let metadata = ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() };
    let container = Container { name: "main".into(), image: Some(image.into()), ..Container::default() };
    let spec = PodSpec { containers: vec![container], ..PodSpec::default() };
    Pod { metadata, spec: Some(spec), ..Pod::default() }
}
