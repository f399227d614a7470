//! Stopping.

use std::num::NonZeroUsize;

use kube_codegen_apiserver::testing::Verb;
use sample_client::{SharedInformerFactory, fake};
use sample_controller::{LogAndCount, RunError, my_resource as my_resources, pod};
use tokio_util::sync::CancellationToken;

use crate::rig::{Rig, my_resource};

/// Whatever is queued when the stop comes is still handled.
#[tokio::test]
async fn what_is_queued_is_finished() {
    let fake = fake::Clientset::new([]);
    let client = fake.clientset().trstringer_v1().my_resources("default");
    for index in 0..200 {
        client.create(&my_resource(&format!("a{index}"), "hello")).await.unwrap();
    }
    let rig = Rig::over(fake, NonZeroUsize::MIN);
    rig.recorder.wait_for(1).await;
    let (result, lines) = rig.stop().await;
    result.unwrap();
    assert_eq!(lines.len(), 200);
}

/// A stop before the first list is a stop, not a failure.
#[tokio::test]
async fn a_stop_before_the_first_list_is_clean() {
    let rig = Rig::my_resources();
    let (result, lines) = rig.stop().await;
    result.unwrap();
    assert!(lines.is_empty());
}

/// A controller waits for an informer that nobody has started, until it is told to stop.
#[tokio::test]
async fn a_stop_before_the_start_is_clean() {
    let fake = fake::Clientset::new([]);
    let factory = SharedInformerFactory::new(&fake.clientset());
    let controller = my_resources::controller(&factory, LogAndCount::default());
    let shutdown = CancellationToken::new();
    let stop = async { shutdown.cancel() };
    let (result, ()) = tokio::join!(controller.run(NonZeroUsize::MIN, &shutdown), stop);
    result.unwrap();
}

/// The informer is gone before it has listed: that is no stop that anybody asked for.
#[tokio::test]
async fn an_informer_that_stops_too_early_is_an_error() {
    let fake = fake::Clientset::new([]);
    fake.faults().on(Verb::List, "*").hang();
    fake.faults().on(Verb::Watch, "*").hang();
    let factory = SharedInformerFactory::new(&fake.clientset());
    let controller = my_resources::controller(&factory, LogAndCount::default());
    factory.start(&CancellationToken::new());
    let shutdown = CancellationToken::new();
    let (result, ()) = tokio::join!(controller.run(NonZeroUsize::MIN, &shutdown), factory.shutdown());
    assert!(matches!(result, Err(RunError::NotSynced { kind: "MyResource", .. })), "{result:?}");
}

/// Two controllers on one factory, with the handler of the binary.
#[tokio::test]
async fn controllers_share_a_factory_and_count_apart() {
    let fake = fake::Clientset::new([]);
    let clientset = fake.clientset();
    let client = clientset.trstringer_v1().my_resources("default");
    client.create(&my_resource("a", "hello")).await.unwrap();
    clientset.core_v1().pods("default").create(&crate::rig::pod("p", "app:1")).await.unwrap();

    let factory = SharedInformerFactory::new(&clientset);
    let (first, second) = (LogAndCount::default(), LogAndCount::default());
    let counts = [first.counts(), second.counts()];
    let shutdown = CancellationToken::new();
    let first = my_resources::controller(&factory, first).run(NonZeroUsize::MIN, &shutdown);
    let second = pod::controller(&factory, second).run(NonZeroUsize::MIN, &shutdown);
    factory.start(&shutdown);
    let stop = async {
        while counts.iter().any(|counts| counts.read().created == 0) {
            tokio::task::yield_now().await;
        }
        shutdown.cancel();
    };
    let (first, second, ()) = tokio::join!(first, second, stop);
    first.unwrap();
    second.unwrap();
    assert!(counts.iter().all(|counts| counts.read().created == 1 && counts.read().deleted == 0));
}
