//! Typed watches.

use futures::{StreamExt, stream};
use http::StatusCode;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::client::{Error, ResourceClient, Result, Watch, WatchEvent, WatchParams};
use serde_json::json;

use crate::mock::{Chunk, Mock};

async fn watch(chunks: impl IntoIterator<Item = Chunk, IntoIter: Send + 'static>) -> Watch<ConfigMap> {
    let mock = Mock::default();
    mock.answer_with(StatusCode::OK, &[], stream::iter(chunks));
    let client = ResourceClient::<ConfigMap>::namespaced(mock.client(), "default");
    client.watch_with(&WatchParams::default(), "7").await.unwrap()
}

fn event(kind: &str, name: &str) -> String {
    json!({"type": kind, "object": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}})
        .to_string()
        + "\n"
}

fn shown(event: Result<WatchEvent<ConfigMap>>) -> String {
    let name = |object: ConfigMap| object.metadata.name.unwrap();
    match event {
        Ok(WatchEvent::Added(object)) => format!("+{}", name(object)),
        Ok(WatchEvent::Modified(object)) => format!("~{}", name(object)),
        Ok(WatchEvent::Deleted(object)) => format!("-{}", name(object)),
        Ok(WatchEvent::Bookmark(bookmark)) => format!("@{}", bookmark.metadata.resource_version),
        Ok(WatchEvent::Error(status)) => panic!("{status:?} is no event"),
        Err(error) => format!("!{}", format!("{error:?}").split('(').next().unwrap()),
    }
}

async fn all(watch: Watch<ConfigMap>) -> Vec<String> {
    watch.map(shown).collect().await
}

#[tokio::test]
async fn give_each_kind_of_event() {
    let bookmark = json!({"type": "BOOKMARK", "object": {"kind": "ConfigMap", "apiVersion": "v1",
        "metadata": {"resourceVersion": "9", "creationTimestamp": null}}});
    let text =
        [event("ADDED", "a"), event("MODIFIED", "a"), bookmark.to_string() + "\n", event("DELETED", "a")]
            .concat();
    assert_eq!(all(watch([Ok(text.into())]).await).await, ["+a", "~a", "@9", "-a"]);
}

#[tokio::test]
async fn an_error_event_is_an_error_and_the_end() {
    let gone = json!({"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "status": "Failure",
        "message": "too old resource version: 1 (9)", "reason": "Expired", "code": 410}});
    let text = [event("ADDED", "a"), gone.to_string() + "\n", event("ADDED", "b")].concat();
    assert_eq!(all(watch([Ok(text.into())]).await).await, ["+a", "!Expired"]);
}

#[tokio::test]
async fn a_bare_status_is_an_error() {
    let status =
        json!({"kind": "Status", "status": "Failure", "message": "no", "reason": "Forbidden", "code": 403});
    assert_eq!(all(watch([Ok(status.to_string().into())]).await).await, ["!Forbidden"]);
}

#[tokio::test]
async fn an_event_of_another_type_is_an_error_and_the_end() {
    for line in [r#"{"type":"ADDED","object":{"metadata":3}}"#, r#"{"type":"MOVED","object":{}}"#, "what?"] {
        let text = [line, "\n", &event("ADDED", "b")].concat();
        assert_eq!(all(watch([Ok(text.into())]).await).await, ["!Decode"], "{line}");
    }
}

#[tokio::test]
async fn a_refused_watch_is_an_error_at_once() {
    let mock = Mock::default();
    mock.answer(StatusCode::GONE, &[], "");
    let client = ResourceClient::<ConfigMap>::namespaced(mock.client(), "default");
    assert!(matches!(client.watch().await, Err(Error::Expired(_))));
}

#[test]
fn can_move_between_tasks() {
    fn check<T: Send + Unpin>() {}
    check::<Watch<ConfigMap>>();
}
