//! What clients ask: every verb, with and without the token.

use futures::StreamExt as _;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams},
};
use serde_json::json;

use crate::{Running, client, soon, with_token};

fn map(name: &str) -> ConfigMap {
    let map = json!({"metadata": {"name": name}, "data": {"colour": "red"}});
    serde_json::from_value(map).unwrap()
}

/// A watch of changes alone.
fn quiet() -> WatchParams {
    WatchParams { bookmarks: false, ..WatchParams::default() }
}

#[tokio::test]
async fn every_verb_works_over_https() {
    let running = Running::start().await;
    let maps: Api<ConfigMap> = Api::default_namespaced(running.client().await);
    let mut events = maps.watch(&quiet(), "0").await.unwrap().boxed();

    let created = maps.create(&PostParams::default(), &map("settings")).await.unwrap();
    assert!(created.metadata.uid.is_some());
    let patch = Patch::Merge(json!({"data": {"colour": "blue"}}));
    maps.patch("settings", &PatchParams::default(), &patch).await.unwrap();
    assert_eq!(maps.get("settings").await.unwrap().data.unwrap()["colour"], "blue");
    assert_eq!(maps.list(&ListParams::default()).await.unwrap().items.len(), 1);
    maps.delete("settings", &DeleteParams::default()).await.unwrap();
    assert!(maps.get_opt("settings").await.unwrap().is_none());

    let mut seen = Vec::new();
    while seen.len() < 3 {
        seen.push(match soon(events.next()).await.unwrap().unwrap() {
            WatchEvent::Added(_) => "added",
            WatchEvent::Modified(_) => "modified",
            WatchEvent::Deleted(_) => "deleted",
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(seen, ["added", "modified", "deleted"]);
    running.stop().await;
}

#[tokio::test]
async fn who_has_not_the_token_is_told_401() {
    let running = Running::start().await;
    for token in [None, Some("wrong"), Some("")] {
        let stranger = client(with_token(running.kubeconfig.clone(), token)).await;
        let maps: Api<ConfigMap> = Api::default_namespaced(stranger);
        match maps.create(&PostParams::default(), &map("settings")).await.unwrap_err() {
            kube::Error::Api(status) => {
                assert_eq!((status.code, status.reason.as_str()), (401, "Unauthorized"), "{token:?}");
            }
            other => panic!("{token:?}: {other}"),
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn health_needs_no_token() {
    let running = Running::start().await;
    let stranger = client(with_token(running.kubeconfig.clone(), None)).await;
    for path in ["/healthz", "/readyz", "/livez"] {
        let request = http::Request::get(path).body(Vec::new()).unwrap();
        assert_eq!(stranger.request_text(request).await.unwrap(), "ok");
    }
    let request = http::Request::get("/healthzz").body(Vec::new()).unwrap();
    stranger.request_text(request).await.unwrap_err();
    running.stop().await;
}

#[tokio::test]
async fn the_end_of_the_server_ends_watches() {
    let running = Running::start().await;
    let maps: Api<ConfigMap> = Api::default_namespaced(running.client().await);
    let mut events = maps.watch(&quiet(), "0").await.unwrap().boxed();
    maps.create(&PostParams::default(), &map("settings")).await.unwrap();
    assert!(matches!(soon(events.next()).await, Some(Ok(WatchEvent::Added(_)))));
    running.shutdown.cancel();
    assert!(soon(events.next()).await.is_none(), "a watch that is ended ends without an error");
    running.stop().await;
}

#[tokio::test]
async fn each_server_has_a_token_and_an_authority_of_its_own() {
    let (one, other) = (Running::start().await, Running::start().await);
    let mut mixed = one.kubeconfig.clone();
    mixed.clusters[0].cluster.as_mut().unwrap().server = Some(other.url.clone());
    let maps: Api<ConfigMap> = Api::default_namespaced(client(mixed).await);
    let error = maps.list(&ListParams::default()).await.unwrap_err();
    assert!(
        !matches!(error, kube::Error::Api(_)),
        "no request may be sent to a server that is not known: {error}"
    );
    one.stop().await;
    other.stop().await;
}
