//! The same requests, times and seed give the same answers.

use jiff::Timestamp;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::http::{Watch, get, patch, send};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn story(seed: u64) -> Vec<Value> {
    let now: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
    let server = ApiServer::builder().seed(seed).clock(move || now).build();
    let mut watch = Watch::open(&server, &format!("{MAPS}?watch=true"));
    let mut answers = Vec::new();
    for round in 0..20 {
        let body = json!({"metadata": {"generateName": "m-"}, "data": {"round": round.to_string()}});
        let created = send(&server, "POST", MAPS, &body).1;
        let path = format!("{MAPS}/{}", created["metadata"]["name"].as_str().unwrap());
        answers.push(created);
        answers.push(patch(&server, &path, &json!({"data": {"more": "x"}})).1);
        if round % 3 == 0 {
            answers.push(send(&server, "DELETE", &path, &Value::Null).1);
        }
        answers.push(get(&server, MAPS).1);
    }
    answers.extend(watch.drain());
    answers
}

#[tokio::test]
async fn the_same_seed_gives_the_same_answers() {
    assert_eq!(story(7), story(7));
}

#[tokio::test]
async fn another_seed_gives_other_names_and_uids() {
    let (one, other) = (story(7), story(8));
    assert_ne!(one[0]["metadata"]["uid"], other[0]["metadata"]["uid"]);
    assert_ne!(one[0]["metadata"]["name"], other[0]["metadata"]["name"]);
    assert_eq!(one[0]["metadata"]["resourceVersion"], other[0]["metadata"]["resourceVersion"]);
}
