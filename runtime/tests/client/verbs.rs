//! Method, path, query and body of every verb.

use std::future::Future;

use futures::future::BoxFuture;
use k8s_openapi::{
    api::{
        autoscaling::v1::Scale,
        core::v1::{ConfigMap, Node},
        policy::v1::Eviction,
    },
    apimachinery::pkg::apis::meta::v1::Status as EvictionResult,
};
use kube_codegen_runtime::{
    client::{
        DeleteParams, Deleted, GetParams, ListParams, Patch, PatchParams, PostParams, Preconditions,
        ResourceClient, Result, WatchParams,
    },
    object::{ObjectList, ObjectMeta},
};
use serde_json::{Value, json};

use crate::mock::{Mock, Seen};

type ConfigMaps = ResourceClient<ConfigMap>;

const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";

fn settings() -> ConfigMap {
    let metadata = ObjectMeta { name: Some("settings".into()), ..ObjectMeta::default() };
    ConfigMap { metadata, ..ConfigMap::default() }
}

fn settings_json() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}})
}

fn list_json() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMapList", "metadata": {"resourceVersion": "7"}, "items": [settings_json()]})
}

/// Sends one request and gives what the server saw of it.
async fn sent<T, F>(answer: Value, send: impl FnOnce(ConfigMaps) -> F) -> (Seen, T)
where
    F: Future<Output = Result<T>>,
{
    let mock = Mock::answering([answer]);
    let result = send(ConfigMaps::namespaced(mock.client(), "default")).await.unwrap();
    (mock.only(), result)
}

#[track_caller]
fn assert_seen(seen: &Seen, line: &str, content_type: &str, body: &Value) {
    let method = line.split(' ').next().unwrap();
    let line = line.replacen(method, &format!("{method} /api/v1/namespaces/default/configmaps"), 1).replacen(
        "configmaps ",
        "configmaps",
        1,
    );
    // An empty query may keep its question mark.
    assert_eq!(seen.line.trim_end_matches('?').replace("?&", "?"), line);
    assert_eq!((seen.content_type.as_str(), &seen.body), (content_type, body));
}

/// One row: a verb, what it must send, and the answer it gets, which it must give back.
struct Row {
    call: fn(ConfigMaps) -> BoxFuture<'static, Result<ConfigMap>>,
    line: &'static str,
    content_type: &'static str,
    body: Value,
}

macro_rules! row {
    ($line:literal, $content_type:expr, $body:expr, $client:ident => $call:expr) => {
        Row {
            call: |$client| Box::pin(async move { $call.await }),
            line: $line,
            content_type: $content_type,
            body: $body,
        }
    };
}

fn posting() -> PostParams {
    PostParams { dry_run: true, field_manager: Some("me".into()) }
}

#[tokio::test]
async fn verbs_that_answer_with_the_object() {
    let patch = json!({"data": {"a": "b"}});
    let rows = [
        row!("POST ", JSON, settings_json(), c => c.create(&settings())),
        row!("POST ?dryRun=All&fieldManager=me", JSON, settings_json(), c => c.create_with(&posting(), &settings())),
        row!("PUT /settings", JSON, settings_json(), c => c.update(&settings())),
        row!("PUT /settings?dryRun=All&fieldManager=me", JSON, settings_json(),
            c => c.update_with(&posting(), &settings())),
        row!("PUT /settings/status", JSON, settings_json(), c => c.update_status(&settings())),
        row!("PUT /settings/status?dryRun=All&fieldManager=me", JSON, settings_json(),
            c => c.update_status_with(&posting(), &settings())),
        row!("GET /settings", "", Value::Null, c => c.get("settings")),
        row!("GET /settings?resourceVersion=7", "", Value::Null, c => c.get_with("settings", &GetParams::at("7"))),
        row!("PATCH /settings", MERGE, patch.clone(),
            c => c.patch("settings", &Patch::Merge(json!({"data": {"a": "b"}})))),
        row!("PATCH /settings?dryRun=All&fieldManager=me&fieldValidation=Strict", MERGE, patch.clone(),
            c => c.patch_with("settings", &PatchParams::apply("me").dry_run().validation_strict(),
                &Patch::Merge(json!({"data": {"a": "b"}})))),
        row!("PATCH /settings", "application/strategic-merge-patch+json", patch.clone(),
            c => c.patch("settings", &Patch::Strategic(json!({"data": {"a": "b"}})))),
        row!("PATCH /settings", "application/json-patch+json", json!([{"op": "remove", "path": "/data"}]),
            c => c.patch("settings", &Patch::Json::<()>(
                serde_json::from_value(json!([{"op": "remove", "path": "/data"}])).unwrap()))),
        row!("PATCH /settings?force=true&fieldManager=me", "application/apply-patch+yaml", patch.clone(),
            c => c.patch_with("settings", &PatchParams::apply("me").force(), &Patch::Apply(json!({"data": {"a": "b"}})))),
        row!("PATCH /settings/status", MERGE, patch.clone(),
            c => c.patch_status("settings", &Patch::Merge(json!({"data": {"a": "b"}})))),
        row!("PATCH /settings/status?fieldManager=me", MERGE, patch,
            c => c.patch_status_with("settings", &PatchParams::apply("me"), &Patch::Merge(json!({"data": {"a": "b"}})))),
    ];
    for row in rows {
        let (seen, object) = sent(settings_json(), row.call).await;
        assert_seen(&seen, row.line, row.content_type, &row.body);
        assert_eq!(object, settings());
    }
}

#[tokio::test]
async fn lists() {
    let (seen, list) = sent(list_json(), async |c| c.list().await).await;
    assert_seen(&seen, "GET ", "", &Value::Null);
    assert_eq!((list.items, list.metadata.resource_version.as_deref()), (vec![settings()], Some("7")));

    let params =
        ListParams::default().labels("a in (b,c)").fields("metadata.name=x").limit(3).continue_token("t");
    let (seen, _) = sent(list_json(), async |c| c.list_with(&params).await).await;
    let query = "?fieldSelector=metadata.name%3Dx&labelSelector=a+in+%28b%2Cc%29&limit=3&continue=t";
    assert_seen(&seen, &format!("GET {query}"), "", &Value::Null);

    let (seen, body) =
        sent(list_json(), async |c| c.list_bytes(&ListParams::default().match_any()).await).await;
    assert_seen(&seen, "GET ?resourceVersion=0&resourceVersionMatch=NotOlderThan", "", &Value::Null);
    assert_eq!(body, list_json().to_string());
}

/// Some servers answer with `null` for no items, and leave the metadata out.
#[tokio::test]
async fn a_sparse_list_is_an_empty_one() {
    let (_, list) = sent(json!({"items": null}), async |c| c.list().await).await;
    assert!(list.items.is_empty());
}

#[tokio::test]
async fn deletes() {
    let done = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
        "details": {"name": "settings", "kind": "configmaps", "uid": "1"}});
    let (seen, deleted) = sent(done.clone(), async |c| c.delete("settings").await).await;
    assert_seen(&seen, "DELETE /settings", JSON, &json!({}));
    assert!(matches!(deleted, Deleted::Done(status) if status.is_success() && status.details.is_some()));

    let preconditions = Preconditions { uid: Some("1".into()), resource_version: Some("7".into()) };
    let params = DeleteParams::foreground().preconditions(preconditions).grace_period(5);
    let (seen, deleted) = sent(settings_json(), async |c| c.delete_with("settings", &params).await).await;
    let body = json!({"gracePeriodSeconds": 5, "propagationPolicy": "Foreground",
        "preconditions": {"uid": "1", "resourceVersion": "7"}});
    assert_seen(&seen, "DELETE /settings", JSON, &body);
    assert!(matches!(deleted, Deleted::Pending(object) if object == settings()));

    let (seen, list) =
        sent(list_json(), async |c| c.delete_collection(&ListParams::default().labels("a=b")).await).await;
    assert_seen(&seen, "DELETE ?labelSelector=a%3Db", JSON, &Value::Null);
    assert_eq!(list.items, [settings()]);

    let params = DeleteParams::background();
    let (seen, list) =
        sent(done, async |c| c.delete_collection_with(&params, &ListParams::default().fields("a=b")).await)
            .await;
    assert_seen(&seen, "DELETE ?fieldSelector=a%3Db", JSON, &json!({"propagationPolicy": "Background"}));
    assert!(list.items.is_empty());
}

/// An object that happens to be called Status is not an answer's status.
#[tokio::test]
async fn a_kind_called_status_is_an_object() {
    let own = json!({"kind": "Status", "apiVersion": "example.com/v1", "metadata": {"name": "settings"}});
    let mock = Mock::answering([own]);
    let client =
        ResourceClient::<kube::core::PartialObjectMeta<ConfigMap>>::namespaced(mock.client(), "default");
    assert!(matches!(client.delete("settings").await, Ok(Deleted::Pending(_))));
}

#[tokio::test]
async fn watches() {
    let (seen, _) = sent(json!({}), async |c| c.watch().await).await;
    assert_seen(
        &seen,
        "GET ?watch=true&timeoutSeconds=290&allowWatchBookmarks=true&resourceVersion=",
        "",
        &Value::Null,
    );
    assert_eq!(seen.accept_encoding, "identity");

    let params = WatchParams::default().labels("a=b").timeout(10).initial_events();
    let (seen, _) = sent(json!({}), async |c| c.watch_lines(&params, "7").await).await;
    let query = "?watch=true&timeoutSeconds=10&labelSelector=a%3Db&allowWatchBookmarks=true\
        &sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=7";
    assert_seen(&seen, &format!("GET {query}"), "", &Value::Null);
}

fn scale_json() -> Value {
    json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "settings"}, "spec": {"replicas": 2}})
}

#[tokio::test]
async fn subresources_with_types_of_their_own() {
    let scale: Scale = serde_json::from_value(scale_json()).unwrap();
    let eviction = Eviction::default();
    let eviction_json = serde_json::to_value(&eviction).unwrap();
    let success = json!({"kind": "Status", "apiVersion": "v1", "status": "Success"});

    let (seen, result) = sent(success, async |c| {
        c.create_subresource::<_, EvictionResult>("settings", "eviction", &posting(), &eviction).await
    })
    .await;
    assert_seen(&seen, "POST /settings/eviction?dryRun=All&fieldManager=me", JSON, &eviction_json);
    assert_eq!(result.status.as_deref(), Some("Success"));

    let (seen, got) = sent(scale_json(), async |c| {
        c.get_subresource::<Scale>("settings", "scale", &GetParams::at("7")).await
    })
    .await;
    assert_seen(&seen, "GET /settings/scale?resourceVersion=7", "", &Value::Null);
    assert_eq!(got, scale);

    let (seen, _) = sent(scale_json(), async |c| {
        c.update_subresource::<_, Scale>("settings", "scale", &PostParams::default(), &scale).await
    })
    .await;
    assert_seen(&seen, "PUT /settings/scale", JSON, &scale_json());

    let patch = Patch::Merge(json!({"spec": {"replicas": 3}}));
    let (seen, _) = sent(scale_json(), async |c| {
        c.patch_subresource::<_, Scale>("settings", "scale", &PatchParams::default(), &patch).await
    })
    .await;
    assert_seen(&seen, "PATCH /settings/scale", MERGE, &json!({"spec": {"replicas": 3}}));

    let mut configuration = scale_json();
    configuration["metadata"]["managedFields"] = json!([{"manager": "me"}]);
    let (seen, _) = sent(scale_json(), async |c| {
        c.apply_subresource::<_, Scale>("settings", "scale", &PatchParams::apply("me"), &configuration).await
    })
    .await;
    assert_seen(
        &seen,
        "PATCH /settings/scale?fieldManager=me",
        "application/apply-patch+yaml",
        &scale_json(),
    );

    let (seen, list) = sent(list_json(), async |c| {
        c.list_subresource::<ObjectList<ConfigMap>>("settings", "parts", &ListParams::default().limit(1))
            .await
    })
    .await;
    assert_seen(&seen, "GET /settings/parts?limit=1", "", &Value::Null);
    assert_eq!(list.items.len(), 1);
}

#[tokio::test]
async fn the_main_resource_with_other_types() {
    let input = json!({"metadata": {"name": "settings"}});
    let (seen, _) = sent(scale_json(), async |c| c.create_as::<_, Scale>(&posting(), &input).await).await;
    assert_seen(&seen, "POST ?dryRun=All&fieldManager=me", JSON, &input);

    let (seen, _) =
        sent(scale_json(), async |c| c.update_as::<_, Scale>("settings", &posting(), &input).await).await;
    assert_seen(&seen, "PUT /settings?dryRun=All&fieldManager=me", JSON, &input);

    let (seen, _) =
        sent(scale_json(), async |c| c.get_as::<Scale>("settings", &GetParams::default()).await).await;
    assert_seen(&seen, "GET /settings", "", &Value::Null);

    let (seen, _) =
        sent(list_json(), async |c| c.list_as::<Value>(&ListParams::default().limit(1)).await).await;
    assert_seen(&seen, "GET ?limit=1", "", &Value::Null);

    let patch = Patch::Merge(&input);
    let (seen, _) = sent(scale_json(), async |c| {
        c.patch_as::<_, Scale>("settings", &PatchParams::default(), &patch).await
    })
    .await;
    assert_seen(&seen, "PATCH /settings", MERGE, &input);

    let (seen, _) = sent(scale_json(), async |c| {
        c.apply_as::<_, Scale>("settings", &PatchParams::apply("me"), &input).await
    })
    .await;
    assert_seen(&seen, "PATCH /settings?fieldManager=me", "application/apply-patch+yaml", &input);
}

/// The other two places where objects are.
#[tokio::test]
async fn cluster_scope_all_namespaces_and_another_resource_name() {
    let empty = json!({"items": []});
    let mock = Mock::answering([empty.clone(), empty.clone(), empty.clone(), json!({"metadata": {}}), empty]);
    ResourceClient::<Node>::cluster(mock.client()).list().await.unwrap();
    let everywhere = ConfigMaps::namespaced(mock.client(), "");
    everywhere.list().await.unwrap();
    everywhere.delete_collection(&ListParams::default()).await.unwrap();
    let renamed = ConfigMaps::namespaced(mock.client(), "default").with_resource_name("settings");
    renamed.get("a").await.unwrap();
    let leases = ResourceClient::<k8s_openapi::api::coordination::v1::Lease>::namespaced(mock.client(), "x");
    leases.list().await.unwrap();
    assert_eq!(
        mock.lines(),
        [
            "GET /api/v1/nodes?",
            "GET /api/v1/configmaps?",
            "DELETE /api/v1/configmaps?",
            "GET /api/v1/namespaces/default/settings/a",
            "GET /apis/coordination.k8s.io/v1/namespaces/x/leases?",
        ]
    );
    assert_eq!(renamed.resource_name(), "settings");
    assert_eq!((renamed.namespace(), everywhere.namespace()), (Some("default"), None));
    assert_eq!(
        format!("{renamed:?}"),
        r#"ResourceClient { path: "/api/v1/namespaces/default/settings", .. }"#
    );
}
