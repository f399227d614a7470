//! Clients with habits: what is added to requests, what is sent again, who hears of warnings, and when requests have their turn.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::stream;
use http::{Method, StatusCode};
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::client::{
    Answered, Client, Deduplicated, DeleteParams, Error, IgnoreWarnings, ListParams, Patch, PatchParams,
    PostParams, RateLimit, RequestMetrics, ResourceClient, Tuning, ValidationDirective, Warning,
};
use serde_json::json;
use tokio::time::Instant;

use super::mock::Mock;

const MAP: &str = r#"{"metadata": {"name": "a", "namespace": "default"}}"#;

fn maps(client: Client) -> ResourceClient<ConfigMap> {
    ResourceClient::namespaced(client, "default")
}

fn map() -> ConfigMap {
    serde_json::from_str(MAP).unwrap()
}

#[tokio::test]
async fn writes_carry_the_options_that_they_do_not_name_themselves() {
    let mock = Mock::answering((0..6).map(|_| serde_json::from_str(MAP).unwrap()));
    let tuning = Tuning::new().dry_run().field_manager("my op").field_validation(ValidationDirective::Strict);
    let client = maps(mock.client()).tuned(tuning);
    client.create(&map()).await.unwrap();
    let own = PostParams { field_manager: Some("other".to_owned()), ..PostParams::default() };
    client.update_with(&own, &map()).await.unwrap();
    client.patch("a", &Patch::Merge(json!({}))).await.unwrap();
    client.patch_with("a", &PatchParams::apply("ssa"), &Patch::Apply(json!({}))).await.unwrap();
    client.get("a").await.unwrap();
    client.list_bytes(&ListParams::default().limit(1)).await.unwrap();
    let path = "/api/v1/namespaces/default/configmaps";
    assert_eq!(
        mock.lines(),
        [
            format!("POST {path}?dryRun=All&fieldManager=my%20op&fieldValidation=Strict"),
            format!("PUT {path}/a?&fieldManager=other&dryRun=All&fieldValidation=Strict"),
            format!("PATCH {path}/a?dryRun=All&fieldManager=my%20op&fieldValidation=Strict"),
            format!("PATCH {path}/a?&fieldManager=ssa&dryRun=All&fieldValidation=Strict"),
            format!("GET {path}/a"),
            format!("GET {path}?&limit=1"),
        ]
    );
}

/// A server reads the options of a delete from the body, if there is one.
#[tokio::test]
async fn a_dry_delete_says_so_in_its_body() {
    let mock =
        Mock::answering((0..2).map(|_| json!({"kind": "Status", "apiVersion": "v1", "status": "Success"})));
    let client = maps(mock.client()).tuned(Tuning::new().dry_run().field_manager("op"));
    client.delete_with("a", &DeleteParams::default().grace_period(7)).await.unwrap();
    client.delete_collection(&ListParams::default().labels("a=b")).await.unwrap();
    let seen = mock.seen();
    assert_eq!((&seen[0].body["dryRun"], &seen[0].body["gracePeriodSeconds"]), (&json!(["All"]), &json!(7)));
    assert_eq!(seen[1].body["dryRun"], json!(["All"]));
    assert!(seen.iter().all(|seen| !seen.line.contains("fieldManager")), "{seen:?}");
}

#[derive(Default)]
struct Counts(Mutex<Vec<String>>);

impl RequestMetrics for Counts {
    fn answered(&self, attempt: &Answered) {
        let code = attempt.code.map_or("none".to_owned(), |code| code.as_u16().to_string());
        self.0.lock().unwrap().push(format!("{} {code}", attempt.method));
    }
    fn retried(&self) {
        self.0.lock().unwrap().push("again".to_owned());
    }
}

#[tokio::test(start_paused = true)]
async fn the_servers_word_leads_to_another_attempt_and_nothing_else_does() {
    let mock = Mock::default();
    mock.answer(StatusCode::TOO_MANY_REQUESTS, &[("retry-after", "2")], "slow down");
    mock.answer(StatusCode::SERVICE_UNAVAILABLE, &[("retry-after", "3")], "");
    mock.answer(StatusCode::OK, &[], MAP);
    mock.answer(StatusCode::TOO_MANY_REQUESTS, &[], "a disruption budget");
    mock.answer(StatusCode::NOT_FOUND, &[("retry-after", "2")], "");
    let counts = Arc::new(Counts::default());
    let client = maps(mock.client()).tuned(Tuning::new().retries(10).metrics(Arc::clone(&counts)));
    let began = Instant::now();
    client.create(&map()).await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 5);
    assert!(
        mock.seen().iter().all(|seen| seen.body["metadata"]["name"] == "a"),
        "the body is sent each time"
    );
    let error = client.create(&map()).await.unwrap_err();
    assert!(matches!(error, Error::TooManyRequests { retry_after: None, .. }), "{error:?}");
    assert!(matches!(client.get("a").await.unwrap_err(), Error::NotFound(_)));
    assert_eq!(
        *counts.0.lock().unwrap(),
        ["POST 429", "again", "POST 503", "again", "POST 200", "POST 429", "GET 404"]
    );
}

#[tokio::test(start_paused = true)]
async fn attempts_come_to_an_end() {
    let mock = Mock::default();
    for _ in 0..3 {
        mock.answer(StatusCode::INTERNAL_SERVER_ERROR, &[("retry-after", "1")], "no");
    }
    let error = maps(mock.client()).tuned(Tuning::new().retries(2)).get("a").await.unwrap_err();
    assert_eq!((error.retry_after(), mock.seen().len()), (Some(Duration::from_secs(1)), 3));
}

/// A client whose server breaks the first connections.
fn breaking(times: usize) -> (Client, Arc<Mutex<Vec<Method>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let service = tower::service_fn(move |request: http::Request<kube::client::Body>| {
        let mut log = log.lock().unwrap();
        log.push(request.method().clone());
        let answer = if log.len() <= times {
            Err(io::Error::from(io::ErrorKind::ConnectionReset))
        } else {
            Ok(http::Response::new(http_body_util::Full::new(bytes::Bytes::from_static(MAP.as_bytes()))))
        };
        async move { answer }
    });
    (Client::new(service, "default"), seen)
}

#[tokio::test(start_paused = true)]
async fn a_read_survives_a_broken_connection_and_a_write_is_not_repeated() {
    let (client, seen) = breaking(2);
    maps(client).tuned(Tuning::new().retries(10)).get("a").await.unwrap();
    assert_eq!(seen.lock().unwrap().len(), 3);
    let (client, seen) = breaking(2);
    let error = maps(client).tuned(Tuning::new().retries(10)).create(&map()).await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)), "{error:?}");
    assert_eq!(*seen.lock().unwrap(), [Method::POST]);
}

#[tokio::test(start_paused = true)]
async fn requests_wait_for_their_turn_and_watches_do_not() {
    let mock = Mock::answering((0..8).map(|_| serde_json::from_str(MAP).unwrap()));
    for _ in 0..3 {
        mock.answer_with(StatusCode::OK, &[], stream::pending());
    }
    let client = maps(mock.client()).tuned(Tuning::new().rate_limit(RateLimit::per_second(2.0).burst(3)));
    let began = Instant::now();
    let mut times = Vec::new();
    for _ in 0..6 {
        client.get("a").await.unwrap();
        times.push(began.elapsed().as_millis());
    }
    assert_eq!(times, [0, 0, 0, 500, 1000, 1500]);
    tokio::time::sleep(Duration::from_secs(60)).await;
    let (began, other) = (Instant::now(), client.clone());
    client.get("a").await.unwrap();
    other.get("a").await.unwrap();
    for _ in 0..3 {
        client.watch().await.unwrap();
    }
    assert_eq!(began.elapsed().as_millis(), 0, "a quiet minute saves up a burst and no more");
}

#[test]
fn odd_rates_are_survived() {
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
        let limit = RateLimit::per_second(rate);
        assert!(!format!("{limit:?}").contains("period: 0ns"), "{rate}: {limit:?}");
    }
}

#[tokio::test]
async fn warnings_reach_their_handler_once() {
    let mock = Mock::default();
    let header = r#"299 - "v1beta1 is \"old\", use v1", 110 cache "stale" , 299 agent "unknown field \"spec.x\"" "Mon, 30 Nov 2026""#;
    for _ in 0..3 {
        mock.answer(
            StatusCode::OK,
            &[("warning", header), ("warning", "299 - broken"), ("warning", "299 - \"third\"")],
            MAP,
        );
    }
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let note =
        move |warning: &Warning| told.lock().unwrap().push(format!("{}: {}", warning.agent, warning.text));
    let client = maps(mock.client()).tuned(Tuning::new().warnings(Deduplicated::new(note)));
    client.get("a").await.unwrap();
    client.get("a").await.unwrap();
    assert_eq!(
        *heard.lock().unwrap(),
        [r#"-: v1beta1 is "old", use v1"#, r#"agent: unknown field "spec.x""#, "-: third"]
    );
    // Nobody else hears of it either: the outer client finds it said already.
    maps(mock.client()).tuned(Tuning::new().warnings(IgnoreWarnings)).get("a").await.unwrap();
}
