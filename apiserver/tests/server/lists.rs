//! Pages and snapshots of lists.

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::http::{get, patch, send};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn names(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().unwrap();
    items.iter().map(|item| item["metadata"]["name"].as_str().unwrap().to_owned()).collect()
}

fn server(count: usize) -> ApiServer {
    let server = ApiServer::builder().seed(1).build();
    for index in 0..count {
        let body = json!({"metadata": {"name": format!("m{index:03}")}, "data": {"v": "old"}});
        assert_eq!(send(&server, "POST", MAPS, &body).0, 201);
    }
    server
}

#[test]
fn pages_show_one_moment_whatever_is_written_between_them() {
    let server = server(10);
    let (mut seen, mut token) = (Vec::new(), String::new());
    let mut version = Value::Null;
    loop {
        let page = get(&server, &format!("{MAPS}?limit=3&continue={token}")).1;
        if token.is_empty() {
            version = page["metadata"]["resourceVersion"].clone();
        }
        assert_eq!(page["metadata"]["resourceVersion"], version);
        assert!(page["items"].as_array().unwrap().iter().all(|item| item["data"]["v"] == "old"));
        seen.extend(names(&page));
        send(&server, "DELETE", &format!("{MAPS}/m004"), &Value::Null);
        send(&server, "POST", MAPS, &json!({"metadata": {"name": "m0045"}}));
        patch(&server, &format!("{MAPS}/m009"), &json!({"data": {"v": "new"}}));
        match page["metadata"]["continue"].as_str() {
            Some(next) => token = next.to_owned(),
            None => break,
        }
    }
    let expected: Vec<String> = (0..10).map(|index| format!("m{index:03}")).collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_page_of_a_forgotten_moment_is_expired_and_says_how_to_go_on() {
    let server = server(4);
    let page = get(&server, &format!("{MAPS}?limit=2")).1;
    let token = page["metadata"]["continue"].as_str().unwrap();
    patch(&server, &format!("{MAPS}/m003"), &json!({"data": {"v": "new"}}));
    server.compact();
    let (code, status) = get(&server, &format!("{MAPS}?limit=2&continue={token}"));
    assert_eq!((code, &status["reason"]), (410, &json!("Expired")));
    let token = status["metadata"]["continue"].as_str().unwrap();
    let (code, page) = get(&server, &format!("{MAPS}?limit=2&continue={token}"));
    assert_eq!((code, names(&page)), (200, vec!["m002".to_owned(), "m003".to_owned()]));
    assert_eq!(page["items"][1]["data"]["v"], "new");
}

#[test]
fn an_exact_list_shows_the_past_or_says_that_it_is_over() {
    let server = server(2);
    let version = get(&server, MAPS).1["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
    send(&server, "DELETE", &format!("{MAPS}/m000"), &Value::Null);
    let path = format!("{MAPS}?resourceVersion={version}&resourceVersionMatch=Exact");
    assert_eq!(names(&get(&server, &path).1), ["m000", "m001"]);
    server.compact();
    assert_eq!(get(&server, &path).0, 410);
}

#[test]
fn lists_never_name_what_selectors_do_not_know() {
    let server = server(2);
    let (code, status) = get(&server, &format!("{MAPS}?fieldSelector=data.v%3Dold"));
    assert_eq!((code, &status["kind"]), (400, &json!("Status")));
}
