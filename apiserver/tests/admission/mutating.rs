//! Mutating policies.

use http::Method;
use serde_json::{Value, json};

use super::{Client, GROUP, MAPS, map, policy};

fn apply(expression: &str) -> Value {
    json!({"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}})
}

fn patch(expression: &str) -> Value {
    json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}})
}

/// The words of a policy `p` that refuses.
fn refusal(why: &str) -> String {
    format!("policy 'p' with binding 'p' denied request: {why}")
}

#[tokio::test]
async fn an_apply_configuration_is_merged_and_owned_by_nobody() {
    let client = Client::new();
    let change =
        apply("Object{metadata: Object.metadata{labels: {\"x\": object.data.a}}, data: {\"z\": \"1\"}}");
    client.changing("p", json!({"mutations": [change.clone()]}), json!({})).await;
    let made = client.make(MAPS, &map("m", json!({"a": "b"}))).await;
    assert_eq!(
        (&made["metadata"]["labels"], &made["data"]),
        (&json!({"x": "b"}), &json!({"a": "b", "z": "1"}))
    );
    assert_eq!(made["metadata"]["managedFields"][0]["fieldsV1"], json!({"f:data": {".": {}, "f:a": {}}}));

    let path = format!("{MAPS}/m");
    let changed = client.send(Method::PATCH, &path, &json!({"data": {"a": "c", "z": null}})).await;
    assert_eq!(changed.body["metadata"]["labels"], json!({"x": "c"}));

    let refused = client.post(MAPS, &map("n", Value::Null)).await;
    let why = format!(
        "expression '{}' resulted in error: no such key: data",
        change["applyConfiguration"]["expression"].as_str().unwrap()
    );
    assert_eq!((refused.code, refused.body["reason"].as_str()), (403, Some("Invalid")));
    assert_eq!(refused.message(), refusal(&why));
    assert_eq!(refused.causes(), [refusal(&why)]);
}

#[tokio::test]
async fn what_cannot_be_applied_is_told() {
    let pod = json!({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "a", "image": "b", "args": ["x"]}]}});
    let cases = [
        (
            "Object{metadata: Object.metadata{labels: Object.metadata.wrong{x: \"y\"}}}",
            "type mismatch: unexpected type name \"Object.metadata.wrong\", expected \"Object.metadata.labels\", which matches field \
             name path from root Object type",
        ),
        (
            "Object{foo: 1}",
            "error applying patch: failed to convert patch object to typed object: .foo: field not declared in schema",
        ),
        (
            "Object{spec: Object.spec{containers: [Object.spec.containers{name: \"a\", args: [\"q\"]}]}}",
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: \
             .spec.containers[0].args",
        ),
        (
            "Object{spec: Object.spec{nodeSelector: {\"a\": \"b\"}}}",
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.nodeSelector",
        ),
    ];
    for (expression, why) in cases {
        let client = Client::new();
        client.changing("p", json!({"mutations": [apply(expression)]}), json!({})).await;
        let refused = client.post("/api/v1/namespaces/default/pods", &pod).await;
        assert_eq!(refused.message(), refusal(why));
    }
}

#[tokio::test]
async fn a_keyed_list_gets_an_item() {
    let client = Client::new();
    let change = apply(
        "Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: \"s\", image: \"m\", restartPolicy: \"Always\"}]}}",
    );
    client.changing("p", json!({"mutations": [change]}), json!({})).await;
    let pod = json!({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "a", "image": "b"}]}});
    let made = client.make("/api/v1/namespaces/default/pods", &pod).await;
    let added = &made["spec"]["initContainers"][0];
    // Defaults come after the change.
    assert_eq!((&added["name"], &added["imagePullPolicy"]), (&json!("s"), &json!("Always")));
}

#[tokio::test]
async fn patches_are_applied_unless_their_test_fails() {
    let client = Client::new();
    let change = patch(
        "[JSONPatch{op: \"test\", path: \"/data/a\", value: \"b\"}, JSONPatch{op: \"add\", path: \"/data/\" + \
         jsonpatch.escapeKey(\"c.d\"), value: \"x\"}]",
    );
    client.changing("p", json!({"mutations": [change]}), json!({})).await;
    assert_eq!(client.make(MAPS, &map("a", json!({"a": "b"}))).await["data"], json!({"a": "b", "c.d": "x"}));
    assert_eq!(client.make(MAPS, &map("b", json!({"a": "c"}))).await["data"], json!({"a": "c"}));
}

#[tokio::test]
async fn patches_that_do_not_apply_are_told() {
    let cases = [
        (
            "[JSONPatch{op: \"replace\", path: \"/nope/a\", value: \"b\"}]",
            403,
            refusal("JSON Patch: replace operation does not apply: doc is missing path: /nope/a: missing value"),
        ),
        ("[JSONPatch{op: \"foo\", path: \"/a\", value: \"b\"}]", 403, refusal("JSON Patch: Unexpected kind: foo")),
        (
            "[JSONPatch{op: \"add\", path: \"/nope\", value: \"b\"}]",
            500,
            "Internal error occurred: strict decoding error: unknown field \"nope\"".to_owned(),
        ),
        (
            "[JSONPatch{op: \"add\", path: \"/data\", value: {\"a\": 1}}]",
            500,
            "Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type string".to_owned(),
        ),
    ];
    for (expression, code, message) in cases {
        let client = Client::new();
        client.changing("p", json!({"mutations": [patch(expression)]}), json!({})).await;
        let refused = client.post(MAPS, &map("a", json!({"a": "b"}))).await;
        assert_eq!((refused.code, refused.message()), (code, message.as_str()));
    }
}

#[tokio::test]
async fn parameters_reach_changes() {
    let client = Client::new();
    let spec = json!({
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "mutations": [apply("Object{data: {\"p\": params.data.p}}")],
    });
    let binding = json!({"paramRef": {"name": "params", "namespace": "kube-system", "parameterNotFoundAction": "Deny"}});
    client.changing("p", spec, binding).await;
    let refused = client.post(MAPS, &map("a", Value::Null)).await;
    let why =
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    assert_eq!(
        (refused.body["reason"].as_str(), refused.message()),
        (Some("Forbidden"), refusal(why).as_str())
    );
}

#[tokio::test]
async fn a_policy_may_look_again() {
    let client = Client::new();
    let first = json!({
        "reinvocationPolicy": "IfNeeded",
        "matchConditions": [{"name": "b", "expression": "has(object.data) && 'b' in object.data"}],
        "mutations": [apply("Object{data: {\"c\": \"from-b\"}}")],
    });
    client.changing("a-first", first, json!({})).await;
    client
        .changing("b-second", json!({"mutations": [apply("Object{data: {\"b\": \"1\"}}")]}), json!({}))
        .await;
    let made = client.make(MAPS, &map("m", Value::Null)).await;
    assert_eq!(made["data"], json!({"b": "1", "c": "from-b"}));
}

#[tokio::test]
async fn changes_are_checked_when_a_policy_is_stored() {
    let client = Client::new();
    let mut policy = policy(
        "p",
        json!({
            "reinvocationPolicy": "Foo",
            "variables": [{"name": "x", "expression": "Object{}"}],
            "mutations": [
                apply("{\"a\":1}"), apply("Object.spec{a: 1}"), patch("[]"), patch("[JSONPatch{op: 1, path: \"/a\"}]"),
                patch("[JSONPatch{op: \"add\", path: \"/a\", nope: 2}]"), patch("[JSONPatch{op: \"add\", path: \"/a\"}, 1]"),
                {"patchType": "JSONPatch"}, {"patchType": "ApplyConfiguration", "jsonPatch": {"expression": "[]"}}, {"patchType": "Foo"}, {},
                apply(" "), apply("variables.x"), apply("has(object.x) ? Object{} : Object{data: {\"a\": 1}}"),
            ],
        }),
    );
    policy["spec"]["matchConstraints"]["resourceRules"][0]["operations"] = json!(["DELETE", "CREATE"]);
    let refused = client.post(&format!("{GROUP}/mutatingadmissionpolicies"), &policy).await;
    let causes = refused.causes();
    let expected = include_str!("mutation_errors.txt");
    assert_eq!(causes.join("\n") + "\n", expected);
}
