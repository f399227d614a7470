//! Handlers that are told of keys alone.

use std::{cell::Cell, sync::Arc, time::Duration};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{Delivery, Event, HandlerOptions, KeyEvent, SharedInformer},
    object::ObjectKey,
    store::Storage,
};
use parking_lot::Mutex;
use serde::{Deserialize, Deserializer, Serialize};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    network::{Fate, Kind, Network},
    support::{Hand, builder, name, settle},
};

thread_local! {
    /// How many of these have been decoded by this thread, which is all that there is to a test.
    static DECODED: Cell<usize> = const { Cell::new(0) };
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

/// A config map that counts.
#[derive(Clone, Debug, Serialize)]
struct Counted {
    metadata: ObjectMeta,
    #[serde(skip)]
    _alive: Arc<Alive>,
}

#[derive(Debug)]
struct Alive;

impl Drop for Alive {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Whole {
            metadata: ObjectMeta,
        }
        DECODED.set(DECODED.get() + 1);
        ALIVE.set(ALIVE.get() + 1);
        let alive = Arc::new(Alive);
        Whole::deserialize(deserializer).map(|Whole { metadata }| Self { metadata, _alive: alive })
    }
}

impl k8s_openapi::Resource for Counted {
    const API_VERSION: &'static str = "v1";
    const GROUP: &'static str = "";
    const KIND: &'static str = "ConfigMap";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "configmaps";
    type Scope = k8s_openapi::NamespaceResourceScope;
}

impl k8s_openapi::Metadata for Counted {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

type Lines = Arc<Mutex<Vec<String>>>;

fn take(lines: &Lines) -> Vec<String> {
    std::mem::take(&mut *lines.lock())
}

fn line(event: &KeyEvent) -> String {
    let what = match event {
        KeyEvent::Added { initial: true, .. } => "initial",
        KeyEvent::Added { .. } => "added",
        KeyEvent::Updated { resync: true, .. } => "again",
        KeyEvent::Updated { .. } => "updated",
        KeyEvent::Deleted { missed: true, .. } => "missed",
        KeyEvent::Deleted { .. } => "deleted",
    };
    format!("{what} {}", event.key().name())
}

#[tokio::test(start_paused = true)]
async fn they_hear_of_every_change_and_nothing_is_decoded_for_them() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for name in ["one", "two"] {
        hand.create(name, "1").await;
    }
    let client = ResourceClient::<Counted>::namespaced(network.client(), "default");
    let informer = SharedInformer::builder(client).storage(Storage::Packed).seed(1).build();
    let (lines, late) = (Lines::default(), Lines::default());
    let written = Arc::clone(&lines);
    let handler = informer.add_key_handler(move |event| written.lock().push(line(&event)));
    informer.start(&CancellationToken::new());
    handler.wait_for_sync().await.unwrap();
    assert_eq!(take(&lines), ["initial one", "initial two"]);
    hand.update("one", "2").await;
    hand.create("three", "1").await;
    hand.delete("two").await;
    settle().await;
    assert_eq!(take(&lines), ["updated one", "added three", "deleted two"]);

    network.judge(|seen| if seen.kind == Kind::Watch { Fate::Refused } else { Fate::Pass });
    network.cut();
    hand.delete("three").await;
    hand.update("one", "3").await;
    network.server.compact();
    network.heal();
    sleep(Duration::from_secs(60)).await;
    assert_eq!(take(&lines), ["missed three", "updated one"]);

    let written = Arc::clone(&late);
    informer.add_key_handler(move |event| written.lock().push(line(&event))).wait_for_sync().await.unwrap();
    assert_eq!(take(&late), ["initial one"]);
    assert_eq!(DECODED.get(), 0);
    assert!(informer.store().get(&ObjectKey::new("default", "one")).is_some());
    assert_eq!(DECODED.get(), 1);

    handler.remove().await;
    hand.update("one", "4").await;
    settle().await;
    assert_eq!((take(&lines).len(), take(&late)), (0, vec!["updated one".to_owned()]));
    assert_eq!(informer.backlog(), (1, 0));
}

/// A slow handler of a packed store does not keep all of a list decoded: that would be what packing is to save.
#[tokio::test(start_paused = true)]
async fn packed_objects_are_decoded_when_their_turn_has_come() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for number in 0..50 {
        hand.create(&format!("object-{number}"), "1").await;
    }
    let client = ResourceClient::<Counted>::namespaced(network.client(), "default");
    let informer = SharedInformer::builder(client).storage(Storage::Packed).seed(1).build();
    let most = Arc::new(Mutex::new(0));
    let seen = Arc::clone(&most);
    let options = HandlerOptions::default().resync(Duration::from_secs(100));
    let handler = move |event: Event<Counted>| {
        let seen = Arc::clone(&seen);
        async move {
            sleep(Duration::from_secs(1)).await;
            let mut seen = seen.lock();
            *seen = ALIVE.get().max(*seen);
            drop(event);
        }
    };
    let early = informer.add_async_event_handler(options, handler.clone());
    informer.start(&CancellationToken::new());
    early.wait_for_sync().await.unwrap();
    informer.add_async_event_handler(options, handler).wait_for_sync().await.unwrap();
    sleep(Duration::from_secs(300)).await;
    assert_eq!((*most.lock(), informer.store().len()), (2, 50), "one for each handler, and both had some");
    early.remove().await;
}

#[tokio::test(start_paused = true)]
async fn a_resync_is_told_as_one_and_gives_way_to_a_change() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    let informer = builder(&network).build();
    let (lines, slow) = (Lines::default(), Lines::default());
    let options = HandlerOptions::default().resync(Duration::from_secs(10));
    let written = Arc::clone(&lines);
    informer.add_key_handler_with(options, move |event| written.lock().push(line(&event)));
    let written = Arc::clone(&slow);
    informer.add_async_key_handler(options, move |event| {
        let written = Arc::clone(&written);
        async move {
            sleep(Duration::from_secs(15)).await;
            written.lock().push(line(&event));
        }
    });
    informer.start(&CancellationToken::new());
    sleep(Duration::from_secs(11)).await;
    assert_eq!(take(&lines), ["initial one", "again one"]);
    // The slow one is told of its resync at 15 seconds, and has the change waiting by then.
    sleep(Duration::from_secs(5)).await;
    hand.update("one", "2").await;
    sleep(Duration::from_secs(40)).await;
    assert_eq!(take(&slow)[..3], ["initial one", "again one", "updated one"]);
}

/// Both forms follow the same table.
#[tokio::test(start_paused = true)]
async fn they_are_told_what_handlers_of_objects_are_told() {
    for delivery in [Delivery::Coalesce, Delivery::EveryEvent] {
        let network = Network::new(ApiServer::default());
        let hand = Hand::new(&network.server);
        let informer = builder(&network).build();
        let (of_objects, of_keys) = (Lines::default(), Lines::default());
        let options = HandlerOptions::default().delivery(delivery);
        let written = Arc::clone(&of_objects);
        informer.add_async_event_handler(options, move |event| {
            let written = Arc::clone(&written);
            async move {
                sleep(Duration::from_millis(70)).await;
                written.lock().push(match &event {
                    Event::Added { object, initial: true } => format!("initial {}", name(object)),
                    Event::Added { object, .. } => format!("added {}", name(object)),
                    Event::Updated { new, .. } => format!("updated {}", name(new)),
                    Event::Deleted { key, missed: true, .. } => format!("missed {}", key.name()),
                    Event::Deleted { key, .. } => format!("deleted {}", key.name()),
                });
            }
        });
        let written = Arc::clone(&of_keys);
        informer.add_async_key_handler(options, move |event| {
            let written = Arc::clone(&written);
            async move {
                sleep(Duration::from_millis(70)).await;
                written.lock().push(line(&event));
            }
        });
        informer.start(&CancellationToken::new());
        informer.wait_for_sync().await.unwrap();
        let mut random = fastrand::Rng::with_seed(7);
        for step in 0..400 {
            let name = format!("object-{}", random.u8(0..6));
            match (hand.0.get_opt(&name).await.unwrap().is_some(), random.u8(0..3)) {
                (false, _) => drop(hand.create(&name, "1").await),
                (true, 0) => hand.delete(&name).await,
                (true, _) => hand.update(&name, &step.to_string()).await,
            }
            sleep(Duration::from_millis(random.u64(0..40))).await;
        }
        sleep(Duration::from_secs(60)).await;
        let (of_objects, of_keys) = (take(&of_objects), take(&of_keys));
        assert_eq!(of_objects, of_keys);
        assert!(of_keys.len() > 50);
    }
}
