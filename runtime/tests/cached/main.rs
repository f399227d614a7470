//! The `cached` module from outside, over the in-memory API server and under paused time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams, PostParams},
};
use kube_codegen_apiserver::testing::{Fake, Faults, Verb};
use kube_codegen_runtime::{
    CancellationToken, cached::CachedClient, client::ResourceClient, informer::SharedInformer,
    store::Selector,
};
use serde_json::json;
use tokio::time::sleep;

fn map(name: &str, value: &str) -> ConfigMap {
    let metadata = json!({"name": name, "namespace": "default", "labels": {"value": value}});
    serde_json::from_value(json!({"metadata": metadata, "data": {"value": value}})).unwrap()
}

struct Desk {
    fake: Fake,
    /// Between the server and the informer.
    faults: Faults,
    client: CachedClient<ConfigMap>,
    _informer: SharedInformer<ConfigMap>,
}

impl Desk {
    async fn open() -> Self {
        let fake = Fake::new([], [map("old", "1").into()]);
        let faults = Faults::new();
        let watched = ResourceClient::<ConfigMap>::namespaced(faults.wrap(fake.server().client()), "default");
        let informer = SharedInformer::builder(watched).build();
        informer.start(&CancellationToken::new());
        informer.wait_for_sync().await.unwrap();
        let client = CachedClient::new(&informer, ResourceClient::namespaced(fake.client(), "default"));
        Self { fake, faults, client, _informer: informer }
    }

    /// From here on the cache hears of nothing, for this long.
    fn fall_behind(&self, time: Duration) {
        self.faults.on(Verb::Watch, "configmaps").delay(time);
        self.faults.on(Verb::List, "configmaps").delay(time);
        self.faults.cut_watches("configmaps");
    }

    fn value(&self, name: &str) -> Option<String> {
        Some(self.client.get_named("default", name)?.data.as_ref()?["value"].clone())
    }

    fn hand(&self) -> Api<ConfigMap> {
        Api::namespaced(self.fake.server().client(), "default")
    }
}

fn value(value: &str) -> Patch<serde_json::Value> {
    Patch::Merge(json!({"data": {"value": value}, "metadata": {"labels": {"value": value}}}))
}

fn names(objects: &[Arc<ConfigMap>]) -> Vec<String> {
    let mut names: Vec<String> = objects.iter().filter_map(|object| object.metadata.name.clone()).collect();
    names.sort();
    names
}

#[tokio::test(start_paused = true)]
async fn own_writes_are_seen_before_the_cache_knows_them() {
    let desk = Desk::open().await;
    desk.fall_behind(Duration::from_secs(5));
    desk.client.create(&map("new", "1")).await.unwrap();
    desk.client.patch("old", &value("2")).await.unwrap();
    assert_eq!((desk.value("new").as_deref(), desk.value("old").as_deref()), (Some("1"), Some("2")));
    assert_eq!(names(&desk.client.list()), ["new", "old"]);
    assert_eq!(names(&desk.client.list_namespace("default")), ["new", "old"]);
    assert!(desk.client.list_namespace("other").is_empty());
    let selector: Selector =
        Selector::from_iter([kube::core::Expression::Equal("value".to_owned(), "2".to_owned())]);
    assert_eq!(names(&desk.client.select(&selector)), ["old"]);
    desk.client.delete("new").await.unwrap();
    assert_eq!((desk.value("new"), names(&desk.client.list())), (None, vec!["old".to_owned()]));
    desk.client.delete("old").await.unwrap();
    assert!(desk.client.list().is_empty() && desk.value("old").is_none());
    let again = desk.client.create(&map("old", "3")).await.unwrap();
    assert_eq!(desk.value("old").as_deref(), Some("3"));
    sleep(Duration::from_secs(60)).await;
    assert_eq!(desk.client.get_named("default", "old").unwrap().metadata.uid, again.metadata.uid);
    assert!(format!("{:?}", desk.client).contains("ahead: 0"), "nothing is kept: {:?}", desk.client);
    assert_eq!(
        desk.fake.actions().iter().filter(|action| matches!(action.verb(), Verb::Get | Verb::List)).count(),
        0
    );
}

#[tokio::test(start_paused = true)]
async fn what_others_wrote_later_is_not_hidden() {
    let desk = Desk::open().await;
    desk.fall_behind(Duration::from_secs(5));
    desk.client.patch("old", &value("mine")).await.unwrap();
    desk.hand().patch("old", &PatchParams::default(), &value("theirs")).await.unwrap();
    assert_eq!(desk.value("old").as_deref(), Some("mine"), "all that is known here");
    sleep(Duration::from_secs(60)).await;
    assert_eq!(desk.value("old").as_deref(), Some("theirs"));
    // Gone and made again by others while this client waits for its own write to come back.
    desk.fall_behind(Duration::from_secs(5));
    desk.client.patch("old", &value("mine")).await.unwrap();
    desk.hand().delete("old", &DeleteParams::default()).await.unwrap();
    sleep(Duration::from_secs(60)).await;
    assert_eq!(desk.value("old"), None);
    desk.hand().create(&PostParams::default(), &map("old", "anew")).await.unwrap();
    sleep(Duration::from_secs(60)).await;
    assert_eq!(desk.value("old").as_deref(), Some("anew"));
}

/// Of two writes at a time, the later one counts, in whatever order their answers come.
#[tokio::test(start_paused = true)]
async fn answers_out_of_order_do_not_go_back() {
    let desk = Desk::open().await;
    desk.fall_behind(Duration::from_secs(5));
    let first = desk.client.live().patch("old", &value("first")).await.unwrap();
    let second = desk.client.live().patch("old", &value("second")).await.unwrap();
    desk.client.note(second);
    desk.client.note(first);
    assert_eq!(desk.value("old").as_deref(), Some("second"));
}

#[tokio::test(start_paused = true)]
async fn an_object_that_is_held_back_is_shown_as_it_is() {
    let desk = Desk::open().await;
    let hold = Patch::Merge(json!({"metadata": {"finalizers": ["example.com/hold"]}}));
    desk.client.patch("old", &hold).await.unwrap();
    desk.fall_behind(Duration::from_secs(5));
    desk.client.delete("old").await.unwrap();
    assert!(desk.client.get_named("default", "old").unwrap().metadata.deletion_timestamp.is_some());
    desk.client.patch("old", &Patch::Merge(json!({"metadata": {"finalizers": null}}))).await.unwrap();
    assert!(desk.client.get_named("default", "old").is_none(), "its last finalizer took it along");
    sleep(Duration::from_secs(60)).await;
    assert!(desk.client.get_named("default", "old").is_none());
}
