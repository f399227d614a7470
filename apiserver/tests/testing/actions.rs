//! What is noted of a request.

use futures::TryStreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Pod};
use kube::{
    Api,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchParams},
};
use kube_codegen_apiserver::testing::Verb;
use serde_json::{Value, json};

use super::{create, data, fake, map, maps, pod, pods, types::At};

#[tokio::test]
async fn every_verb_has_its_words() {
    let fake = fake();
    let (maps, everywhere) = (maps(&fake), Api::<ConfigMap>::all(fake.client()));
    create(&maps, &map("a")).await;
    maps.get("a").await.unwrap();
    maps.list(&ListParams::default()).await.unwrap();
    everywhere.list(&ListParams::default()).await.unwrap();
    drop(maps.watch(&WatchParams::default(), "0").await.unwrap());
    maps.replace("a", &PostParams::default(), &map("a")).await.unwrap();
    maps.patch("a", &PatchParams::default(), &Patch::Merge(data("k", "v"))).await.unwrap();
    let apply = Patch::Apply(json!({"apiVersion": "v1", "kind": "ConfigMap"}));
    let _ = maps.patch("a", &PatchParams::apply("me"), &apply).await;
    maps.delete("a", &DeleteParams::default()).await.unwrap();
    maps.delete_collection(&DeleteParams::default(), &ListParams::default()).await.unwrap();
    let ats = Api::<At>::namespaced(fake.client(), "default");
    let _ = ats.patch_status("x", &PatchParams::default(), &Patch::Merge(json!({}))).await;
    let _ = Api::<Namespace>::all(fake.client()).get("default").await;
    assert_eq!(
        fake.actions(),
        [
            "create configmaps default/a",
            "get configmaps default/a",
            "list configmaps default",
            "list configmaps",
            "watch configmaps default",
            "update configmaps default/a",
            "patch configmaps default/a",
            "apply configmaps default/a",
            "delete configmaps default/a",
            "deletecollection configmaps default",
            "patch ats/status default/x",
            "get namespaces default",
        ]
    );
    let writes = fake.writes();
    assert_eq!(writes.len(), 7);
    assert!(writes.iter().all(|action| !["get", "list", "watch"].contains(&action.verb().as_str())));
    fake.clear_actions();
    assert!(fake.actions().is_empty());
}

#[tokio::test]
async fn a_test_can_wait_for_a_request() {
    let fake = fake();
    let waiting = tokio::spawn({
        let fake = fake.clone();
        async move { fake.wait_for("get configmaps default/b").await }
    });
    tokio::task::yield_now().await;
    assert!(maps(&fake).get("a").await.is_err());
    assert!(!waiting.is_finished());
    assert!(maps(&fake).get("b").await.is_err());
    waiting.await.unwrap();
    fake.wait_for("get configmaps default/a").await;
}

#[tokio::test]
async fn an_action_keeps_the_request_as_it_was_sent() {
    let fake = fake();
    let mut sent = map("");
    sent.metadata.name = None;
    sent.metadata.generate_name = Some("settings-".into());
    let stored = create(&maps(&fake), &sent).await;
    let patch = data("k", "v");
    let name = stored.metadata.name.unwrap();
    let params = PatchParams { field_manager: Some("me".into()), ..PatchParams::default() };
    maps(&fake).patch(&name, &params, &Patch::Merge(&patch)).await.unwrap();
    maps(&fake).list(&ListParams::default().labels("app=a,tier in (b, c)")).await.unwrap();
    let actions = fake.actions();
    assert_eq!(actions[0], "create configmaps default/settings-*");
    assert_eq!(actions[0].object::<ConfigMap>().unwrap(), sent);
    assert_eq!(actions[1].object::<Value>().unwrap(), patch);
    assert_eq!(actions[1].parameter("fieldManager").as_deref(), Some("me"));
    assert_eq!(actions[2].parameter("labelSelector").as_deref(), Some("app=a,tier in (b, c)"));
    assert_eq!(
        (actions[2].verb(), actions[2].resource(), actions[2].group()),
        (Verb::List, "configmaps", "")
    );
    assert_eq!(
        (actions[2].namespace(), actions[2].name(), actions[2].version()),
        (Some("default"), None, "v1")
    );
    assert!(actions[2].body().is_empty());
}

#[tokio::test]
async fn what_is_no_resource_is_not_noted() {
    let fake = fake();
    fake.client().apiserver_version().await.unwrap();
    fake.client().list_api_groups().await.unwrap();
    assert!(fake.actions().is_empty());
}

#[tokio::test]
async fn what_the_server_is_asked_directly_is_not_noted() {
    let fake = fake();
    let direct: Api<ConfigMap> = Api::namespaced(fake.server().client(), "default");
    create(&direct, &map("a")).await;
    fake.add(map("b")).unwrap();
    assert!(fake.actions().is_empty());
    assert_eq!(maps(&fake).list(&ListParams::default()).await.unwrap().items.len(), 2);
}

#[tokio::test]
async fn refused_requests_are_noted_as_well_and_a_watch_when_it_begins() {
    let fake = fake();
    assert!(pods(&fake).get("nobody").await.is_err());
    let watch = pods(&fake).watch(&WatchParams::default(), "0").await.unwrap();
    create(&pods(&fake), &pod("a", "n")).await;
    let mut watch = Box::pin(watch);
    watch.try_next().await.unwrap().unwrap();
    assert_eq!(fake.actions(), ["get pods default/nobody", "watch pods default", "create pods default/a"]);
}

#[tokio::test]
async fn a_binding_goes_to_a_subresource() {
    let fake = fake();
    let binding =
        json!({"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "a"}, "target": {"name": "n"}});
    let pods: Api<Pod> = pods(&fake);
    let _ = pods.create_subresource::<_, Value>("binding", "a", &PostParams::default(), &binding).await;
    let action = fake.actions().remove(0);
    assert_eq!(
        (action.subresource(), action.to_string().as_str()),
        (Some("binding"), "create pods/binding default/a")
    );
}
