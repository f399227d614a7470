//! `create_or_update` and `create_or_patch`: what is sent, and what is said of it.

use k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::ConfigMap};
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    client::{Error, ResourceClient},
    controller::{Changed, create_or_patch, create_or_update},
};
use serde_json::json;

use super::support::{Hand, map, set};

fn put(key: &str, value: &str) -> impl Fn(&mut ConfigMap) {
    move |map| {
        map.data.get_or_insert_default().insert(key.to_owned(), value.to_owned());
    }
}

#[tokio::test]
async fn only_what_differs_is_written() {
    let fake = Fake::new([], []);
    let client = ResourceClient::<ConfigMap>::namespaced(fake.client(), "default");
    let (made, changed) = create_or_update(&client, map("a"), put("k", "1")).await.unwrap();
    assert_eq!((made.data.unwrap()["k"].as_str(), changed), ("1", Changed::Created));
    let (same, changed) = create_or_update(&client, map("a"), put("k", "1")).await.unwrap();
    assert_eq!(
        (same.metadata.resource_version, changed),
        (made.metadata.resource_version, Changed::Unchanged)
    );
    let (_, changed) = create_or_update(&client, map("a"), put("k", "2")).await.unwrap();
    assert_eq!(changed, Changed::Updated);
    assert_eq!(
        fake.actions(),
        [
            "get configmaps default/a",
            "create configmaps default/a",
            "get configmaps default/a",
            "get configmaps default/a",
            "update configmaps default/a",
        ]
    );
    let refused = create_or_update(&client, ConfigMap::default(), |_| ()).await.unwrap_err();
    assert!(matches!(refused, Error::MissingName { .. }), "{refused:?}");
}

#[tokio::test]
async fn patches_leave_what_others_write_and_go_to_the_part_that_differs() {
    let fake = Fake::new([], []);
    let client = ResourceClient::<ReplicaSet>::namespaced(fake.client(), "default");
    let hand = Hand::<ReplicaSet>::new(&fake);
    let replicas = |spec: i32, status: i32| {
        move |set: &mut ReplicaSet| {
            set.spec.replicas = Some(spec);
            set.status.get_or_insert_default().replicas = status;
        }
    };
    let (_, changed) = create_or_patch(&client, set("a"), |_| ()).await.unwrap();
    assert_eq!(changed, Changed::Created);
    for (spec, status, expected, requests) in [
        (1, 0, Changed::Unchanged, vec!["get replicasets default/a"]),
        (2, 0, Changed::Updated, vec!["get replicasets default/a", "patch replicasets default/a"]),
        (
            2,
            2,
            Changed::UpdatedStatusOnly,
            vec!["get replicasets default/a", "patch replicasets/status default/a"],
        ),
        (
            3,
            3,
            Changed::UpdatedWithStatus,
            vec![
                "get replicasets default/a",
                "patch replicasets default/a",
                "patch replicasets/status default/a",
            ],
        ),
    ] {
        fake.clear_actions();
        let (now, changed) = create_or_patch(&client, set("a"), replicas(spec, status)).await.unwrap();
        assert_eq!(changed, expected);
        assert_eq!(fake.actions(), requests);
        assert_eq!((now.spec.replicas, now.status.unwrap().replicas), (Some(spec), status));
    }
    hand.patch("a", json!({"metadata": {"labels": {"by": "others"}}})).await;
    let (now, changed) = create_or_patch(&client, set("a"), |set| {
        set.metadata.labels = None;
    })
    .await
    .unwrap();
    assert_eq!((now.metadata.labels, changed), (None, Changed::Updated), "what is taken away is taken away");
}
