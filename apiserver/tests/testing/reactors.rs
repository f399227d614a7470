//! What reactors can do.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::{
    Api,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
};
use kube_codegen_apiserver::{
    Status,
    testing::{Reaction, Verb},
};
use serde_json::json;

use super::{code, create, data, fake, map, maps, pod, pods, types::At};

#[tokio::test]
async fn a_reactor_answers_in_the_servers_place() {
    let fake = fake();
    fake.react(Verb::Create, "configmaps", |_| Reaction::error(Status::too_many_requests(7)));
    fake.react(Verb::Get, "configmaps", |action| Reaction::reply(map(action.name().unwrap_or_default())));
    assert_eq!(code(maps(&fake).create(&PostParams::default(), &map("a")).await), 429);
    assert_eq!(maps(&fake).get("made-up").await.unwrap().metadata.name.as_deref(), Some("made-up"));
    assert!(
        maps(&fake).list(&ListParams::default()).await.unwrap().items.is_empty(),
        "something reached the server"
    );
    fake.clear_reactors();
    create(&maps(&fake), &map("a")).await;
}

#[tokio::test]
async fn a_failure_carries_its_retry_after() {
    let fake = fake();
    fake.react(Verb::Any, "*", |_| Status::too_many_requests(7).into());
    let Err(kube::Error::Api(status)) = maps(&fake).get("a").await else { panic!("it did not fail") };
    assert_eq!(status.details.unwrap().retry_after_seconds, 7);
}

#[tokio::test]
async fn the_first_that_answers_wins_and_others_only_look_on() {
    let fake = fake();
    let seen = Arc::new(AtomicU32::new(0));
    let count = seen.clone();
    fake.react(Verb::Any, "*", move |_| {
        count.fetch_add(1, SeqCst);
        Reaction::Continue
    });
    fake.react(Verb::Get, "configmaps", |_| Reaction::error(Status::unauthorized()));
    fake.react(Verb::Get, "*", |_| Reaction::error(Status::service_unavailable("not asked")));
    assert_eq!(code(maps(&fake).get("a").await), 401);
    assert_eq!(code(pods(&fake).get("a").await), 503);
    assert_eq!(seen.load(SeqCst), 2);
}

#[tokio::test]
async fn subresources_and_groups_are_told_apart() {
    let fake = fake();
    fake.add(At::new("a")).unwrap();
    let ats: Api<At> = Api::namespaced(fake.client(), "default");
    let patch = Patch::Merge(json!({"status": {"phase": "DONE"}, "metadata": {"labels": {"a": "b"}}}));
    let params = PatchParams::default();
    for (resource, main, status) in [
        ("ats", true, false),
        ("ats/status", false, true),
        ("ats/*", true, true),
        ("*/status", false, true),
        ("ats.cnat.example.com", true, false),
        ("ats.other.example.com", false, false),
        ("at", false, false),
    ] {
        fake.react(Verb::Patch, resource, |_| Reaction::error(Status::unauthorized()));
        assert_eq!(ats.patch("a", &params, &patch).await.is_err(), main, "{resource}");
        assert_eq!(ats.patch_status("a", &params, &patch).await.is_err(), status, "{resource}");
        fake.clear_reactors();
    }
}

#[tokio::test]
async fn a_reactor_may_call_the_client_itself() {
    let fake = fake();
    create(&maps(&fake), &map("a")).await;
    let others = maps(&fake);
    // The classic race: somebody else writes between this controller's read and its write.
    fake.react(Verb::Update, "configmaps", move |_| {
        let others = others.clone();
        Reaction::later(async move {
            let patch = Patch::Merge(data("from", "somebody else"));
            match others.patch("a", &PatchParams::default(), &patch).await {
                Ok(_) => Reaction::Continue,
                Err(error) => Reaction::error(Status::internal(error)),
            }
        })
    });
    let (maps, params) = (maps(&fake), PostParams::default());
    let read = maps.get("a").await.unwrap();
    let write = maps.replace("a", &params, &read);
    let write = tokio::time::timeout(Duration::from_secs(10), write).await.expect("a deadlock");
    assert_eq!(code(write), 409);
    assert_eq!(fake.actions()[2..], ["update configmaps default/a", "patch configmaps default/a"]);
}

#[tokio::test]
async fn a_reactor_may_call_the_fake_itself() {
    let fake = fake();
    let inner = fake.clone();
    fake.react(Verb::Create, "pods", move |action| {
        assert_eq!(inner.actions().last(), Some(action));
        inner.react(Verb::Delete, "pods", |_| Reaction::error(Status::unauthorized()));
        inner.add(map("seen")).unwrap();
        Reaction::Continue
    });
    create(&pods(&fake), &pod("a", "n")).await;
    assert_eq!(code(pods(&fake).delete("a", &DeleteParams::default()).await), 401);
    maps(&fake).get("seen").await.unwrap();
}

#[tokio::test]
async fn a_broken_connection_is_no_answer_of_the_api() {
    let fake = fake();
    fake.react(Verb::List, "pods", |_| Reaction::Disconnect);
    let error = pods(&fake).list(&ListParams::default()).await.unwrap_err();
    assert!(!matches!(error, kube::Error::Api(_)), "{error:?}");
}

#[tokio::test]
async fn a_reply_that_is_no_json_is_a_failure_and_no_panic() {
    let fake = fake();
    fake.react(Verb::Get, "pods", |_| {
        Reaction::reply(std::collections::BTreeMap::from([
            (Some(Pod::default().metadata.name), 1),
            (None, 2),
        ]))
    });
    assert_eq!(code(pods(&fake).get("a").await), 500);
}

#[tokio::test]
async fn many_tasks_may_use_one_fake() {
    let fake = fake();
    fake.react(Verb::Create, "*", |_| Reaction::later(async { Reaction::Continue }));
    let tasks: Vec<_> = (0..20)
        .map(|n| {
            let maps: Api<ConfigMap> = maps(&fake);
            tokio::spawn(async move { create(&maps, &map(&format!("map-{n}"))).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(fake.actions().len(), 20);
}
