//! Handlers: each served by itself, from its own beginning to its removal.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::future::BoxFuture;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::informer::{Delivery, Event, HandlerOptions, HandlerRegistration, SyncError};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    network::Network,
    support::{Diary, Hand, builder, settle},
};

/// A handler that takes `time` for an event, and writes into the diary when it is done.
fn slow(
    diary: &Diary,
    time: Duration,
) -> impl Fn(Event<ConfigMap>) -> BoxFuture<'static, ()> + Send + Sync + use<> {
    let diary = diary.clone();
    move |event| {
        let diary = diary.clone();
        Box::pin(async move {
            sleep(time).await;
            diary.write(&event);
        })
    }
}

#[tokio::test(start_paused = true)]
async fn c051_a_handler_is_in_sync_when_it_has_returned_for_all_of_the_first_list() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for number in 0..100 {
        hand.create(&format!("object-{number}"), "1").await;
    }
    let informer = builder(&network).build();
    let diary = Diary::default();
    let slow_one =
        informer.add_async_event_handler(HandlerOptions::default(), slow(&diary, Duration::from_millis(10)));
    let quick_one = informer.add_event_handler(|_| ());
    let began = Instant::now();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    assert_eq!(informer.store().len(), 100);
    assert!(!slow_one.has_synced());
    quick_one.wait_for_sync().await.unwrap();
    assert!(began.elapsed() < Duration::from_millis(10), "the quick one does not wait for the slow one");
    slow_one.wait_for_sync().await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(diary.take().len(), 100);
}

#[tokio::test(start_paused = true)]
async fn c051_a_handler_of_an_empty_list_is_in_sync_at_once() {
    let network = Network::new(ApiServer::default());
    let informer = builder(&network).build();
    let before = informer.add_event_handler(|_| ());
    assert!(!before.has_synced(), "nobody knows yet");
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    assert!(before.has_synced());
    assert!(informer.add_event_handler(|_| ()).has_synced());
}

#[tokio::test(start_paused = true)]
async fn an_object_deleted_before_its_turn_does_not_hold_sync_up() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for name in ["one", "two", "three"] {
        hand.create(name, "1").await;
    }
    let informer = builder(&network).build();
    let diary = Diary::default();
    let registration =
        informer.add_async_event_handler(HandlerOptions::default(), slow(&diary, Duration::from_secs(1)));
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    settle().await;
    for name in ["one", "two", "three"] {
        hand.delete(name).await;
    }
    registration.wait_for_sync().await.unwrap();
    sleep(Duration::from_secs(5)).await;
    let lines = diary.take();
    assert_eq!(lines.len(), 2, "only the one that was being handled was heard of: {lines:?}");
    assert!(lines[0].starts_with("initial") && lines[1].starts_with("deleted"), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn events_of_one_object_fold_while_the_handler_is_busy() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    let informer = builder(&network).build();
    let (folded, everything) = (Diary::default(), Diary::default());
    let time = Duration::from_secs(10);
    informer.add_async_event_handler(HandlerOptions::default(), slow(&folded, time));
    let every = HandlerOptions::default().delivery(Delivery::EveryEvent);
    informer.add_async_event_handler(every, slow(&everything, time));
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    for name in ["kept", "changed", "deleted", "remade"] {
        hand.create(name, "1").await;
    }
    sleep(time * 6).await;
    assert_eq!(folded.take(), everything.take());
    // Keeps both handlers busy.
    hand.update("kept", "2").await;
    settle().await;
    for round in 2..100 {
        hand.update("changed", &round.to_string()).await;
        hand.create("passing", "1").await;
        hand.delete("passing").await;
        settle().await;
    }
    hand.update("deleted", "2").await;
    hand.delete("deleted").await;
    hand.delete("remade").await;
    hand.create("remade", "2").await;
    hand.update("remade", "3").await;
    hand.create("new", "1").await;
    hand.update("new", "2").await;
    settle().await;
    assert!(informer.backlog().1 < 5 + 98 * 3 + 10);
    sleep(time * 400).await;
    let expected = [
        "updated kept=1->2",
        "updated changed=1->99",
        "deleted deleted",
        "deleted remade",
        "added remade=3",
        "added new=2",
    ];
    assert_eq!(folded.take(), expected);
    assert_eq!(everything.take().len(), 1 + 98 * 3 + 2 + 3 + 2);
}

#[tokio::test(start_paused = true)]
async fn a_late_handler_is_told_of_what_is_there_and_then_of_what_comes() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    let informer = builder(&network).build();
    let first = Diary::default();
    informer.add_event_handler(first.writer());
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    hand.create("one", "1").await;
    settle().await;
    let late = Diary::default();
    let registration = informer.add_event_handler(late.writer());
    assert!(!registration.has_synced());
    registration.wait_for_sync().await.unwrap();
    hand.update("one", "2").await;
    settle().await;
    assert_eq!(late.take(), ["initial one=1", "updated one=1->2"]);
    assert_eq!(first.take(), ["added one=1", "updated one=1->2"]);
}

#[tokio::test(start_paused = true)]
async fn removal_waits_for_the_call_that_runs_and_ends_all_others() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for name in ["one", "two"] {
        hand.create(name, "1").await;
    }
    let informer = builder(&network).build();
    let diary = Diary::default();
    let handler = slow(&diary, Duration::from_secs(3));
    let registration = informer.add_async_event_handler(HandlerOptions::default(), handler);
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    settle().await;
    let began = Instant::now();
    registration.remove().await;
    assert!(began.elapsed() > Duration::from_secs(2));
    assert_eq!(diary.take().len(), 1);
    registration.remove().await;
    registration.clone().remove().await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(diary.take().len(), 0);
    let removed = SyncError::Removed { kind: "ConfigMap".to_owned() };
    assert_eq!(registration.wait_for_sync().await, Err(removed));
    assert_eq!(informer.backlog(), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_handler_can_remove_itself() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for name in ["one", "two"] {
        hand.create(name, "1").await;
    }
    let informer = builder(&network).build();
    let own: Arc<Mutex<Option<HandlerRegistration>>> = Arc::default();
    let calls = Arc::new(AtomicUsize::new(0));
    let (seen, itself) = (Arc::clone(&calls), Arc::clone(&own));
    let registration = informer.add_async_event_handler(HandlerOptions::default(), move |_| {
        seen.fetch_add(1, Ordering::Relaxed);
        let registration = itself.lock().clone();
        async move { registration.unwrap().remove().await }
    });
    *own.lock() = Some(registration);
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    own.lock().take();
}

#[tokio::test(start_paused = true)]
async fn a_handler_can_be_removed_before_the_informer_starts_and_after_it_stopped() {
    let network = Network::new(ApiServer::default());
    let informer = builder(&network).build();
    let early = informer.add_event_handler(|_| ());
    early.remove().await;
    let late = informer.add_event_handler(|_| ());
    let stop = CancellationToken::new();
    informer.start(&stop);
    stop.cancel();
    informer.stopped().await;
    late.remove().await;
    let too_late = informer.add_event_handler(|_| ());
    assert!(matches!(too_late.wait_for_sync().await, Err(SyncError::Stopped { .. })));
    too_late.remove().await;
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_panics_hurts_nobody() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    let informer = builder(&network).build();
    let plain = informer.add_event_handler(|_| panic!("plainly"));
    let waiting = informer.add_async_event_handler(HandlerOptions::default(), |_| async {
        sleep(Duration::from_secs(1)).await;
        panic!("after a while")
    });
    let diary = Diary::default();
    let healthy = informer.add_event_handler(diary.writer());
    informer.start(&CancellationToken::new());
    for registration in [&plain, &waiting, &healthy] {
        registration.wait_for_sync().await.unwrap();
    }
    hand.update("one", "2").await;
    sleep(Duration::from_secs(5)).await;
    assert_eq!(diary.take(), ["initial one=1", "updated one=1->2"]);
    assert_eq!(informer.stats().handler_panics, 4);
}

#[tokio::test(start_paused = true)]
async fn a_handler_hears_of_everything_again_once_a_period_if_it_asks() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    let informer = builder(&network).resync(Duration::from_secs(300)).build();
    let (often, rarely) = (Diary::default(), Diary::default());
    let options = HandlerOptions::default().resync(Duration::from_secs(60));
    informer.add_event_handler_with(options, often.writer());
    informer.add_event_handler(rarely.writer());
    informer.start(&CancellationToken::new());
    sleep(Duration::from_secs(310)).await;
    assert_eq!(often.take().iter().filter(|line| *line == "updated one=1->1").count(), 5);
    assert_eq!(rarely.take(), ["initial one=1", "updated one=1->1"]);
}
