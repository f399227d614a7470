//! Watches: where they begin, what selectors make of updates, how they end.

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::http::{Watch, get, patch, send};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn kinds(events: &[Value]) -> Vec<String> {
    let word = |event: &Value| {
        let name = event["object"]["metadata"]["name"].as_str().unwrap_or_default();
        format!("{} {name}", event["type"].as_str().unwrap())
    };
    events.iter().map(word).collect()
}

fn create(server: &ApiServer, name: &str, label: &str) {
    let body = json!({"metadata": {"name": name, "labels": {"l": label}}});
    assert_eq!(send(server, "POST", MAPS, &body).0, 201);
}

fn label(server: &ApiServer, name: &str, label: &str) {
    let change = json!({"metadata": {"labels": {"l": label}}});
    assert_eq!(patch(server, &format!("{MAPS}/{name}"), &change).0, 200);
}

#[tokio::test]
async fn an_update_that_enters_or_leaves_a_selection_is_added_or_deleted() {
    let server = ApiServer::builder().seed(1).build();
    create(&server, "a", "in");
    let mut watch = Watch::open(&server, &format!("{MAPS}?watch=true&labelSelector=l%3Din"));
    label(&server, "a", "out");
    label(&server, "a", "still-out");
    label(&server, "a", "in");
    patch(&server, &format!("{MAPS}/a"), &json!({"data": {"k": "v"}}));
    let (_, last) = get(&server, &format!("{MAPS}/a"));
    send(&server, "DELETE", &format!("{MAPS}/a"), &Value::Null);
    let events = watch.drain();
    assert_eq!(kinds(&events), ["ADDED a", "DELETED a", "ADDED a", "MODIFIED a", "DELETED a"]);
    assert_eq!(events[1]["object"]["metadata"]["labels"]["l"], "in", "the last content that matched");
    let version =
        |value: &Value| value["metadata"]["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(version(&events[1]["object"]) > version(&events[0]["object"]), "under the version of the change");
    assert!(version(&events[4]["object"]) > version(&last));
}

#[tokio::test]
async fn a_watch_that_fell_behind_the_history_is_told_so_and_ends() {
    let server = ApiServer::builder().seed(1).history(10).build();
    create(&server, "a", "x");
    let mut watch = Watch::open(&server, &format!("{MAPS}?watch=true"));
    assert_eq!(watch.drain().len(), 1);
    for round in 0..20 {
        label(&server, "a", &round.to_string());
    }
    let events = watch.drain();
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0]["type"], &events[0]["object"]["code"]), (&json!("ERROR"), &json!(410)));
    assert!(watch.ended);
}

#[tokio::test]
async fn a_watch_that_has_seen_everything_survives_a_compaction() {
    let server = ApiServer::builder().seed(1).build();
    create(&server, "a", "x");
    let mut watch = Watch::open(&server, &format!("{MAPS}?watch=true"));
    assert_eq!(watch.drain().len(), 1);
    server.compact();
    label(&server, "a", "y");
    assert_eq!(kinds(&watch.drain()), ["MODIFIED a"]);
}

#[tokio::test]
async fn changes_of_other_kinds_do_not_expire_a_watch() {
    let server = ApiServer::builder().seed(1).history(5).build();
    create(&server, "a", "x");
    let (_, list) = get(&server, MAPS);
    let version = list["metadata"]["resourceVersion"].as_str().unwrap();
    for index in 0..50 {
        let body = json!({"metadata": {"name": format!("s{index}")}});
        send(&server, "POST", "/api/v1/namespaces/default/secrets", &body);
    }
    let mut watch = Watch::open(&server, &format!("{MAPS}?watch=true&resourceVersion={version}"));
    label(&server, "a", "y");
    assert_eq!(kinds(&watch.drain()), ["MODIFIED a"]);
}

#[tokio::test(start_paused = true)]
async fn bookmarks_come_while_it_is_quiet_and_before_the_end() {
    let server = ApiServer::builder().seed(1).build();
    create(&server, "a", "x");
    let path = format!("{MAPS}?watch=true&allowWatchBookmarks=true&timeoutSeconds=100&resourceVersion=0");
    let mut watch = Watch::open(&server, &path);
    assert_eq!(kinds(&watch.drain()), ["ADDED a", "BOOKMARK "]);
    tokio::time::sleep(std::time::Duration::from_secs(61)).await;
    let quiet = watch.drain();
    assert_eq!(kinds(&quiet), ["BOOKMARK "]);
    let metadata = quiet[0]["object"]["metadata"].as_object().unwrap();
    assert_eq!(metadata.keys().collect::<Vec<_>>(), ["resourceVersion"]);
    tokio::time::sleep(std::time::Duration::from_secs(38)).await;
    assert_eq!(kinds(&watch.drain()), ["BOOKMARK "]);
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    assert!(watch.drain().is_empty() && watch.ended);
}

#[tokio::test]
async fn a_watch_that_is_over_before_it_begins_says_so() {
    let server = ApiServer::builder().seed(1).build();
    let events = Watch::open(&server, &format!("{MAPS}?watch=true&timeoutSeconds=-1")).drain();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["type"], "ERROR");
    assert_eq!(events[0]["object"]["message"], "context deadline exceeded");
    assert_eq!(events[0]["object"]["code"], 500);
}
