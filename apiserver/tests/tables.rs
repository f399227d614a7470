//! Tables: the cells of built-in kinds beside those of a real server, and the forms that tables come in.
//!
//! `data/tables.json.gz` holds rows that a real server printed, each with its object. The objects are imported here and printed again.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::io::Read as _;

use bytes::Bytes;
use flate2::read::GzDecoder;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use jiff::Timestamp;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::{ApiServer, Registration};
use serde_json::{Value, json};
use tower::ServiceExt as _;

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

async fn send(server: &ApiServer, path: &str, accept: &str) -> (u16, String) {
    let request = Request::get(path).header("accept", accept).body(Full::<Bytes>::default()).unwrap();
    let response = server.service().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

async fn table(server: &ApiServer, path: &str) -> Value {
    let (status, body) = send(server, path, TABLE).await;
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

/// The cells without what depends on when they were printed.
fn settled(cells: &Value) -> Vec<Value> {
    let is_duration = |text: &str| {
        let units = text.trim_end_matches(|letter: char| "ydhms".contains(letter) || letter.is_ascii_digit());
        units.is_empty()
            && text.starts_with(|first: char| first.is_ascii_digit())
            && text.ends_with(char::is_alphabetic)
    };
    let cell = |cell: &Value| match cell.as_str() {
        Some(text) if is_duration(text) => "<age>".into(),
        Some(text) => match text.split_once(" (") {
            Some((count, _)) if text.ends_with(" ago)") => format!("{count} (<age> ago)").into(),
            _ => text.into(),
        },
        None => cell.clone(),
    };
    cells.as_array().unwrap().iter().map(cell).collect()
}

#[tokio::test]
async fn built_in_kinds_are_printed_as_a_real_server_does() {
    let mut text = String::new();
    GzDecoder::new(&include_bytes!("data/tables.json.gz")[..]).read_to_string(&mut text).unwrap();
    let recorded: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for resource in &recorded {
        let (api, plural) = (resource["api"].as_str().unwrap(), resource["resource"].as_str().unwrap());
        let folder = if api.contains('/') { "apis" } else { "api" };
        let server = ApiServer::default();
        for row in resource["rows"].as_array().unwrap() {
            let mut object = row["object"].clone();
            object["metadata"].as_object_mut().unwrap().remove("resourceVersion");
            server.import(object).unwrap();
        }
        let printed = table(&server, &format!("/{folder}/{api}/{plural}")).await;
        let columns = printed["columnDefinitions"].as_array().unwrap().len();
        for row in resource["rows"].as_array().unwrap() {
            // A real server gives an address one cell more than there are columns.
            let cells = row["cells"].as_array().unwrap().len() - usize::from(plural == "ipaddresses");
            assert_eq!(columns, cells, "{plural}");
            let name = &row["object"]["metadata"]["name"];
            let ours = printed["rows"].as_array().unwrap().iter();
            let ours = ours.clone().find(|ours| ours["object"]["metadata"]["name"] == *name).unwrap();
            count += 1;
            let (want, got) = (settled(&row["cells"]), settled(&ours["cells"]));
            if want != got || row["conditions"] != ours["conditions"] {
                wrong.push(format!("{plural} {name}\n  want {want:?}\n  got  {got:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn ages_get_rougher_with_time() {
    for (seconds, age) in [
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (303, "5m3s"),
        (3600, "60m"),
        (3 * 3600, "3h"),
        (7 * 3600 + 120, "7h2m"),
        (47 * 3600, "47h"),
        (50 * 3600, "2d2h"),
        (9 * 86400, "9d"),
        (800 * 86400, "2y70d"),
        (9 * 365 * 86400, "9y"),
    ] {
        let now: Timestamp = "2030-01-01T00:00:00Z".parse().unwrap();
        let made = Timestamp::from_second(now.as_second() - seconds).unwrap();
        let server = ApiServer::builder().clock(move || now).build();
        let metadata = json!({"name": "a", "namespace": "default", "creationTimestamp": made.to_string()});
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata});
        server.import(map).unwrap();
        let printed = table(&server, "/api/v1/namespaces/default/configmaps/a").await;
        assert_eq!(printed["rows"][0]["cells"], json!(["a", 0, age]));
    }
}

#[tokio::test]
async fn rows_carry_what_the_client_asks_for() {
    let server = ApiServer::default();
    let path = "/api/v1/namespaces/default";
    let printed = table(&server, &format!("{path}?includeObject=None")).await;
    assert_eq!(printed["rows"][0]["object"], Value::Null);
    assert_eq!(printed["metadata"]["resourceVersion"].as_str().map(str::is_empty), Some(false));
    let printed = table(&server, &format!("{path}?includeObject=Object")).await;
    assert_eq!(printed["rows"][0]["object"]["kind"], "Namespace");
    let printed = table(&server, path).await;
    assert_eq!(printed["rows"][0]["object"]["kind"], "PartialObjectMetadata");
    let (status, body) = send(&server, &format!("{path}?includeObject=Everything"), TABLE).await;
    assert_eq!(status, 400);
    assert!(body.contains("must be 'Metadata', 'Object', 'None', or empty"), "{body}");
}

#[tokio::test]
async fn watches_tell_the_columns_once() {
    let server = ApiServer::default();
    let path = "/api/v1/namespaces?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&includeObject=None";
    let (_, body) = send(&server, path, TABLE).await;
    let events: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events[0]["object"]["columnDefinitions"].is_array());
    assert!(events[1..].iter().all(|event| event["object"]["columnDefinitions"].is_null()));
    let end = &events[4];
    assert_eq!(end["type"], "BOOKMARK");
    assert_eq!(end["object"]["rows"][0]["cells"], json!(["", "", "<unknown>"]));
    assert_eq!(end["object"]["rows"][0]["object"]["kind"], "PartialObjectMetadata");
}

#[tokio::test]
async fn registered_kinds_show_their_columns() {
    let registration = Registration::of::<ConfigMap>()
        .resource_name("settings")
        .column("Mode", "string", ".data.mode")
        .column("First", "integer", r#".rows[?(@.name=="b")].size"#)
        .column("Rows", "string", ".rows[*].name")
        .column("On", "boolean", ".data.mode");
    let server = ApiServer::builder().register(registration).build();
    let body = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a"},
        "data": {"mode": "fast"},
        "rows": [{"name": "a", "size": 1}, {"name": "b", "size": 2.7}],
    });
    let request = Request::post("/api/v1/namespaces/default/settings")
        .header("accept", TABLE)
        .body(Full::<Bytes>::from(body.to_string()))
        .unwrap();
    let response = server.service().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 201);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let printed: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(printed["rows"][0]["cells"], json!(["a", "fast", 2, "a", null]));
    let names: Vec<&str> = printed["columnDefinitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Name", "Mode", "First", "Rows", "On"]);
}
