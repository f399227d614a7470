//! Kinds whose versions a webhook in this process converts: what it is asked, and what becomes of its answers.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::StreamExt as _;
use http::Method;
use kube::{
    Api,
    api::{ApiResource, DynamicObject, WatchEvent, WatchParams},
};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, ask};

const URL: &str = "https://versions.test/convert";
const OLD: &str = "/apis/example.com/v1/namespaces/default/hosts";
const NEW: &str = "/apis/example.com/v2/namespaces/default/hosts";

/// `v1` has a host and a port, `v2` both in one text.
fn hosts(storage: &str) -> Value {
    let text = json!({"type": "string"});
    let version = |name: &str, fields: Value| {
        let mut spec = json!({"type": "object", "properties": fields});
        spec["properties"]["replicas"] = json!({"type": "integer"});
        let status = json!({"type": "object", "properties": {"phase": text}});
        json!({
            "name": name, "served": true, "storage": name == storage,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": status}}},
            "subresources": {"status": {}, "scale": {
                "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
            }},
        })
    };
    json!({"metadata": {"name": "hosts.example.com"}, "spec": {
        "group": "example.com", "scope": "Namespaced", "names": {"plural": "hosts", "kind": "Host"},
        "versions": [
            version("v1", json!({"host": text, "port": text})),
            version("v2", json!({"address": text, "kept": {"type": "string", "default": "yes"}})),
        ],
        "conversion": {"strategy": "Webhook", "webhook": {
            "conversionReviewVersions": ["v1"], "clientConfig": {"url": URL},
        }},
    }})
}

fn host(name: &str, version: &str, spec: &Value) -> Value {
    json!({"apiVersion": format!("example.com/{version}"), "kind": "Host", "metadata": {"name": name}, "spec": spec})
}

/// An object in the other version.
fn turned(object: &Value, desired: &str) -> Value {
    let mut object = object.clone();
    let spec = object["spec"].as_object_mut().unwrap();
    let take = |spec: &mut serde_json::Map<String, Value>, name: &str| match spec.remove(name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    if desired == "example.com/v2" {
        let address = format!("{}:{}", take(spec, "host"), take(spec, "port"));
        spec.insert("address".to_owned(), address.into());
    } else {
        let address = take(spec, "address");
        let (host, port) = address.split_once(':').unwrap_or((&address, ""));
        spec.remove("kept");
        spec.insert("host".to_owned(), host.into());
        spec.insert("port".to_owned(), port.into());
    }
    object["apiVersion"] = desired.into();
    object
}

/// A right answer.
fn answer(review: &Value) -> Value {
    let request = &review["request"];
    let desired = request["desiredAPIVersion"].as_str().unwrap();
    let objects: Vec<Value> =
        request["objects"].as_array().unwrap().iter().map(|object| turned(object, desired)).collect();
    json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": {
        "uid": request["uid"], "result": {"status": "Success"}, "convertedObjects": objects,
    }})
}

/// What the webhook was asked.
type Asked = Arc<Mutex<Vec<Value>>>;

/// A server with the kind, whose webhook's answers `spoil` may change.
async fn server(
    storage: &str,
    spoil: impl Fn(&mut Value) + Send + Sync + Copy + 'static,
) -> (ApiServer, Asked) {
    let server = ApiServer::builder().seed(7).build();
    let asked = Asked::default();
    let notes = Arc::clone(&asked);
    server.webhook(URL, move |review| {
        notes.lock().unwrap().push(review.clone());
        let mut answer = answer(&review);
        spoil(&mut answer);
        async move { answer }
    });
    let made = ask(&server, Method::POST, DEFINITIONS, &hosts(storage)).await;
    assert_eq!(made.code, 201, "{:?}", made.body);
    (server, asked)
}

async fn make(server: &ApiServer, path: &str, object: &Value) -> Value {
    let made = ask(server, Method::POST, path, object).await;
    assert_eq!(made.code, 201, "{:?}", made.body);
    made.body
}

async fn get(server: &ApiServer, path: &str) -> Value {
    let found = ask(server, Method::GET, path, &Value::Null).await;
    assert_eq!(found.code, 200, "{:?}", found.body);
    found.body
}

#[tokio::test]
async fn objects_are_written_and_read_in_every_version() {
    let (server, asked) = server("v1", |_| {}).await;
    make(&server, OLD, &host("a", "v1", &json!({"host": "h", "port": "1"}))).await;
    assert!(asked.lock().unwrap().is_empty());
    let new = get(&server, &format!("{NEW}/a")).await;
    assert_eq!((&new["apiVersion"], &new["spec"]), (&json!("example.com/v2"), &json!({"address": "h:1"})));
    {
        let asked = asked.lock().unwrap();
        let request = &asked[0]["request"];
        assert_eq!((asked.len(), request["objects"].as_array().unwrap().len()), (1, 1));
        assert_eq!(request["desiredAPIVersion"], "example.com/v2");
        assert_eq!(request["objects"][0]["metadata"]["resourceVersion"], Value::Null);
    }
    let made = make(&server, NEW, &host("b", "v2", &json!({"address": "i:2", "replicas": 3}))).await;
    // What is shown has been stored: there is no place for the default in the other version.
    assert_eq!(made["spec"], json!({"address": "i:2", "replicas": 3}));
    let stored = get(&server, &format!("{OLD}/b")).await;
    assert_eq!(stored["spec"], json!({"host": "i", "port": "2", "replicas": 3}));

    let patched =
        ask(&server, Method::PATCH, &format!("{NEW}/b"), &json!({"spec": {"address": "k:4"}})).await;
    assert_eq!((patched.code, &patched.body["spec"]["address"]), (200, &json!("k:4")));
    assert_eq!(get(&server, &format!("{OLD}/b")).await["spec"]["host"], "k");
    let status = json!({"status": {"phase": "Up"}});
    let patched = ask(&server, Method::PATCH, &format!("{NEW}/b/status"), &status).await;
    assert_eq!((patched.code, &patched.body["status"]["phase"]), (200, &json!("Up")));
    let scaled = json!({"spec": {"replicas": 5}});
    let scaled = ask(&server, Method::PATCH, &format!("{NEW}/b/scale"), &scaled).await;
    assert_eq!((scaled.code, &scaled.body["spec"]["replicas"]), (200, &json!(5)));
    let whole = get(&server, &format!("{OLD}/b")).await;
    assert_eq!((&whole["spec"]["port"], &whole["spec"]["replicas"]), (&json!("4"), &json!(5)));
    let dry = format!("{NEW}/b?dryRun=All");
    let dry = ask(&server, Method::PATCH, &dry, &json!({"spec": {"address": "z:9"}})).await;
    assert_eq!(dry.body["spec"]["address"], "z:9");
    assert_eq!(get(&server, &format!("{OLD}/b")).await["spec"]["host"], "k");
    let gone = ask(&server, Method::DELETE, &format!("{NEW}/b"), &Value::Null).await;
    assert_eq!((gone.code, &gone.body["status"]), (200, &json!("Success")));
    assert_eq!(ask(&server, Method::GET, &format!("{OLD}/b"), &Value::Null).await.code, 404);
}

#[tokio::test]
async fn a_list_is_converted_object_by_object_and_remembered() {
    let (server, asked) = server("v1", |_| {}).await;
    for name in ["a", "b", "c"] {
        make(&server, OLD, &host(name, "v1", &json!({"host": name, "port": "1"}))).await;
    }
    for _ in 0..2 {
        let list = get(&server, NEW).await;
        let addresses: Vec<_> =
            list["items"].as_array().unwrap().iter().map(|item| item["spec"]["address"].clone()).collect();
        assert_eq!(addresses, ["a:1", "b:1", "c:1"]);
    }
    {
        let asked = asked.lock().unwrap();
        let objects: Vec<_> =
            asked.iter().map(|review| review["request"]["objects"].as_array().unwrap().len()).collect();
        assert_eq!(objects, [1, 1, 1]);
    }
    // What is read by its name is asked for each time.
    get(&server, &format!("{NEW}/a")).await;
    get(&server, &format!("{NEW}/a")).await;
    assert_eq!(asked.lock().unwrap().len(), 5);
}

#[tokio::test]
async fn a_watch_shows_what_is_written_in_another_version() {
    let (server, _) = server("v1", |_| {}).await;
    make(&server, OLD, &host("a", "v1", &json!({"host": "h", "port": "1"}))).await;
    let resource = ApiResource {
        group: "example.com".into(),
        version: "v2".into(),
        api_version: "example.com/v2".into(),
        kind: "Host".into(),
        plural: "hosts".into(),
    };
    let hosts: Api<DynamicObject> = Api::namespaced_with(server.client(), "default", &resource);
    let mut events = hosts.watch(&WatchParams::default(), "0").await.unwrap().boxed();
    let mut next = async || loop {
        let event = tokio::time::timeout(Duration::from_secs(20), events.next()).await.unwrap().unwrap();
        let (change, object) = match event.unwrap() {
            WatchEvent::Added(object) => ("added", object),
            WatchEvent::Modified(object) => ("modified", object),
            WatchEvent::Deleted(object) => ("deleted", object),
            WatchEvent::Bookmark(_) => continue,
            WatchEvent::Error(error) => return format!("{error:?}"),
        };
        return format!("{change} {}", object.data["spec"]["address"]);
    };
    assert_eq!(next().await, "added \"h:1\"");
    ask(&server, Method::PATCH, &format!("{OLD}/a"), &json!({"spec": {"port": "2"}})).await;
    assert_eq!(next().await, "modified \"h:2\"");
    ask(&server, Method::DELETE, &format!("{OLD}/a"), &Value::Null).await;
    assert_eq!(next().await, "deleted \"h:2\"");
}

#[tokio::test]
async fn labels_and_annotations_are_all_that_a_webhook_may_change_of_metadata() {
    let (server, _) = server("v1", |answer| {
        for object in answer["response"]["convertedObjects"].as_array_mut().unwrap() {
            object["metadata"]["labels"] = json!({"via": "webhook"});
            object["metadata"]["finalizers"] = json!(["example.com/held"]);
            object["metadata"]["generation"] = 99.into();
        }
    })
    .await;
    make(&server, OLD, &host("a", "v1", &json!({"host": "h"}))).await;
    let metadata = &get(&server, &format!("{NEW}/a")).await["metadata"];
    assert_eq!(metadata["labels"], json!({"via": "webhook"}));
    assert_eq!((&metadata["finalizers"], &metadata["generation"]), (&Value::Null, &json!(1)));
}

/// How an answer is spoilt, and what is said of the conversion of `example.com/v1`.
type Case = (fn(&mut Value), &'static str);

const WRONG: &[Case] = &[
    (|answer| answer["response"]["result"] = json!({"status": "Failed", "message": "no"}), " failed: no"),
    (
        |answer| answer["response"]["result"] = json!({"status": "Failed"}),
        " failed: response.result.status was 'Failed', not 'Success'",
    ),
    (|answer| answer["response"] = Value::Null, " failed: no response provided"),
    (|answer| answer["response"]["convertedObjects"] = json!([]), " returned 0 objects, expected 1"),
    (
        |answer| answer["response"]["convertedObjects"][0]["apiVersion"] = "x/v9".into(),
        " returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received x/v9)",
    ),
    (
        |answer| answer["response"]["convertedObjects"][0]["kind"] = "Nope".into(),
        " returned invalid object at index 0: invalid kind (expected Host, received Nope)",
    ),
    (
        |answer| answer["response"]["convertedObjects"][0]["metadata"]["name"] = "other".into(),
        " returned invalid object: must have the same name: a != other",
    ),
    (
        |answer| answer["response"]["convertedObjects"][0]["metadata"]["labels"] = json!({"a": 5}),
        " returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
    ),
    (
        |answer| answer["apiVersion"] = "apiextensions.k8s.io/v1beta1".into(),
        " failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
    ),
    (
        |answer| *answer = json!([1]),
        " failed: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion \
         string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }",
    ),
];

#[tokio::test]
async fn a_wrong_answer_is_told_and_nothing_is_stored() {
    for (spoil, why) in WRONG {
        let (server, _) = server("v1", *spoil).await;
        make(&server, OLD, &host("a", "v1", &json!({"host": "h"}))).await;
        let version = server.resource_version();
        let why = format!("conversion webhook for example.com/v1, Kind=Host{why}");
        let undecodable = format!("object not decodable revision={version}: {why}");
        let corrupt = |key: &str| {
            format!(
                "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {undecodable}"
            )
        };
        for method in [Method::GET, Method::DELETE] {
            let refused = ask(&server, method, &format!("{NEW}/a"), &Value::Null).await;
            let wanted = format!("Internal error occurred: {}", corrupt("/example.com/hosts/default/a"));
            assert_eq!((refused.code, refused.body["message"].as_str()), (500, Some(wanted.as_str())));
        }
        let refused = ask(&server, Method::GET, NEW, &Value::Null).await;
        let all = corrupt("/registry/example.com/hosts/default/a");
        let wanted = format!("failed to read one or more hosts.example.com from the storage: {all}");
        assert_eq!(refused.body["message"].as_str(), Some(wanted.as_str()));
        assert_eq!(refused.body["reason"], "StorageReadError");
        let refused = ask(&server, Method::PATCH, &format!("{NEW}/a"), &json!({"spec": {}})).await;
        assert_eq!((refused.code, refused.body["message"].as_str()), (500, Some(undecodable.as_str())));
        let refused = ask(&server, Method::POST, NEW, &host("b", "v2", &json!({"address": "i:2"}))).await;
        let message = refused.body["message"].as_str().unwrap();
        assert!(
            refused.code == 500 && message.starts_with("conversion webhook for example.com/v2, "),
            "{message}"
        );
        assert_eq!(server.resource_version(), version, "{why}");
        get(&server, &format!("{OLD}/a")).await;
    }
}

#[tokio::test]
async fn a_service_leads_nowhere_unless_it_is_answered_here() {
    let (server, _) = server("v1", |_| {}).await;
    make(&server, OLD, &host("a", "v1", &json!({"host": "h"}))).await;
    let service = json!({"spec": {"conversion": {"webhook": {"clientConfig": {
        "url": null, "service": {"namespace": "default", "name": "versions", "path": "/convert"},
    }}}}});
    let changed = ask(&server, Method::PATCH, &format!("{DEFINITIONS}/hosts.example.com"), &service).await;
    assert_eq!(changed.code, 200, "{:?}", changed.body);
    let refused = ask(&server, Method::GET, &format!("{NEW}/a"), &Value::Null).await;
    let message = refused.body["message"].as_str().unwrap();
    let why = "failed: Post \"https://versions.default.svc:443/convert?timeout=30s\": service \"versions\" not found";
    assert!(message.ends_with(why), "{message}");
    server.webhook("https://versions.default.svc/convert", |review| async move { answer(&review) });
    assert_eq!(get(&server, &format!("{NEW}/a")).await["spec"]["address"], "h:");
}

#[tokio::test]
async fn owners_keep_their_fields_in_the_version_in_which_they_wrote_them() {
    let (server, _) = server("v1", |_| {}).await;
    let spec = json!({"host": "h", "port": "1", "replicas": 1});
    make(&server, &format!("{OLD}?fieldManager=old"), &host("a", "v1", &spec)).await;
    let change = json!({"spec": {"address": "i:1"}});
    let patched = ask(&server, Method::PATCH, &format!("{NEW}/a?fieldManager=new"), &change).await;
    let owners = patched.body["metadata"]["managedFields"].as_array().unwrap().clone();
    let of = |manager: &str| {
        let entry = owners.iter().find(|entry| entry["manager"] == manager).unwrap();
        (entry["apiVersion"].clone(), entry["fieldsV1"]["f:spec"].clone())
    };
    assert_eq!(of("old"), (json!("example.com/v1"), json!({".": {}, "f:port": {}, "f:replicas": {}})));
    assert_eq!(of("new").0, json!("example.com/v2"));
    assert_eq!(of("new").1["f:address"], json!({}));
}

#[tokio::test]
async fn the_stored_version_may_change() {
    let (server, asked) = server("v1", |_| {}).await;
    make(&server, OLD, &host("a", "v1", &json!({"host": "h", "port": "1"}))).await;
    let path = format!("{DEFINITIONS}/hosts.example.com");
    let mut definition = get(&server, &path).await;
    for version in definition["spec"]["versions"].as_array_mut().unwrap() {
        version["storage"] = (version["name"] == "v2").into();
    }
    let changed = ask(&server, Method::PUT, &path, &definition).await;
    assert_eq!(changed.body["status"]["storedVersions"], json!(["v1", "v2"]), "{:?}", changed.body);
    assert_eq!(get(&server, &format!("{OLD}/a")).await["spec"]["host"], "h");
    assert!(asked.lock().unwrap().is_empty());
    let patched = ask(&server, Method::PATCH, &format!("{OLD}/a"), &json!({"spec": {"port": "2"}})).await;
    assert_eq!(patched.body["spec"], json!({"host": "h", "port": "2"}));
    // From now on it is the other version that has to be asked for.
    asked.lock().unwrap().clear();
    assert_eq!(get(&server, &format!("{NEW}/a")).await["spec"], json!({"address": "h:2", "kept": "yes"}));
    assert!(asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_the_server_does_by_itself_needs_no_webhook() {
    let (server, asked) = server("v1", |_| {}).await;
    let mut held = host("a", "v1", &json!({"host": "h", "port": "1"}));
    held["metadata"]["finalizers"] = json!(["example.com/held"]);
    make(&server, OLD, &held).await;
    make(&server, OLD, &host("b", "v1", &json!({"host": "i"}))).await;
    let path = format!("{DEFINITIONS}/hosts.example.com");
    assert_eq!(ask(&server, Method::DELETE, &path, &Value::Null).await.code, 200);
    let left = get(&server, &format!("{OLD}/a")).await;
    assert!(left["metadata"]["deletionTimestamp"].is_string());
    assert_eq!(left["spec"], json!({"host": "h", "port": "1"}));
    assert_eq!(ask(&server, Method::GET, &format!("{OLD}/b"), &Value::Null).await.code, 404);
    assert!(asked.lock().unwrap().is_empty());
}
