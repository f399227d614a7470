//! Lists in pages.

use futures::{StreamExt, TryStreamExt};
use http::StatusCode;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::client::{Error, ListParams, ResourceClient};
use serde_json::{Value, json};

use crate::mock::Mock;

fn page(names: &[&str], token: &str) -> Value {
    let items: Vec<_> = names.iter().map(|name| json!({"metadata": {"name": name}})).collect();
    json!({"metadata": {"resourceVersion": "7", "continue": token}, "items": items})
}

fn expired(mock: &Mock) {
    let status = json!({"kind": "Status", "status": "Failure", "reason": "Expired", "code": 410,
        "message": "too old", "metadata": {"continue": "inconsistent"}});
    mock.answer(StatusCode::GONE, &[], &status.to_string());
}

fn client(mock: &Mock) -> ResourceClient<ConfigMap> {
    ResourceClient::namespaced(mock.client(), "default")
}

fn names(objects: &[ConfigMap]) -> Vec<&str> {
    objects.iter().filter_map(|object| object.metadata.name.as_deref()).collect()
}

const PATH: &str = "GET /api/v1/namespaces/default/configmaps";

#[tokio::test]
async fn go_on_until_there_is_no_token() {
    let mock = Mock::answering([page(&["a", "b"], "t1"), page(&[], "t2"), page(&["c"], "")]);
    let pages: Vec<_> = client(&mock).pages(&ListParams::default()).try_collect().await.unwrap();
    let pages: Vec<_> = pages.iter().map(|page| names(&page.items)).collect();
    assert_eq!(pages, [vec!["a", "b"], vec![], vec!["c"]]);
    let queries = ["?&limit=500", "?&limit=500&continue=t1", "?&limit=500&continue=t2"];
    assert_eq!(mock.lines(), queries.map(|query| format!("{PATH}{query}")));
}

#[tokio::test]
async fn keep_selectors_limit_and_version() {
    let mock = Mock::answering([page(&["a"], "t"), page(&["b"], "")]);
    let params = ListParams::default().labels("a=b").limit(1).at("5");
    client(&mock).pages(&params).try_collect::<Vec<_>>().await.unwrap();
    let queries = ["labelSelector=a%3Db&limit=1&resourceVersion=5", "labelSelector=a%3Db&limit=1&continue=t"];
    assert_eq!(mock.lines(), queries.map(|query| format!("{PATH}?&{query}")));
}

/// Nothing is asked for before it is wanted.
#[tokio::test]
async fn are_fetched_one_at_a_time() {
    let mock = Mock::answering([page(&["a"], "t"), page(&["b"], "")]);
    let mut pages = client(&mock).pages(&ListParams::default());
    assert!(mock.seen().is_empty());
    pages.next().await.unwrap().unwrap();
    tokio::task::yield_now().await;
    assert_eq!(mock.seen().len(), 1);
}

#[tokio::test]
async fn an_expired_token_restarts_with_a_full_list() {
    let mock = Mock::answering([page(&["a", "gone"], "t")]);
    expired(&mock);
    mock.answer(StatusCode::OK, &[], &page(&["a", "b", "c"], "").to_string());
    let params = ListParams::default().fields("x=y").limit(2).match_any();
    let mut pages = client(&mock).pages(&params);
    assert_eq!(names(&pages.next().await.unwrap().unwrap().items), ["a", "gone"]);
    assert!(!pages.restarted());
    assert_eq!(names(&pages.next().await.unwrap().unwrap().items), ["a", "b", "c"]);
    assert!(pages.restarted());
    assert!(pages.next().await.is_none());
    let queries = ["&limit=2", "&limit=2&continue=t", ""];
    assert_eq!(mock.lines(), queries.map(|query| format!("{PATH}?&fieldSelector=x%3Dy{query}")));
}

#[tokio::test]
async fn all_of_them_are_one_list() {
    let mock = Mock::answering([page(&["a", "b"], "t1"), page(&["c"], "t2"), page(&["d"], "")]);
    let all = client(&mock).list_all(&ListParams::default()).await.unwrap();
    assert_eq!(names(&all.items), ["a", "b", "c", "d"]);
    assert_eq!(all.metadata.resource_version.as_deref(), Some("7"));
    assert_eq!(all.metadata.continue_.unwrap_or_default(), "");

    let mock = Mock::answering([page(&["a", "gone"], "t")]);
    expired(&mock);
    mock.answer(StatusCode::OK, &[], &page(&["a", "b"], "").to_string());
    let all = client(&mock).list_all(&ListParams::default()).await.unwrap();
    assert_eq!(names(&all.items), ["a", "b"], "what was there before the restart is void");
}

/// Without a token there is nothing to restart from.
#[tokio::test]
async fn an_expired_version_is_an_error() {
    let mock = Mock::default();
    expired(&mock);
    let mut pages = client(&mock).pages(&ListParams::default().at("1"));
    assert!(matches!(pages.next().await, Some(Err(Error::Expired(_)))));
    assert!(pages.next().await.is_none());
}

#[tokio::test]
async fn end_after_an_error() {
    let mock = Mock::answering([page(&["a"], "t")]);
    mock.answer(StatusCode::INTERNAL_SERVER_ERROR, &[], "");
    let mut pages = client(&mock).pages(&ListParams::default());
    assert!(pages.next().await.unwrap().is_ok());
    assert!(matches!(pages.next().await, Some(Err(Error::Internal(_)))));
    assert!(pages.next().await.is_none());
}

/// A server that expires every token is not asked for ever.
#[tokio::test]
async fn restart_once() {
    let mock = Mock::answering([page(&["a"], "t")]);
    expired(&mock);
    expired(&mock);
    let mut pages = client(&mock).pages(&ListParams::default());
    assert!(pages.next().await.unwrap().is_ok());
    assert!(matches!(pages.next().await, Some(Err(Error::Expired(_)))));
    assert!(pages.next().await.is_none());
}

#[test]
fn can_move_between_tasks() {
    fn check<T: Send + Unpin>() {}
    check::<kube_codegen_runtime::client::Pages<ConfigMap>>();
}
