//! A controller that runs over the fake clientset.

use std::{num::NonZeroUsize, time::Duration};

use kube_codegen_runtime::{
    CancellationToken,
    controller::{Controller, RunError},
    object::ObjectMeta,
};
use sample_apis::myresource::v1::{MyResource, MyResourceSpec};
use sample_client::{Clientset, SharedInformerFactory, fake};
use sample_controller::my_resource;
use tokio::task::JoinHandle;

use crate::recorder::Recorder;

/// The fake, and a MyResource controller that runs until [`stop`](Self::stop).
pub(crate) struct Rig {
    pub(crate) fake: fake::Clientset,
    pub(crate) clientset: Clientset,
    pub(crate) recorder: Recorder<MyResource>,
    pub(crate) shutdown: CancellationToken,
    factory: SharedInformerFactory,
    running: JoinHandle<Result<(), RunError>>,
}

impl Rig {
    /// The controller over an empty fake.
    pub(crate) fn my_resources() -> Self {
        Self::over(fake::Clientset::new([]), NonZeroUsize::MIN)
    }

    /// The controller with so many workers.
    pub(crate) fn over(fake: fake::Clientset, workers: NonZeroUsize) -> Self {
        let recorder = Recorder::new(|object: &MyResource| describe(&object.metadata, &object.spec.message));
        let clientset = fake.clientset();
        let factory = SharedInformerFactory::new(&clientset);
        let informer = factory.trstringer_v1().my_resources();
        let builder = Controller::builder("my-resource", &informer).workers(workers);
        let controller = my_resource::controller(builder, &informer, recorder.clone());
        let shutdown = CancellationToken::new();
        factory.start(&CancellationToken::new());
        let running = tokio::spawn(controller.run(shutdown.clone()));
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
