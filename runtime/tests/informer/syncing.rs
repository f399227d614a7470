//! The first list, the changes after it, and waiting for both.

use std::time::Duration;

use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::informer::{ListStrategy, SyncError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    network::{Fate, Kind, Network},
    support::{Diary, Hand, builder, settle, stored},
};

#[tokio::test(start_paused = true)]
async fn a_store_follows_the_server_and_handlers_hear_of_it_in_order() {
    for strategy in [ListStrategy::Streaming, ListStrategy::Paged] {
        let network = Network::new(ApiServer::default());
        let hand = Hand::new(&network.server);
        hand.create("one", "1").await;
        let informer = builder(&network).list_strategy(strategy).page_size(1).build();
        let diary = Diary::default();
        let registration = informer.add_event_handler(diary.writer());
        informer.start(&CancellationToken::new());
        registration.wait_for_sync().await.unwrap();
        assert!(informer.has_synced());
        assert_eq!(diary.take(), ["initial one=1"]);
        hand.create("two", "2").await;
        settle().await;
        hand.update("two", "3").await;
        settle().await;
        hand.delete("two").await;
        settle().await;
        assert_eq!(diary.take(), ["added two=2", "updated two=2->3", "deleted two"]);
        assert_eq!(stored(&informer), hand.state().await);
        let streams = if strategy == ListStrategy::Streaming { 1 } else { 0 };
        assert_eq!(network.count(Kind::Stream), streams, "{:?}", network.seen());
    }
}

#[tokio::test(start_paused = true)]
async fn c003_a_wait_for_sync_ends_with_the_list_or_with_the_informer() {
    let network = Network::new(ApiServer::default());
    Hand::new(&network.server).create("one", "1").await;
    network.judge(|_| Fate::Late(Duration::from_secs(2)));
    let began = Instant::now();
    let informer = builder(&network).build();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 2);
    assert_eq!(stored(&informer).len(), 1);

    network.judge(|_| Fate::Silence);
    let informer = builder(&network).build();
    let registration = informer.add_event_handler(|_| ());
    let stop = CancellationToken::new();
    informer.start(&stop);
    let waits = tokio::spawn({
        let informer = informer.clone();
        async move { tokio::join!(informer.wait_for_sync(), registration.wait_for_sync()) }
    });
    settle().await;
    stop.cancel();
    let stopped = Err(SyncError::Stopped { kind: "ConfigMap".to_owned() });
    assert_eq!(waits.await.unwrap(), (stopped.clone(), stopped.clone()));
    assert_eq!(informer.wait_for_sync().await, stopped, "also when it has stopped already");
}
