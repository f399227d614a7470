//! Which events lead to which keys.

use k8s_openapi::api::{
    apps::v1::ReplicaSet,
    core::v1::{ConfigMap, Namespace},
};
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    CancellationToken,
    client::ResourceClient,
    controller::{Controller, filter, set_controller_reference, set_owner_reference},
    informer::SharedInformer,
    object::ObjectKey,
};
use serde_json::json;

use super::support::{Hand, Running, Script, map, maps, set, settle, started};

#[tokio::test(start_paused = true)]
async fn children_lead_to_their_controller() {
    let fake = Fake::new([], []);
    let hand = Hand::<ReplicaSet>::new(&fake);
    let (owner, other) = (hand.create(&set("owner")).await, hand.create(&set("other")).await);
    let (sets, children) = (started::<ReplicaSet>(&fake), started::<ConfigMap>(&fake));
    let script = Script::new();
    let running = Running::start(Controller::builder("sets", &sets).owns(&children).build(script.clone()));
    settle().await;
    assert_eq!(script.take(), ["other", "owner"]);

    let maps = Hand::<ConfigMap>::new(&fake);
    let mut child = map("child");
    set_controller_reference(&owner, &mut child).unwrap();
    set_owner_reference(&other, &mut child).unwrap();
    maps.create(&child).await;
    settle().await;
    assert_eq!(script.take(), ["owner"], "the other one only owns it too");

    // An orphan of another kind's controller is nobody's concern here.
    let mut foreign = map("foreign");
    foreign.metadata.owner_references = Some(vec![
        serde_json::from_value(json!({"apiVersion": "batch/v1", "kind": "ReplicaSet", "name": "owner", "uid": "u", "controller": true}))
            .unwrap(),
    ]);
    maps.create(&foreign).await;
    maps.create(&map("free")).await;
    settle().await;
    assert_eq!(script.take(), [""; 0]);

    // A child that changes hands is news for both.
    let mut adopted = child.clone();
    adopted.metadata.owner_references = None;
    set_controller_reference(&other, &mut adopted).unwrap();
    maps.patch("child", json!({"metadata": {"ownerReferences": adopted.metadata.owner_references}})).await;
    settle().await;
    assert_eq!(script.take(), ["owner", "other"]);
    maps.delete("child").await;
    settle().await;
    assert_eq!(script.take(), ["other"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_owner_of_the_cluster_has_no_namespace() {
    let fake = Fake::new([], []);
    let children = started::<ConfigMap>(&fake);
    let namespaces = SharedInformer::builder(ResourceClient::<Namespace>::cluster(fake.client())).build();
    namespaces.start(&CancellationToken::new());
    namespaces.wait_for_sync().await.unwrap();
    let script = Script::new();
    let filter = filter::new(|_: &Namespace| false);
    let controller = Controller::builder("namespaces", &namespaces).filter(filter).owns(&children);
    let running = Running::start(controller.build(script.clone()));
    let owner = namespaces.lister().get("default").unwrap();
    let mut child = map("child");
    set_controller_reference(&*owner, &mut child).unwrap();
    Hand::<ConfigMap>::new(&fake).create(&child).await;
    settle().await;
    assert_eq!(script.take(), ["default"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_index_finds_the_keys_that_another_object_is_named_by() {
    let mut users: Vec<ConfigMap> = ["one", "two", "three"].map(map).into();
    for user in &mut users {
        let of = if user.metadata.name.as_deref() == Some("three") { "b" } else { "a" };
        user.data = Some([("settings".to_owned(), of.to_owned())].into());
    }
    let fake = Fake::new([], users.into_iter().map(Into::into));
    let (informer, builder) = maps(&fake);
    let by_settings = informer
        .add_index("settings", |map: &ConfigMap| {
            map.data.as_ref().and_then(|data| data.get("settings").cloned())
        })
        .unwrap();
    let secrets = started::<ReplicaSet>(&fake);
    let script = Script::new();
    let controller = builder
        .watches_filtered(&secrets, filter::generation(), move |set| {
            let mut keys = by_settings.keys_of(set.metadata.name.as_deref().unwrap_or_default());
            keys.sort();
            keys
        })
        .watches(&secrets, |set| {
            (set.metadata.name.as_deref() == Some("b")).then(|| ObjectKey::new("default", "extra"))
        });
    let running = Running::start(controller.build(script.clone()));
    settle().await;
    script.take();
    let hand = Hand::<ReplicaSet>::new(&fake);
    hand.create(&set("a")).await;
    settle().await;
    assert_eq!(script.take(), ["one", "two"]);
    hand.patch_status("a", json!({"status": {"replicas": 1}})).await;
    settle().await;
    assert_eq!(script.take(), [""; 0], "the filter is for this source");
    hand.create(&set("b")).await;
    settle().await;
    let mut runs = script.take();
    runs.sort();
    assert_eq!(runs, ["extra", "three"]);
    running.stop().await;
}

/// A key that changes now is not behind those that merely were there.
#[tokio::test(start_paused = true)]
async fn live_changes_go_before_the_first_list_and_before_resyncs() {
    let names: Vec<String> = (0..20).map(|number| format!("m{number:02}")).collect();
    let fake = Fake::new([], names.iter().map(|name| map(name).into()));
    let informer = SharedInformer::builder(ResourceClient::<ConfigMap>::namespaced(fake.client(), "default"))
        .resync(std::time::Duration::from_secs(60))
        .build();
    informer.start(&CancellationToken::new());
    let script = Script::taking(std::time::Duration::from_secs(1));
    let running = Running::start(Controller::builder("maps", &informer).build(script.clone()));
    for round in 0..2 {
        tokio::time::sleep(std::time::Duration::from_millis(4500 + 40_000 * round)).await;
        let hand = Hand::<ConfigMap>::new(&fake);
        hand.patch("m17", json!({"data": {"round": round.to_string()}})).await;
        tokio::time::sleep(std::time::Duration::from_millis(15_500)).await;
        let runs = script.take();
        let place = runs.iter().position(|name| name == "m17").unwrap();
        assert!(place <= 5, "round {round}: {runs:?}");
    }
    running.stop().await;
}
