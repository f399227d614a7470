//! Objects that are there from the start.

use futures::TryStreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Pod};
use kube::{
    Api, ResourceExt,
    api::{ListParams, PostParams, WatchEvent, WatchParams},
};
use kube_codegen_apiserver::{
    ApiServer,
    testing::{Fake, Seed},
};
use serde_json::json;

use super::{
    code, fake, map, maps, pod, pods,
    types::{self, At, AtStatus},
};

#[tokio::test]
async fn a_seed_is_stored_as_it_is() {
    let mut at = At::new("nightly");
    at.metadata.namespace = Some("jobs".into());
    at.metadata.uid = Some("one-of-my-own".into());
    at.metadata.generation = Some(7);
    at.metadata.resource_version = Some("123456".into());
    at.metadata.finalizers = Some(vec!["example.com/cleanup".into()]);
    at.status = Some(AtStatus { phase: "RUNNING".into() });
    let fake = Fake::new(types::registrations(), [at.clone().into(), pod("a", "n").into()]);
    let read = Api::<At>::namespaced(fake.client(), "jobs").get("nightly").await.unwrap();
    assert_eq!((read.status, read.spec), (at.status, at.spec));
    assert_eq!((read.metadata.uid, read.metadata.generation), (at.metadata.uid, Some(7)));
    assert_ne!(read.metadata.resource_version, at.metadata.resource_version);
    assert!(read.metadata.creation_timestamp.is_some());
    let pod = pods(&fake).get("a").await.unwrap();
    assert!(pod.uid().is_some() && pod.resource_version().is_some());
    // The namespace came with the seed.
    Api::<Namespace>::all(fake.client()).get("jobs").await.unwrap();
}

#[tokio::test]
async fn namespaces_are_made_on_their_first_use() {
    let fake = fake();
    let maps: Api<ConfigMap> = Api::namespaced(fake.client(), "somewhere");
    maps.create(&PostParams::default(), &map("a")).await.unwrap();
    let strict = Fake::over(ApiServer::builder().require_namespaces().build(), []);
    let maps: Api<ConfigMap> = Api::namespaced(strict.client(), "somewhere");
    assert_eq!(code(maps.create(&PostParams::default(), &map("a")).await), 404);
}

#[tokio::test]
async fn seeds_that_cannot_be_stored_are_all_named() {
    let seeds = || -> Vec<Seed> {
        let nameless: Pod = Pod::default();
        let mut dead = map("dead");
        dead.metadata.deletion_timestamp =
            Some(serde_json::from_value(json!("2030-01-01T00:00:00Z")).unwrap());
        vec![
            map("twice").into(),
            map("twice").into(),
            nameless.into(),
            dead.into(),
            types::Gateway::new("unknown").into(),
            Seed::json(json!(7)),
        ]
    };
    let error = Fake::try_new([], seeds()).unwrap_err();
    let refused: Vec<(String, u16)> =
        error.refused().map(|(name, status)| (name.to_owned(), status.code())).collect();
    let names: Vec<&str> = refused.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["ConfigMap twice", "Pod (without a name)", "ConfigMap dead", "Gateway default/unknown", " /"],
        "{error}"
    );
    assert!(error.to_string().contains("Gateway default/unknown: no kind \"Gateway\""), "{error}");
    // Without `try_new`, no test passes by accident.
    let fake = Fake::new([], seeds());
    let Err(kube::Error::Api(status)) = maps(&fake).get("twice").await else { panic!("it did not fail") };
    assert_eq!(status.code, 500);
    assert!(status.message.contains("ConfigMap twice"), "{}", status.message);
}

#[tokio::test]
async fn an_object_that_is_added_later_is_seen_by_watches() {
    let fake = fake();
    let version = maps(&fake).list(&ListParams::default()).await.unwrap().metadata.resource_version.unwrap();
    let mut watch = Box::pin(maps(&fake).watch(&WatchParams::default(), &version).await.unwrap());
    fake.add(map("late")).unwrap();
    let event = watch.try_next().await.unwrap().unwrap();
    assert!(matches!(event, WatchEvent::Added(map) if map.name_any() == "late"));
    assert!(fake.add(map("late")).is_err());
}

/// What is stored as a seed must be what a create of the same object stores: else a later write is judged against another object than
/// the one that was meant.
#[tokio::test]
async fn a_seed_of_a_built_in_kind_has_the_defaults_of_a_created_one() {
    let template = json!({
        "metadata": {"labels": {"a": "b"}},
        "spec": {"containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80}]}], "restartPolicy": "Always"},
    });
    let job = json!({"template": {"spec": {"containers": [{"name": "c", "image": "i"}], "restartPolicy": "Never"}}});
    let selector = json!({"matchLabels": {"a": "b"}});
    let cases = [
        ("v1", "Pod", "api/v1", "pods", json!({"containers": [{"name": "c", "image": "i"}]})),
        ("v1", "Service", "api/v1", "services", json!({"clusterIP": "10.0.0.7", "ports": [{"port": 80}]})),
        (
            "apps/v1",
            "Deployment",
            "apis/apps/v1",
            "deployments",
            json!({"selector": selector, "template": template}),
        ),
        (
            "apps/v1",
            "ReplicaSet",
            "apis/apps/v1",
            "replicasets",
            json!({"selector": selector, "template": template}),
        ),
        (
            "apps/v1",
            "DaemonSet",
            "apis/apps/v1",
            "daemonsets",
            json!({"selector": selector, "template": template}),
        ),
        (
            "apps/v1",
            "StatefulSet",
            "apis/apps/v1",
            "statefulsets",
            json!({"serviceName": "s", "selector": selector, "template": template}),
        ),
        (
            "batch/v1",
            "CronJob",
            "apis/batch/v1",
            "cronjobs",
            json!({"schedule": "@daily", "jobTemplate": {"spec": job}}),
        ),
    ];
    for (version, kind, path, plural, spec) in cases {
        let object = |name: &str| json!({"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "default"}, "spec": spec});
        let fake = Fake::new([], [Seed::json(object("seed"))]);
        let path = format!("/{path}/namespaces/default/{plural}");
        let wanted = serde_json::to_vec(&object("created")).unwrap();
        let created = http::Request::post(&path).body(wanted).unwrap();
        // Of a server of its own, since an address is given out once.
        let created: serde_json::Value = Fake::new([], []).client().request(created).await.unwrap();
        let seed = http::Request::get(format!("{path}/seed")).body(Vec::new()).unwrap();
        let seed: serde_json::Value = fake.client().request(seed).await.unwrap();
        assert_eq!(seed["spec"], created["spec"], "{kind}");
    }
}

#[tokio::test]
async fn a_seed_with_a_field_that_its_kind_does_not_know_is_refused_with_the_field() {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"},
        "spec": {"containers": [{"name": "c", "imagee": "i"}]},
    });
    let why = Fake::try_new([], [Seed::json(pod)]).unwrap_err().to_string();
    assert!(why.contains("unknown field \"spec.containers[0].imagee\""), "{why}");
}
