//! Webhooks that are answered in this process.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use super::{Client, GROUP, MAPS, map, merge};

const URL: &str = "https://hooks.test/review";

/// A configuration with one webhook about config maps.
fn configuration(name: &str, hook: Value) -> Value {
    let mut whole = json!({
        "name": format!("{name}.example.com"),
        "clientConfig": {"url": URL},
        "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}],
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
    });
    merge(&mut whole, hook);
    json!({"metadata": {"name": name}, "webhooks": [whole]})
}

async fn validating(client: &Client, hook: Value) {
    let path = format!("{GROUP}/validatingwebhookconfigurations");
    client.make(&path, &configuration("hook", hook)).await;
}

async fn mutating(client: &Client, name: &str, hook: Value) {
    client.make(&format!("{GROUP}/mutatingwebhookconfigurations"), &configuration(name, hook)).await;
}

/// An answer with the name of its question.
fn answer(review: &Value, mut response: Value) -> Value {
    response["uid"] = review["request"]["uid"].clone();
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response})
}

fn patch(operations: &Value) -> Value {
    json!({"allowed": true, "patchType": "JSONPatch", "patch": STANDARD.encode(operations.to_string())})
}

/// A server that answers every review so, and what it was asked.
fn asked(respond: impl Fn(&Value) -> Value + Send + Sync + 'static) -> (Client, Arc<Mutex<Vec<Value>>>) {
    let server = ApiServer::builder().seed(1).build();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let respond = Arc::new(respond);
    server.webhook(URL, move |review| {
        notes.lock().unwrap().push(review.clone());
        let respond = Arc::clone(&respond);
        async move { respond(&review) }
    });
    (Client::of(&server), seen)
}

#[tokio::test]
async fn a_validating_webhook_is_told_everything_and_may_refuse() {
    let (client, seen) = asked(|review| {
        let bad = review["request"]["object"]["data"]["a"] == "bad";
        answer(
            review,
            json!({"allowed": !bad, "warnings": ["careful", ""], "status": {"message": "no way", "code": 418, "reason": "Teapot"}}),
        )
    });
    validating(&client, json!({})).await;
    let made = client.post(&format!("{MAPS}?fieldManager=me"), &map("m", json!({"a": "b"}))).await;
    assert_eq!((made.code, made.warnings.as_slice()), (201, ["299 - \"careful\"".to_owned()].as_slice()));
    let review = seen.lock().unwrap().pop().unwrap();
    let request = &review["request"];
    assert_eq!(
        (review["apiVersion"].as_str(), review["kind"].as_str()),
        (Some("admission.k8s.io/v1"), Some("AdmissionReview"))
    );
    assert_eq!(request["requestKind"], json!({"group": "", "version": "v1", "kind": "ConfigMap"}));
    assert_eq!(
        (&request["name"], &request["namespace"], &request["operation"]),
        (&json!("m"), &json!("default"), &json!("CREATE"))
    );
    assert_eq!((&request["oldObject"], &request["dryRun"]), (&Value::Null, &json!(false)));
    assert_eq!(
        request["options"],
        json!({"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1", "fieldManager": "me"})
    );
    // What was reviewed is what is stored.
    assert_eq!(request["object"]["metadata"]["uid"], made.body["metadata"]["uid"]);

    let refused = client.post(MAPS, &map("n", json!({"a": "bad"}))).await;
    let message = "admission webhook \"hook.example.com\" denied the request: no way";
    assert_eq!(
        (refused.code, refused.message(), refused.body["reason"].as_str()),
        (418, message, Some("Teapot"))
    );
    assert_eq!(client.send(Method::GET, &format!("{MAPS}/n"), &Value::Null).await.code, 404);
}

#[tokio::test]
async fn deletes_are_asked_about_too_each_of_a_collection() {
    let (client, seen) = asked(|review| {
        let keep = review["request"]["operation"] == "DELETE" && review["request"]["name"] == "b";
        answer(review, json!({"allowed": !keep}))
    });
    validating(&client, json!({})).await;
    for name in ["a", "b", "c"] {
        client.make(MAPS, &map(name, Value::Null)).await;
    }
    let refused = client.send(Method::DELETE, MAPS, &Value::Null).await;
    assert_eq!(
        (refused.code, refused.message()),
        (400, "admission webhook \"hook.example.com\" denied the request without explanation")
    );
    let left = client.send(Method::GET, MAPS, &Value::Null).await;
    let names: Vec<_> = left.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["metadata"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["b", "c"]);
    let last = seen.lock().unwrap().pop().unwrap();
    assert_eq!(
        (&last["request"]["object"], &last["request"]["oldObject"]["metadata"]["name"]),
        (&Value::Null, &json!("b"))
    );
}

#[tokio::test]
async fn a_mutating_webhook_changes_what_has_no_name_yet() {
    let (client, seen) = asked(|review| {
        answer(review, patch(&json!([{"op": "add", "path": "/metadata/labels", "value": {"h": "1"}}])))
    });
    mutating(&client, "hook", json!({})).await;
    let made = client.make(MAPS, &json!({"metadata": {"generateName": "g-"}, "data": {"a": "b"}})).await;
    assert_eq!(made["metadata"]["labels"], json!({"h": "1"}));
    assert_eq!(made["metadata"]["managedFields"].as_array().unwrap().len(), 1);
    let object = seen.lock().unwrap()[0]["request"]["object"].clone();
    assert_eq!((&object["metadata"]["uid"], &object["metadata"]["name"]), (&Value::Null, &Value::Null));

    let path = format!("{MAPS}/{}", made["metadata"]["name"].as_str().unwrap());
    let refused = client.send(Method::DELETE, &path, &Value::Null).await;
    let why = "Internal error occurred: admission webhook \"hook.example.com\" attempted to modify the object, which is not supported for \
               this operation";
    assert_eq!((refused.code, refused.message()), (500, why));
}

#[tokio::test]
async fn webhooks_stand_in_order_and_may_be_asked_again() {
    let server = ApiServer::new();
    let count = Arc::new(AtomicUsize::new(0));
    let calls = Arc::clone(&count);
    server.webhook("https://hooks.test/first", move |review| {
        calls.fetch_add(1, Ordering::Relaxed);
        let seen = review["request"]["object"]["data"]["second"].clone();
        async move {
            answer(
                &review,
                patch(&json!([{"op": "add", "path": "/data/first", "value": format!("saw {seen}")}])),
            )
        }
    });
    server.webhook("https://hooks.test/second", |review| async move {
        answer(&review, patch(&json!([{"op": "add", "path": "/data/second", "value": "1"}])))
    });
    let client = Client::of(&server);
    let first =
        json!({"clientConfig": {"url": "https://hooks.test/first"}, "reinvocationPolicy": "IfNeeded"});
    mutating(&client, "a", first).await;
    mutating(&client, "b", json!({"clientConfig": {"url": "https://hooks.test/second"}})).await;
    let made = client.make(MAPS, &map("m", json!({"x": "y"}))).await;
    assert_eq!(made["data"], json!({"x": "y", "first": "saw \"1\"", "second": "1"}));
    assert_eq!(count.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn answers_that_are_none_fail_the_write_or_are_ignored() {
    type Respond = fn(&Value) -> Value;
    let cases: [(Respond, &str); 6] = [
        (
            |_| json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}),
            "received invalid webhook response: webhook response was absent",
        ),
        (
            |review| json!({"response": {"uid": review["request"]["uid"], "allowed": true}}),
            "received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=",
        ),
        (
            |review| json!({"apiVersion": "admission.k8s.io/v1beta1", "kind": "AdmissionReview", "response": {"uid": review["request"]["uid"]}}),
            "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
        ),
        (
            |_| json!("hello"),
            "failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct \
             { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }",
        ),
        (
            |review| answer(review, json!({"allowed": true, "patch": STANDARD.encode("[]")})),
            "received invalid webhook response: webhook returned response.patch but not response.patchType",
        ),
        (
            |review| {
                answer(
                    review,
                    json!({"allowed": true, "patchType": "JSONPatch", "patch": STANDARD.encode("junk")}),
                )
            },
            "received undecodable patch in webhook response: invalid character 'j' looking for beginning of value",
        ),
    ];
    for (respond, why) in cases {
        let (client, _) = asked(respond);
        mutating(&client, "hook", json!({})).await;
        let refused = client.post(MAPS, &map("m", Value::Null)).await;
        let message = format!("Internal error occurred: failed calling webhook \"hook.example.com\": {why}");
        assert_eq!((refused.code, refused.message()), (500, message.as_str()));
        let (client, _) = asked(respond);
        mutating(&client, "hook", json!({"failurePolicy": "Ignore"})).await;
        assert_eq!(client.post(MAPS, &map("m", Value::Null)).await.code, 201);
    }
}

#[tokio::test]
async fn patches_that_do_not_apply_are_internal_errors() {
    let cases = [
        (
            json!([{"op": "replace", "path": "/nope/x", "value": 1}]),
            "replace operation does not apply: doc is missing path: /nope/x: missing value",
        ),
        (
            json!([{"op": "test", "path": "/metadata/name", "value": "zz"}]),
            "testing value /metadata/name failed: test failed",
        ),
    ];
    for (operations, why) in cases {
        let (client, _) = asked(move |review| answer(review, patch(&operations)));
        mutating(&client, "hook", json!({})).await;
        let refused = client.post(MAPS, &map("m", Value::Null)).await;
        assert_eq!(refused.message(), format!("Internal error occurred: {why}"));
    }
    // What nobody knows is dropped.
    let (client, _) =
        asked(|review| answer(review, patch(&json!([{"op": "add", "path": "/foo", "value": 1}]))));
    mutating(&client, "hook", json!({})).await;
    assert_eq!(client.make(MAPS, &map("m", Value::Null)).await.get("foo"), None);
}

#[tokio::test]
async fn conditions_decide_whether_a_webhook_is_asked() {
    let (client, seen) = asked(|review| answer(review, json!({"allowed": false})));
    validating(&client, json!({"matchConditions": [{"name": "c", "expression": "object.data.x == 'y'"}]}))
        .await;
    assert_eq!(client.post(MAPS, &map("a", json!({"x": "z"}))).await.code, 201);
    assert_eq!(client.post(MAPS, &map("b", json!({"x": "y"}))).await.code, 400);
    let failed = client.post(MAPS, &map("c", Value::Null)).await;
    let why = "configmaps \"c\" is forbidden: expression 'object.data.x == 'y'' resulted in error: no such key: data";
    assert_eq!((failed.code, failed.message()), (403, why));
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn services_lead_to_handlers_of_their_address_or_nowhere() {
    let server = ApiServer::new();
    let client = Client::of(&server);
    let service = json!({"clientConfig": {"service": {"name": "s", "namespace": "default", "path": "/x"}}});
    validating(&client, service).await;
    let refused = client.post(MAPS, &map("m", Value::Null)).await;
    let why = "Internal error occurred: failed calling webhook \"hook.example.com\": failed to call webhook: Post \
               \"https://s.default.svc:443/x?timeout=10s\": service \"s\" not found";
    assert_eq!(refused.message(), why);
    server.webhook(
        "https://s.default.svc/x",
        |review| async move { answer(&review, json!({"allowed": true})) },
    );
    assert_eq!(client.post(MAPS, &map("m", Value::Null)).await.code, 201);
}

#[tokio::test(start_paused = true)]
async fn a_webhook_that_takes_too_long_is_given_up() {
    let server = ApiServer::new();
    server.webhook(URL, |_| std::future::pending());
    let client = Client::of(&server);
    validating(&client, json!({"timeoutSeconds": 1})).await;
    let refused = client.post(MAPS, &map("m", Value::Null)).await;
    let why =
        "failed to call webhook: Post \"https://hooks.test/review?timeout=1s\": context deadline exceeded";
    assert!(refused.message().ends_with(why), "{refused:?}");
}

#[tokio::test]
async fn a_webhook_may_use_the_server_that_asks_it() {
    let server = ApiServer::new();
    let inner = Client::of(&server);
    let inner = Arc::new(inner);
    server.webhook(URL, move |review| {
        let inner = Arc::clone(&inner);
        async move {
            let name = review["request"]["name"].as_str().unwrap_or_default().to_owned();
            let secret = json!({"metadata": {"name": name}});
            inner.make("/api/v1/namespaces/default/secrets", &secret).await;
            answer(&review, json!({"allowed": true}))
        }
    });
    let client = Client::of(&server);
    validating(&client, json!({})).await;
    client.make(MAPS, &map("m", Value::Null)).await;
    let made = client.send(Method::GET, "/api/v1/namespaces/default/secrets/m", &Value::Null).await;
    assert_eq!(made.code, 200);
}
