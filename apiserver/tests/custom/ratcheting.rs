//! What was there before may stay.

use http::Method;
use serde_json::{Value, json};

use crate::ask::{Answer, DEFINITIONS, WIDGETS, ask, definition, server, widget};

/// Stores an object under one schema, and puts it again as it is under another.
async fn again(loose: &Value, tight: &Value, spec: &Value) -> Answer {
    let server = server(loose).await;
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", spec)).await;
    assert_eq!(created.code, 201, "{:?}", created.body);
    let patch = json!({"spec": {"versions": definition(tight)["spec"]["versions"]}});
    let path = format!("{DEFINITIONS}/widgets.example.com");
    assert_eq!(ask(&server, Method::PATCH, &path, &patch).await.code, 200);
    let mut object = widget("a", spec);
    object["metadata"]["resourceVersion"] = created.body["metadata"]["resourceVersion"].clone();
    ask(&server, Method::PUT, &format!("{WIDGETS}/a?dryRun=All"), &object).await
}

fn spec(part: &Value) -> Value {
    json!({"type": "object", "properties": {"part": part}})
}

#[tokio::test]
async fn of_what_no_schema_names_nobody_knows_that_it_is_the_same() {
    let free = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let mut tight = free.clone();
    tight["maxProperties"] = 1.into();
    let answer = again(&spec(&free), &spec(&tight), &json!({"part": {"a": 1, "b": 2}})).await;
    assert_eq!(answer.causes(), ["spec.part: Too many: 2: must have at most 1 item"]);
    let named = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}});
    let mut tight = named.clone();
    tight["maxProperties"] = 1.into();
    let answer = again(&spec(&named), &spec(&tight), &json!({"part": {"a": 1, "b": 2}})).await;
    assert_eq!(answer.code, 200);
}

#[tokio::test]
async fn a_refused_object_comes_with_the_warnings_of_what_was_let_through() {
    let text = json!({"type": "string"});
    let mut tight = text.clone();
    tight["x-kubernetes-validations"] = json!([{"rule": "self == 'b'"}, {"rule": "int(self) > 1"}]);
    let answer = again(&spec(&text), &spec(&tight), &json!({"part": "a"})).await;
    assert_eq!(answer.code, 422);
    assert_eq!(answer.warnings, [r#"299 - "spec.part: Invalid value: \"a\": failed rule: self == 'b'""#]);
}

#[tokio::test]
async fn the_metadata_of_an_object_that_does_not_change_is_what_it_was() {
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let mut ruled = definition(&json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    ruled["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["x-kubernetes-validations"] =
        json!([{"rule": "self == oldSelf"}]);
    assert_eq!(ask(&server, Method::POST, DEFINITIONS, &ruled).await.code, 201);
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": "x"}))).await;
    let mut object = widget("a", &json!({"a": "x"}));
    object["metadata"]["resourceVersion"] = created.body["metadata"]["resourceVersion"].clone();
    let path = format!("{WIDGETS}/a?dryRun=All");
    assert_eq!(ask(&server, Method::PUT, &path, &object).await.code, 200);
    object["metadata"]["labels"] = json!({"a": "b"});
    assert_eq!(ask(&server, Method::PUT, &path, &object).await.code, 422);
}
