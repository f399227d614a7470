//! Kinds come and go with their definitions.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, WIDGETS, ask, definition, patch, server, widget};

fn condition(body: &Value, kind: &str) -> String {
    let list = body.pointer("/status/conditions").and_then(Value::as_array).unwrap();
    let found = list.iter().find(|condition| condition["type"] == kind).unwrap();
    format!("{} {}", found["status"].as_str().unwrap(), found["reason"].as_str().unwrap())
}

#[tokio::test]
async fn a_kind_is_served_as_soon_as_it_is_defined() {
    let server = server(&json!({"type": "object"})).await;
    let path = format!("{DEFINITIONS}/widgets.example.com");
    let found = ask(&server, Method::GET, &path, &Value::Null).await.body;
    assert_eq!(condition(&found, "NamesAccepted"), "True NoConflicts");
    assert_eq!(condition(&found, "Established"), "True InitialNamesAccepted");
    assert_eq!(found["status"]["acceptedNames"]["singular"], "widget");
    let group = ask(&server, Method::GET, "/apis/example.com/v1", &Value::Null).await.body;
    assert_eq!(group["resources"][0]["kind"], "Widget");
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({}))).await;
    assert_eq!((created.code, &created.body["metadata"]["generation"]), (201, &json!(1)));
}

#[tokio::test]
async fn a_name_that_another_kind_has_is_not_accepted_until_that_kind_goes() {
    let server = server(&json!({"type": "object"})).await;
    let mut other = definition(&json!({"type": "object"}));
    other["metadata"]["name"] = "gadgets.example.com".into();
    other["spec"]["names"] =
        json!({"plural": "gadgets", "kind": "Gadget", "shortNames": ["widget", "widget"]});
    ask(&server, Method::POST, DEFINITIONS, &other).await;
    let path = format!("{DEFINITIONS}/gadgets.example.com");
    let found = ask(&server, Method::GET, &path, &Value::Null).await.body;
    assert_eq!(condition(&found, "NamesAccepted"), "False ShortNamesConflict");
    assert!(
        found["status"]["conditions"].to_string().contains(r#""message":"\"widget\" is already in use""#)
    );
    let gadgets = "/apis/example.com/v1/namespaces/default/gadgets";
    assert_eq!(ask(&server, Method::GET, gadgets, &Value::Null).await.code, 404);
    ask(&server, Method::DELETE, &format!("{DEFINITIONS}/widgets.example.com"), &Value::Null).await;
    server.settle();
    let found = ask(&server, Method::GET, &path, &Value::Null).await.body;
    assert_eq!(condition(&found, "Established"), "True InitialNamesAccepted");
    assert_eq!(ask(&server, Method::GET, gadgets, &Value::Null).await.code, 200);
}

#[tokio::test]
async fn objects_go_with_their_definition_unless_a_finalizer_holds_them() {
    let server = server(&json!({"type": "object"})).await;
    let mut held = widget("held", &json!({}));
    held["metadata"]["finalizers"] = json!(["example.com/hold"]);
    ask(&server, Method::POST, WIDGETS, &held).await;
    ask(&server, Method::POST, WIDGETS, &widget("free", &json!({}))).await;
    let path = format!("{DEFINITIONS}/widgets.example.com");
    ask(&server, Method::DELETE, &path, &Value::Null).await;
    let left = ask(&server, Method::GET, WIDGETS, &Value::Null).await.body;
    assert_eq!(left["items"].as_array().unwrap().len(), 1);
    let refused = ask(&server, Method::POST, WIDGETS, &widget("new", &json!({}))).await;
    assert_eq!(refused.code, 403);
    let patch = json!({"metadata": {"finalizers": null}});
    ask(&server, Method::PATCH, &format!("{WIDGETS}/held"), &patch).await;
    assert_eq!(ask(&server, Method::GET, &path, &Value::Null).await.code, 404);
    assert_eq!(ask(&server, Method::GET, WIDGETS, &Value::Null).await.code, 404);
}

#[tokio::test]
async fn an_object_is_read_in_every_version_that_is_served() {
    let server = ApiServer::builder().seed(5).build();
    let mut two = definition(&json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    let mut beta = two["spec"]["versions"][0].clone();
    beta["name"] = "v1beta1".into();
    beta["storage"] = false.into();
    beta["deprecated"] = true.into();
    beta["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] = json!({"b": {"type": "string"}});
    two["spec"]["versions"].as_array_mut().unwrap().push(beta);
    ask(&server, Method::POST, DEFINITIONS, &two).await;
    ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": "x"}))).await;
    let old = "/apis/example.com/v1beta1/namespaces/default/widgets/a";
    let read = ask(&server, Method::GET, old, &Value::Null).await;
    assert_eq!(read.body["apiVersion"], "example.com/v1beta1");
    assert_eq!(read.body["spec"], json!({}));
    assert_eq!(read.warnings.len(), 1);
    assert!(read.warnings[0].contains("use example.com/v1 Widget"), "{:?}", read.warnings);
    let read = ask(&server, Method::GET, &format!("{WIDGETS}/a"), &Value::Null).await;
    assert_eq!(read.body["spec"], json!({"a": "x"}));
}

#[tokio::test]
async fn a_default_that_is_added_later_is_seen_in_what_is_stored() {
    let server = server(&json!({"type": "object", "properties": {"a": {"type": "string"}}})).await;
    ask(&server, Method::POST, WIDGETS, &widget("a", &json!({}))).await;
    let with_default = json!({"type": "object", "properties": {"a": {"type": "string", "default": "d"}}});
    let patch = json!({"spec": {"versions": definition(&with_default)["spec"]["versions"]}});
    ask(&server, Method::PATCH, &format!("{DEFINITIONS}/widgets.example.com"), &patch).await;
    let read = ask(&server, Method::GET, &format!("{WIDGETS}/a"), &Value::Null).await;
    assert_eq!(read.body["spec"], json!({"a": "d"}));
    let list = ask(&server, Method::GET, WIDGETS, &Value::Null).await;
    assert_eq!(list.body["items"][0]["spec"], json!({"a": "d"}));
}

#[tokio::test]
async fn a_body_whose_type_is_no_text_is_not_understood() {
    let server = server(&json!({"type": "object"})).await;
    for (path, version) in [(WIDGETS, json!({})), ("/api/v1/namespaces/default/configmaps", json!(1))] {
        let body = json!({"apiVersion": version, "kind": "Widget", "metadata": {"name": "a"}});
        let refused = ask(&server, Method::POST, path, &body).await;
        let words = "into Go struct field .apiVersion of type string";
        assert_eq!(refused.code, 400);
        assert!(refused.body["message"].as_str().unwrap().contains(words), "{}", refused.body["message"]);
    }
}

/// A server with a kind in two versions, with a scale, a status and fields to select by; and an object of it.
async fn scaled() -> ApiServer {
    let server = ApiServer::builder().seed(5).build();
    let mut scaled =
        definition(&json!({"type": "object", "properties": {"replicas": {"type": "integer", "minimum": 0}}}));
    let version = &mut scaled["spec"]["versions"][0];
    version["schema"]["openAPIV3Schema"]["properties"]["status"] = json!({"type": "object", "properties": {"replicas": {"type": "integer"}, "phase": {"type": "string"}}});
    version["subresources"] = json!({"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}});
    version["selectableFields"] = json!([{"jsonPath": ".spec.replicas"}]);
    let mut older = version.clone();
    older["name"] = "v1beta1".into();
    older["storage"] = false.into();
    scaled["spec"]["versions"].as_array_mut().unwrap().push(older);
    assert_eq!(ask(&server, Method::POST, DEFINITIONS, &scaled).await.code, 201);
    ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"replicas": 1}))).await;
    server
}

#[tokio::test]
async fn a_scale_that_does_not_fit_is_told_by_the_schema_and_by_the_scale() {
    let server = scaled().await;
    let refused = patch(&server, &format!("{WIDGETS}/a/scale"), &json!({"spec": {"replicas": -1}})).await;
    let causes = [
        "spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0",
        ".spec.replicas: Invalid value: -1: should be a non-negative integer",
    ];
    assert_eq!(refused.causes(), causes);
    patch(&server, &format!("{WIDGETS}/a/scale"), &json!({"spec": {"replicas": 4}})).await;
    let refused = patch(&server, &format!("{WIDGETS}/a/scale"), &json!({"spec": {"replicas": "x"}})).await;
    let owners = r#"\"managedFields\":[{\"manager\":\"unknown\",\"operation\":\"Update\",\"apiVersion\":\"autoscaling/v1\","#;
    assert!(refused.causes().concat().contains(owners), "{:?}", refused.causes());
}

#[tokio::test]
async fn the_documents_name_the_fields_to_select_by() {
    let server = scaled().await;
    let document = ask(&server, Method::GET, "/openapi/v3/apis/example.com/v1", &Value::Null).await.body;
    for kind in ["Widget", "WidgetList"] {
        let schema = &document["components"]["schemas"][format!("com.example.v1.{kind}")];
        assert_eq!(
            schema["x-kubernetes-selectable-fields"],
            json!([{"fieldPath": "spec.replicas"}]),
            "{kind}"
        );
    }
}

#[tokio::test]
async fn what_the_main_resource_drops_of_a_status_is_lost_for_owners_in_other_versions() {
    let server = scaled().await;
    let other = WIDGETS.replace("/v1/", "/v1beta1/");
    let phase = json!({"status": {"phase": "x"}});
    for (path, left) in [(WIDGETS, true), (&other, false)] {
        let status = patch(&server, &format!("{path}/a/status"), &phase).await;
        assert_eq!(status.body["metadata"]["managedFields"].as_array().map(Vec::len), Some(2));
        let dropped = patch(&server, &format!("{WIDGETS}/a"), &json!({"status": null})).await;
        assert_eq!(dropped.body["status"], phase["status"]);
        let owners = dropped.body["metadata"]["managedFields"].to_string();
        assert_eq!(owners.contains("f:phase"), left, "{owners}");
        patch(&server, &format!("{path}/a/status"), &json!({"status": null})).await;
    }
}

#[tokio::test]
async fn a_scale_takes_the_replicas_over_from_whoever_updated_them() {
    let server = scaled().await;
    let owners = |body: &Value| {
        let entries = body["metadata"]["managedFields"].as_array().unwrap().iter();
        let of = |entry: &Value| {
            let owns = entry["fieldsV1"].pointer("/f:spec/f:replicas").is_some();
            format!("{} {} {owns}", entry["apiVersion"].as_str().unwrap(), entry.get("time").is_some())
        };
        entries.map(of).collect::<Vec<_>>()
    };
    // Two entries of one owner, without a time and with it; who reads them sees the second.
    let replicas = |count: u8| json!({"spec": {"replicas": count}});
    patch(&server, &format!("{WIDGETS}/a/scale"), &replicas(1)).await;
    let there = ask(&server, Method::GET, &format!("{WIDGETS}/a"), &Value::Null).await.body;
    assert_eq!(owners(&there), ["example.com/v1 false true", "example.com/v1 true false"]);
    let labelled =
        patch(&server, &format!("{WIDGETS}/a"), &json!({"metadata": {"labels": {"a": "b"}}})).await;
    assert_eq!(owners(&labelled.body), ["example.com/v1 true false"]);
    // The version of the last scale is that of the entry.
    ask(&server, Method::POST, WIDGETS, &widget("b", &json!({"replicas": 1}))).await;
    for version in ["v1beta1", "v1"] {
        let path = format!("{}/b/scale", WIDGETS.replace("/v1/", &format!("/{version}/")));
        patch(&server, &path, &replicas(4)).await;
        let there = ask(&server, Method::GET, &format!("{WIDGETS}/b"), &Value::Null).await.body;
        assert_eq!(owners(&there)[0], format!("example.com/{version} false true"));
    }
}

#[tokio::test]
async fn a_full_page_is_followed_by_another_whether_anything_in_it_is_selected_or_not() {
    let server = server(&json!({"type": "object"})).await;
    for (name, labels) in [("a", json!({"l": "x"})), ("b", json!({"l": "x"})), ("c", json!({}))] {
        let mut widget = widget(name, &json!({}));
        widget["metadata"]["labels"] = labels;
        ask(&server, Method::POST, WIDGETS, &widget).await;
    }
    for (query, names, follows) in [
        ("limit=2&labelSelector=l", 2, true),
        ("limit=3&labelSelector=l", 2, false),
        ("limit=3", 3, false),
        ("limit=1&fieldSelector=metadata.name%3Da", 1, false),
    ] {
        let page = ask(&server, Method::GET, &format!("{WIDGETS}?{query}"), &Value::Null).await.body;
        let token = page["metadata"]["continue"].as_str().unwrap();
        assert_eq!((page["items"].as_array().unwrap().len(), !token.is_empty()), (names, follows), "{query}");
        if follows {
            let rest =
                ask(&server, Method::GET, &format!("{WIDGETS}?{query}&continue={token}"), &Value::Null).await;
            assert_eq!(rest.body["items"], json!([]));
        }
    }
}
