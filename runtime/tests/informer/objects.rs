//! Objects that cannot be used, that are changed before they are stored, or kept packed.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::apis::meta::v1::ObjectMeta};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{Event, InformerError, ListStrategy, SharedInformer},
    object::ObjectKey,
    store::Storage,
};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    network::{Fate, Kind, Network},
    support::{Diary, Hand, builder, settle, stored},
};

/// A config map of which the value must be a number.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Counter {
    metadata: ObjectMeta,
    data: Count,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Count {
    #[serde(with = "as_text")]
    value: u32,
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl k8s_openapi::Resource for Counter {
    const API_VERSION: &'static str = "v1";
    const GROUP: &'static str = "";
    const KIND: &'static str = "ConfigMap";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "configmaps";
    type Scope = k8s_openapi::NamespaceResourceScope;
}

impl k8s_openapi::Metadata for Counter {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

fn counters(informer: &SharedInformer<Counter>) -> BTreeMap<String, u32> {
    let objects = informer.store().list();
    objects.iter().map(|object| (object.metadata.name.clone().unwrap(), object.data.value)).collect()
}

fn named(counters: &[(&str, u32)]) -> BTreeMap<String, u32> {
    counters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

#[tokio::test(start_paused = true)]
async fn an_object_that_does_not_decode_is_reported_and_the_others_go_on() {
    for strategy in [ListStrategy::Streaming, ListStrategy::Paged] {
        let network = Network::new(ApiServer::default());
        let hand = Hand::new(&network.server);
        for (name, value) in [("bad", "many"), ("good", "1"), ("turning", "2")] {
            hand.create(name, value).await;
        }
        let reports: Arc<Mutex<Vec<String>>> = Arc::default();
        let written = Arc::clone(&reports);
        let client = ResourceClient::<Counter>::namespaced(network.client(), "default");
        let informer = SharedInformer::builder(client)
            .list_strategy(strategy)
            .on_error(move |error| {
                if let InformerError::BadObject { key: Some(key), .. } = error {
                    written.lock().push(key.to_string());
                }
            })
            .build();
        let events: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&events);
        informer.add_event_handler(move |event: Event<Counter>| {
            let value = event.object().map(|object| object.data.value);
            told.lock().push(format!("{} {} {value:?}", event.key().name(), event.is_deleted()));
        });
        informer.start(&CancellationToken::new());
        informer.wait_for_sync().await.unwrap();
        assert_eq!(counters(&informer), named(&[("good", 1), ("turning", 2)]));
        assert_eq!(std::mem::take(&mut *reports.lock()), ["default/bad"]);
        sleep(Duration::from_secs(2)).await;
        events.lock().clear();
        hand.update("turning", "some").await;
        hand.update("good", "3").await;
        settle().await;
        let as_before = named(&[("good", 3), ("turning", 2)]);
        assert_eq!(counters(&informer), as_before, "the last state that decoded stays");
        network.server.compact();
        network.judge(|seen| if seen.kind == Kind::Watch { Fate::Refused } else { Fate::Pass });
        network.cut();
        hand.delete("bad").await;
        network.server.compact();
        network.heal();
        sleep(Duration::from_secs(10)).await;
        assert_eq!(counters(&informer), as_before, "also over a new list");
        assert_eq!(*reports.lock(), ["default/turning", "default/turning"]);
        hand.delete("turning").await;
        settle().await;
        assert_eq!(*events.lock(), ["good false Some(3)", "turning true Some(2)"]);
        assert!(informer.stats().bad_objects >= 4);
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_is_transformed_before_anybody_sees_it() {
    for storage in [Storage::Decoded, Storage::Packed] {
        let network = Network::new(ApiServer::default());
        let hand = Hand::new(&network.server);
        for name in ["one", "two", "panics"] {
            hand.create(name, "1").await;
        }
        let informer = builder(&network)
            .storage(storage)
            .transform(|mut object: ConfigMap| {
                assert_ne!(object.metadata.name.as_deref(), Some("panics"));
                object.data.get_or_insert_default().insert("value".into(), "changed".into());
                object
            })
            .on_error(|_| ())
            .build();
        let diary = Diary::default();
        informer.add_event_handler(diary.writer());
        informer.start(&CancellationToken::new());
        informer.wait_for_sync().await.unwrap();
        hand.delete("two").await;
        settle().await;
        let one = BTreeMap::from([("one".to_owned(), "changed".to_owned())]);
        assert_eq!(stored(&informer), one);
        let lines = diary.take();
        assert!(lines.contains(&"initial one=changed".to_owned()), "{lines:?}");
        assert_eq!(informer.stats().bad_objects, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn packed_objects_are_decoded_when_they_are_read_and_shared_while_in_use() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    let informer = builder(&network).storage(Storage::Packed).build();
    let index =
        informer.add_index("value", |object: &ConfigMap| object.data.clone()?.remove("value")).unwrap();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    let key = ObjectKey::new("default", "one");
    let (one, same) = (informer.store().get(&key).unwrap(), informer.store().list().remove(0));
    assert!(Arc::ptr_eq(&one, &same));
    let weak = Arc::downgrade(&one);
    drop((one, same));
    assert!(weak.upgrade().is_none());
    let diary = Diary::default();
    informer.add_event_handler(diary.writer());
    hand.update("one", "2").await;
    settle().await;
    assert_eq!(diary.take(), ["initial one=1", "updated one=1->2"]);
    assert_eq!((index.count("1"), index.get("2").len()), (0, 1));
    hand.delete("one").await;
    settle().await;
    assert_eq!(diary.take(), ["deleted one"]);
    assert!(informer.store().is_empty());
}

#[tokio::test(start_paused = true)]
async fn c027_what_happens_between_list_and_watch_is_seen() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    network
        .judge(|seen| if seen.kind == Kind::Watch { Fate::Late(Duration::from_secs(1)) } else { Fate::Pass });
    let informer = builder(&network).list_strategy(ListStrategy::Paged).build();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    hand.create("two", "2").await;
    hand.update("one", "3").await;
    sleep(Duration::from_secs(2)).await;
    assert_eq!(stored(&informer), hand.state().await);
}

#[tokio::test(start_paused = true)]
async fn only_what_matches_is_there() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    hand.create("two", "2").await;
    let informer = builder(&network).field_selector("metadata.name=two").build();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    assert_eq!(stored(&informer).into_keys().collect::<Vec<_>>(), ["two"]);
}

#[tokio::test(start_paused = true)]
async fn c050_an_index_is_complete_when_it_has_been_added() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for number in 0..1000 {
        hand.create(&format!("object-{number}"), &(number % 10).to_string()).await;
    }
    let informer = builder(&network).build();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    let writer = tokio::spawn({
        let hand = hand.clone();
        async move {
            for number in 0..200 {
                hand.update(&format!("object-{number}"), "new").await;
            }
        }
    });
    tokio::task::yield_now().await;
    let index =
        informer.add_index("value", |object: &ConfigMap| object.data.clone()?.remove("value")).unwrap();
    let all: usize = index.keys().iter().map(|value| index.get(value).len()).sum();
    assert_eq!(all, 1000);
    informer.add_index("value", |_: &ConfigMap| [1]).expect_err("the name is taken");
    writer.await.unwrap();
    settle().await;
    assert_eq!(index.get("new").len(), 200);
}

#[tokio::test(start_paused = true)]
async fn an_event_is_read_however_its_members_stand() {
    let network = Network::new(ApiServer::default());
    let object = |name: &str, version: u32| {
        format!(
            r#"{{"data":{{"value":"1"}},"metadata":{{"namespace":"default","name":"{name}","resourceVersion":"{version}"}}}}"#
        )
    };
    let lines = vec![
        format!(r#"{{"object":{},"type":"ADDED"}}"#, object("one", 6)),
        format!(r#"{{ "type" : "ADDED" , "more" : [1, {{}}] , "object" : {} }}"#, object("two", 7)),
        format!(r#"{{"type":"UNHEARD-OF","object":{}}}"#, object("three", 8)),
        format!(r#"{{"type":"\u0041DDED","object":{}}}"#, object("four", 9)),
        format!(r#"{{"object":{},"type":"DELETED"}}"#, object("two", 10)),
    ];
    network.judge(move |seen| match seen.kind {
        Kind::List => Fate::Answer(r#"{"items":null,"metadata":{"resourceVersion":"5"}}"#.to_owned()),
        _ => Fate::Lines(lines.clone()),
    });
    let informer = builder(&network).list_strategy(ListStrategy::Paged).build();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    settle().await;
    assert_eq!(stored(&informer).into_keys().collect::<Vec<_>>(), ["four", "one"]);
    assert_eq!(informer.stats().failures, 0);
}
