//! Objects are pruned, get their defaults and are checked.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, WIDGETS, ask, definition, patch, server, widget};

#[tokio::test]
async fn what_a_schema_does_not_name_is_dropped_and_what_it_defaults_is_filled_in() {
    let server = server(&json!({
        "type": "object",
        "properties": {
            "size": {"type": "integer", "default": 3},
            "parts": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string", "default": "p"}}}},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        },
    }))
    .await;
    let spec =
        json!({"size": null, "parts": [{}, {"name": "q", "x": 1}], "free": {"y": {"z": 1}}, "odd": true});
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &spec)).await;
    let wanted = json!({"size": 3, "parts": [{"name": "p"}, {"name": "q"}], "free": {"y": {"z": 1}}});
    assert_eq!(created.body["spec"], wanted);
    let strict = format!("{WIDGETS}?fieldValidation=Strict");
    let refused = ask(&server, Method::POST, &strict, &widget("b", &spec)).await;
    assert_eq!(refused.code, 400);
    let message = refused.body["message"].as_str().unwrap();
    let found = r#"unknown field "spec.odd", unknown field "spec.parts[1].x""#;
    assert!(message.ends_with(&format!("strict decoding error: {found}")), "{message}");
}

#[tokio::test]
async fn every_fault_of_an_object_is_told() {
    let server = server(&json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "size": {"type": "integer", "maximum": 5},
            "mode": {"type": "string", "enum": ["a", "b"]},
            "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "either": {"type": "string", "oneOf": [{"pattern": "^x"}, {"minLength": 3}]},
        },
    }))
    .await;
    let spec = json!({"size": 9, "mode": "c", "tags": ["a", "a"], "either": "xyz"});
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &spec)).await;
    assert_eq!(
        refused.causes(),
        [
            "<nil>: Invalid value: \"\": \"spec.either\" must validate one and only one schema (oneOf). Found 2 valid alternatives",
            "spec.mode: Unsupported value: \"c\": supported values: \"a\", \"b\"",
            "spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5",
            "spec.name: Required value",
            "spec.tags[1]: Duplicate value: \"a\"",
        ]
    );
}

#[tokio::test]
async fn a_fault_that_was_there_before_lets_other_changes_pass() {
    let server =
        server(&json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}))
            .await;
    ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": "long"}))).await;
    let narrow = json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 2}, "b": {"type": "string"}}});
    let patch = json!({"spec": {"versions": definition(&narrow)["spec"]["versions"]}});
    ask(&server, Method::PATCH, &format!("{DEFINITIONS}/widgets.example.com"), &patch).await;
    let path = format!("{WIDGETS}/a");
    let other = ask(&server, Method::PATCH, &path, &json!({"spec": {"b": "x"}})).await;
    assert_eq!(other.code, 200);
    let same = ask(&server, Method::PATCH, &path, &json!({"spec": {"a": "longer"}})).await;
    assert_eq!(same.causes(), ["spec.a: Too long: may not be more than 2 bytes"]);
}

#[tokio::test]
async fn a_definition_whose_schema_is_not_structural_is_refused() {
    let server = server(&json!({"type": "object"})).await;
    let mut other = definition(&json!({
        "properties": {"a": {"type": "array"}, "b": {"type": "string", "default": 1}},
    }));
    other["metadata"]["name"] = "gadgets.example.com".into();
    other["spec"]["names"] = json!({"plural": "gadgets", "kind": "Gadget"});
    let refused = ask(&server, Method::POST, DEFINITIONS, &other).await;
    let place = "spec.validation.openAPIV3Schema.properties[spec]";
    assert_eq!(
        refused.causes(),
        [
            format!("{place}.properties[a].items: Required value: must be specified"),
            format!("{place}.type: Required value: must not be empty for specified object fields"),
        ]
    );
}

#[tokio::test]
async fn within_alternatives_a_fault_that_was_there_before_counts() {
    let loose = json!({"a": {"type": "string"}, "b": {"type": "string"}});
    let server = server(&json!({"type": "object", "properties": loose})).await;
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": "xx", "b": "y"}))).await;
    assert_eq!(created.code, 201);
    for junctor in ["allOf", "anyOf", "oneOf"] {
        let mut tight = json!({"type": "object", "properties": loose});
        tight[junctor] = json!([{"properties": {"a": {"maxLength": 1}}}]);
        let patch = json!({"spec": {"versions": definition(&tight)["spec"]["versions"]}});
        ask(&server, Method::PATCH, &format!("{DEFINITIONS}/widgets.example.com"), &patch).await;
        let path = format!("{WIDGETS}/a?dryRun=All");
        let same = ask(&server, Method::PATCH, &path, &json!({"metadata": {"labels": {"a": "b"}}})).await;
        assert_eq!(same.code, 200, "{junctor}");
        let other = ask(&server, Method::PATCH, &path, &json!({"spec": {"b": "z"}})).await;
        assert!(
            other.causes().contains(&"spec.a: Too long: may not be more than 1 byte".to_owned()),
            "{junctor}"
        );
    }
}

#[tokio::test]
async fn an_integer_or_a_text_has_no_type_for_apply() {
    let server =
        server(&json!({"type": "object", "properties": {"p": {"x-kubernetes-int-or-string": true}}})).await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"p": []}))).await;
    assert_eq!(
        refused.causes(),
        ["spec.p: Invalid value: \"array\": spec.p in body must be of type integer,string: \"array\""]
    );
    let path = format!("{WIDGETS}/a?fieldManager=f");
    let applied = crate::ask::apply(&server, &path, &widget("a", &json!({"p": []}))).await;
    assert_eq!(applied.causes(), refused.causes());
}

#[tokio::test]
async fn the_order_of_items_with_keys_is_no_change() {
    let schema = |least: u8| {
        json!({
            "type": "object",
            "properties": {
                "ports": {
                    "type": "array",
                    "minItems": least,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
                },
            },
        })
    };
    let server = server(&schema(1)).await;
    let ports = json!([{"name": "a"}, {"name": "b"}]);
    ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"ports": ports}))).await;
    let patch = json!({"spec": {"versions": definition(&schema(3))["spec"]["versions"]}});
    ask(&server, Method::PATCH, &format!("{DEFINITIONS}/widgets.example.com"), &patch).await;
    let path = format!("{WIDGETS}/a");
    let turned = json!([{"name": "b"}, {"name": "a"}]);
    let answer = ask(&server, Method::PATCH, &path, &json!({"spec": {"ports": turned}})).await;
    assert_eq!((answer.code, &answer.body["spec"]["ports"]), (200, &turned));
    let fewer = ask(&server, Method::PATCH, &path, &json!({"spec": {"ports": [{"name": "a"}]}})).await;
    assert_eq!(
        fewer.causes(),
        ["spec.ports: Invalid value: 1: spec.ports in body should have at least 3 items"]
    );
}

#[tokio::test]
async fn the_metadata_of_objects_within_is_checked() {
    let server = server(&json!({
        "type": "object",
        "properties": {"object": {
            "type": "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
        }},
    }))
    .await;
    let object =
        |metadata: &Value| json!({"object": {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}});
    let fine = json!({"labels": {"a": "b"}, "finalizers": ["example.com/a"]});
    let taken = ask(&server, Method::POST, WIDGETS, &widget("a", &object(&fine))).await;
    assert_eq!(taken.code, 201, "{:?}", taken.body);
    let odd = json!({"name": "a/b", "labels": {"a": "-"}, "ownerReferences": [{"kind": "Pod", "name": "a", "uid": "1"}]});
    let refused = ask(&server, Method::POST, WIDGETS, &widget("b", &object(&odd))).await;
    let fields: Vec<String> =
        refused.causes().iter().map(|cause| cause.split(':').next().unwrap_or_default().to_owned()).collect();
    let wanted = [
        "spec.object.metadata.name",
        "spec.object.metadata.labels",
        "spec.object.metadata.ownerReferences[0].apiVersion",
    ];
    assert_eq!(fields, wanted);
}

#[tokio::test]
async fn a_default_of_the_whole_is_held_against_what_every_object_has() {
    let server = ApiServer::builder().seed(5).build();
    let dry = format!("{DEFINITIONS}?dryRun=All");
    let typed = json!({"apiVersion": "example.com/v1", "kind": "Widget"});
    let mut named = typed.clone();
    named["metadata"] = json!({"name": "A/B"});
    let place = "spec.validation.openAPIV3Schema.default";
    for (default, wanted) in [
        (typed, vec![]),
        (
            json!({}),
            vec![format!("{place}.apiVersion: Required value"), format!("{place}.kind: Required value")],
        ),
        (named, vec![format!("{place}.metadata.name: Invalid value: \"A/B\": may not contain '/'")]),
    ] {
        let mut definition = definition(&json!({"type": "object"}));
        definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["default"] = default;
        assert_eq!(ask(&server, Method::POST, &dry, &definition).await.causes(), wanted);
    }
}

#[tokio::test]
async fn conditions_that_a_client_takes_away_stay_away() {
    let server = server(&json!({"type": "object"})).await;
    let status = format!("{DEFINITIONS}/widgets.example.com/status");
    let cleared = patch(&server, &status, &json!({"status": {"conditions": []}})).await;
    assert_eq!(cleared.body["status"]["conditions"], json!([]));
    let seen = ask(&server, Method::GET, &status, &Value::Null).await;
    assert_eq!(seen.body["status"]["conditions"], json!([]));
    assert_eq!(ask(&server, Method::GET, WIDGETS, &Value::Null).await.code, 404);
}

#[tokio::test]
async fn the_status_of_a_definition_s_subresources_has_no_fields() {
    let server = ApiServer::builder().seed(5).build();
    let mut definition = definition(&json!({"type": "object"}));
    definition["spec"]["versions"][0]["subresources"] = json!({"status": {"odd": 1}});
    let created = ask(&server, Method::POST, DEFINITIONS, &definition).await;
    assert_eq!(created.body["spec"]["versions"][0]["subresources"], json!({"status": {}}));
    assert!(
        created.warnings[0].contains("spec.versions[0].subresources.status.odd"),
        "{:?}",
        created.warnings
    );
}

#[tokio::test]
async fn who_keeps_unknown_fields_of_all_versions_may_not_use_defaults() {
    let server = ApiServer::builder().seed(5).build();
    let why = "must be false in order to use defaults in the schema";
    let list =
        |item: Value| json!({"type": "object", "properties": {"default": {"type": "array", "items": item}}});
    for (item, told) in [(json!({"type": "integer"}), 0), (json!({"type": "integer", "default": 1}), 1)] {
        let mut kept = definition(&list(item));
        kept["spec"]["preserveUnknownFields"] = true.into();
        let refused = ask(&server, Method::POST, DEFINITIONS, &kept).await;
        assert_eq!(refused.causes().iter().filter(|cause| cause.contains(why)).count(), told);
    }
}
