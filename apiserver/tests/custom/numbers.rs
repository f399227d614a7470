//! Numbers: what counts is how they were written, until they are stored.

use http::Method;
use serde_json::json;

use crate::ask::{DEFINITIONS, WIDGETS, ask, definition, server, widget};

#[tokio::test]
async fn a_whole_fraction_is_stored_as_an_integer_and_is_a_change() {
    let server = server(&json!({"type": "object", "properties": {"n": {"type": "integer"}}})).await;
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"n": 2.0}))).await;
    assert_eq!(created.body["spec"].to_string(), r#"{"n":2}"#);
    let mut same = created.body.clone();
    same["spec"]["n"] = 2.0.into();
    let updated = ask(&server, Method::PUT, &format!("{WIDGETS}/a"), &same).await;
    assert_eq!((updated.code, &updated.body["metadata"]["generation"]), (200, &json!(2)));
    assert_eq!(updated.body["spec"].to_string(), r#"{"n":2}"#);
}

#[tokio::test]
async fn rules_see_no_integer_in_a_fraction() {
    let rules = json!([{"rule": "self < 100"}]);
    let server = server(&json!({
        "type": "object",
        "properties": {"n": {"type": "integer", "x-kubernetes-validations": rules}},
    }))
    .await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"n": 2.0}))).await;
    let why = "invalid data, expected int, got float64 evaluating rule: self < 100";
    assert_eq!(refused.causes(), [format!("spec.n: Invalid value: \"integer\": {why}")]);
    let created = ask(&server, Method::POST, WIDGETS, &widget("b", &json!({"n": 2}))).await;
    assert_eq!(created.code, 201);
}

#[tokio::test]
async fn a_fraction_is_judged_by_the_size_of_its_number_and_shown_with_an_exponent() {
    let server = server(&json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "f": {"type": "number", "maximum": 1_500_000.5}},
    }))
    .await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"n": 2_147_483_647.5}))).await;
    let wanted =
        "<nil>: Invalid value: \"\": Checked value must be of type integer (default format) in spec.n";
    assert_eq!(refused.causes(), [wanted]);
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"f": 2_000_000.5}))).await;
    let why = "spec.f in body should be less than or equal to 1.5000005e+06";
    assert_eq!(refused.causes(), [format!("spec.f: Invalid value: 2.0000005e+06: {why}")]);
}

#[tokio::test]
async fn a_scale_says_where_its_way_is_blocked() {
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let mut scaled =
        definition(&json!({"type": "object", "nullable": true, "properties": {"size": {"type": "integer"}}}));
    scaled["spec"]["versions"][0]["subresources"] =
        json!({"scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}});
    assert_eq!(ask(&server, Method::POST, DEFINITIONS, &scaled).await.code, 201);
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!([1]))).await;
    let why = ".spec.size accessor error: [1] is of the type []interface {}, expected map[string]interface{}";
    assert!(
        refused.causes().contains(&format!(".spec.size: Invalid value: 0: {why}")),
        "{:?}",
        refused.causes()
    );
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &serde_json::Value::Null)).await;
    assert_eq!(created.code, 201, "{:?}", created.causes());
}

#[tokio::test]
async fn of_a_factor_below_one_no_integer_is_a_multiple() {
    let server =
        server(&json!({"type": "object", "properties": {"f": {"type": "number", "multipleOf": 0.5}}})).await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"f": 2}))).await;
    let why = "factor MultipleOf declared for spec.f must be positive: 0";
    assert_eq!(refused.causes(), [format!("spec.f: Invalid value: 0: {why}")]);
    assert_eq!(ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"f": 2.5}))).await.code, 201);
}

#[tokio::test]
async fn an_integer_or_a_text_is_no_fraction() {
    let rules = json!([{"rule": "self == 80"}]);
    let either = json!({"x-kubernetes-int-or-string": true, "x-kubernetes-validations": rules});
    let server = server(&json!({"type": "object", "properties": {"p": either}})).await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"p": 80.0}))).await;
    let why = "invalid data, expected XIntOrString value to be either a string or integer evaluating rule: self == 80";
    assert_eq!(refused.causes(), [format!("spec.p: Invalid value: \"\": {why}")]);
    assert_eq!(ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"p": 80}))).await.code, 201);
}

#[tokio::test]
async fn a_schema_in_a_message_has_its_whole_numbers_without_a_fraction() {
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let mut odd =
        definition(&json!({"type": "object", "properties": {"f": {"type": "number", "default": 49.0}}}));
    let version = &mut odd["spec"]["versions"][0];
    version["subresources"] = json!({"status": {}});
    version["schema"]["openAPIV3Schema"]["additionalProperties"] = true.into();
    let refused = ask(&server, Method::POST, DEFINITIONS, &odd).await.causes().concat();
    assert!(refused.contains(r#""Default":49,"#), "{refused}");
}
