//! When informers end, and that nothing is left of them.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{AlreadyStarted, Factory, HandlerOptions, SharedInformer, SyncError},
    object::ObjectKey,
};
use tokio::{runtime::Handle, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    network::Network,
    support::{Diary, Hand, builder, settle},
};

fn tasks() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_when_the_last_handle_is_gone() {
    let network = Network::new(ApiServer::default());
    Hand::new(&network.server).create("one", "1").await;
    let client = ResourceClient::<ConfigMap>::namespaced(network.client(), "default");
    let informer = SharedInformer::builder(client).build();
    let witness = Arc::new(());
    let held: Weak<()> = Arc::downgrade(&witness);
    let registration = informer.add_event_handler(move |_| drop(Arc::clone(&witness)));
    informer.start(&CancellationToken::new());
    registration.wait_for_sync().await.unwrap();
    let object = informer.store().get(&ObjectKey::new("default", "one")).unwrap();
    let weak_object = Arc::downgrade(&object);
    drop(object);
    assert!(tasks() > 0);
    let lister = informer.lister();
    drop(informer);
    sleep(Duration::from_secs(1)).await;
    assert!(tasks() > 1, "the registration is a handle too");
    drop(registration);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(tasks(), 0, "not even that of the client");
    assert_eq!(held.strong_count(), 0, "the handler is gone");
    assert!(lister.get("default", "one").is_some(), "a lister goes on showing the last state");
    drop(lister);
    assert_eq!(weak_object.strong_count(), 0, "the objects are gone");
}

#[tokio::test(start_paused = true)]
async fn a_run_ends_with_its_token_or_its_future_and_is_the_only_one() {
    let network = Network::new(ApiServer::default());
    let informer = builder(&network).build();
    let stop = CancellationToken::new();
    let run = tokio::spawn(informer.clone().run(stop.clone()));
    informer.wait_for_sync().await.unwrap();
    assert_eq!(informer.clone().run(stop.clone()).await, Err(AlreadyStarted));
    stop.cancel();
    assert_eq!(run.await.unwrap(), Ok(()));
    assert!(informer.has_synced(), "what was in sync stays so");
    drop(informer);

    let informer = builder(&network).build();
    let registration = informer.add_event_handler(|_| ());
    let run = tokio::spawn(informer.clone().run(CancellationToken::new()));
    registration.wait_for_sync().await.unwrap();
    run.abort();
    informer.stopped().await;
    registration.remove().await;
    drop((informer, registration));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(tasks(), 0);
}

#[tokio::test(start_paused = true)]
async fn stopping_waits_for_calls_that_run() {
    let network = Network::new(ApiServer::default());
    Hand::new(&network.server).create("one", "1").await;
    let informer = builder(&network).build();
    let diary = Diary::default();
    let slow_diary = diary.clone();
    informer.add_async_event_handler(HandlerOptions::default(), move |event| {
        let diary = slow_diary.clone();
        async move {
            sleep(Duration::from_secs(5)).await;
            diary.write(&event);
        }
    });
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    settle().await;
    informer.stop();
    informer.stopped().await;
    assert_eq!(diary.take(), ["initial one=1"]);
}

#[tokio::test(start_paused = true)]
async fn a_factory_makes_one_informer_a_kind_and_starts_and_stops_them() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    let factory: Factory = Factory::builder(network.client())
        .namespace("default")
        .transform(|mut object: ConfigMap| {
            object.metadata.managed_fields = None;
            object
        })
        .build();
    let config_maps = factory.informer::<ConfigMap>();
    let again = factory.informer::<ConfigMap>();
    config_maps.add_index("kind of", |_| ["config map"]).unwrap();
    again.add_index("kind of", |_| ["config map"]).expect_err("they are the same");
    let not_started = SyncError::NotStarted { kind: "ConfigMap".to_owned() };
    assert_eq!(factory.wait_for_cache_sync().await, Err(not_started));
    let stop = CancellationToken::new();
    factory.start(&stop);
    let namespaces = factory.informer::<Namespace>();
    let secrets = factory.informer::<Secret>();
    factory.start(&stop);
    factory.start(&stop);
    factory.wait_for_cache_sync().await.unwrap();
    let object = config_maps.lister().get("default", "one").unwrap();
    assert_eq!(object.metadata.managed_fields, None);
    assert!(namespaces.lister().get("kube-system").is_some(), "cluster-scoped kinds are watched whole");
    assert!(secrets.store().is_empty());
    assert_eq!(network.seen().len(), 3);
    factory.shutdown().await;
    factory.shutdown().await;
    assert!(matches!(
        secrets.add_event_handler(|_| ()).wait_for_sync().await,
        Err(SyncError::Stopped { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_factory_that_is_dropped_stops_its_informers() {
    let network = Network::new(ApiServer::default());
    let factory = Factory::new(network.client());
    drop((factory.informer::<ConfigMap>(), factory.informer::<Secret>()));
    factory.start(&CancellationToken::new());
    factory.wait_for_cache_sync().await.unwrap();
    assert!(tasks() > 0);
    drop(factory);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(tasks(), 0);
}
