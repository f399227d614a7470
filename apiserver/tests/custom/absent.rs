//! What is null, what is missing, and what comes back for it.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, WIDGETS, apply, ask, definition, server, widget};

#[tokio::test]
async fn for_rules_a_null_member_is_not_there() {
    let rules = json!([{"rule": "!has(self.n) || self.n > 3"}, {"rule": "self.?n.orValue(7) > 3"}]);
    let n = json!({"type": "integer", "nullable": true});
    let server =
        server(&json!({"type": "object", "properties": {"n": n}, "x-kubernetes-validations": rules})).await;
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"n": null}))).await;
    assert_eq!((created.code, &created.body["spec"]), (201, &json!({"n": null})));
}

#[tokio::test]
async fn in_a_comparison_a_null_member_counts() {
    let parts = json!({"type": "object", "properties": {"n": {"type": "integer", "nullable": true}}});
    let properties = json!({"one": parts, "other": parts});
    let rules = json!([{"rule": "self.one == self.other"}]);
    let server =
        server(&json!({"type": "object", "properties": properties, "x-kubernetes-validations": rules})).await;
    for (one, other, code) in
        [(json!({"n": null}), json!({}), 422), (json!({"n": null}), json!({"n": null}), 201)]
    {
        let spec = json!({"one": one, "other": other});
        let created = ask(&server, Method::POST, WIDGETS, &widget("a", &spec)).await;
        assert_eq!(created.code, code, "{spec}");
    }
}

#[tokio::test]
async fn a_null_before_is_nothing_to_compare_with() {
    let rules = json!([{"rule": "self == oldSelf"}]);
    let server =
        server(&json!({"type": "object", "nullable": true, "properties": {"n": {"type": "integer"}}, "x-kubernetes-validations": rules}))
            .await;
    let mut object = ask(&server, Method::POST, WIDGETS, &widget("a", &Value::Null)).await.body;
    for (n, code) in [(1, 200), (2, 422)] {
        object["spec"] = json!({"n": n});
        let answer = ask(&server, Method::PUT, &format!("{WIDGETS}/a"), &object).await;
        assert_eq!(answer.code, code, "{n}");
        if answer.code == 200 {
            object = answer.body;
        }
    }
}

#[tokio::test]
async fn a_status_with_a_default_comes_back_also_where_it_is_dropped() {
    let server = ApiServer::builder().seed(5).build();
    let mut defaulted = definition(&json!({"type": "object"}));
    let version = &mut defaulted["spec"]["versions"][0];
    version["subresources"] = json!({"status": {}});
    version["schema"]["openAPIV3Schema"]["properties"]["status"] =
        json!({"type": "object", "default": {"seen": -1}, "properties": {"seen": {"type": "integer"}}});
    assert_eq!(ask(&server, Method::POST, DEFINITIONS, &defaulted).await.code, 201);
    let mut object = widget("a", &json!({}));
    object["status"] = json!({"seen": 4});
    for path in [format!("{WIDGETS}?dryRun=All"), WIDGETS.to_owned()] {
        let created = ask(&server, Method::POST, &path, &object).await;
        assert_eq!(created.body["status"], json!({"seen": -1}), "{path}");
    }
}

#[tokio::test]
async fn the_defaults_of_the_stored_version_are_seen_in_every_version() {
    let server = ApiServer::builder().seed(5).build();
    let mut both = definition(&json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    let mut stored = both["spec"]["versions"][0].clone();
    stored["name"] = "v2".into();
    stored["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["a"]["default"] = "filled".into();
    both["spec"]["versions"][0]["storage"] = false.into();
    both["spec"]["versions"].as_array_mut().unwrap().push(stored);
    assert_eq!(ask(&server, Method::POST, DEFINITIONS, &both).await.code, 201);
    for path in [format!("{WIDGETS}?dryRun=All"), WIDGETS.to_owned()] {
        let created = ask(&server, Method::POST, &path, &widget("a", &json!({}))).await;
        assert_eq!((created.code, &created.body["spec"]), (201, &json!({"a": "filled"})), "{path}");
        assert_eq!(created.body["apiVersion"], "example.com/v1");
    }
}

#[tokio::test]
async fn embedded_metadata_that_is_null_is_empty() {
    let inner = json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
    let server = server(&json!({"type": "object", "properties": {"inner": inner}})).await;
    let spec = json!({"inner": {"apiVersion": "v1", "kind": "Pod", "metadata": null}});
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &spec)).await;
    assert_eq!((created.code, &created.body["spec"]["inner"]["metadata"]), (201, &json!({})));
}

#[tokio::test]
async fn empty_lists_of_schemas_are_left_out_however_deep() {
    let server = ApiServer::builder().seed(5).build();
    let items = json!({"type": "object", "required": [], "properties": {"a": {"type": "string", "enum": [], "odd": 1}}});
    let deep =
        definition(&json!({"type": "object", "properties": {"list": {"type": "array", "items": items}}}));
    let defined = ask(&server, Method::POST, &format!("{DEFINITIONS}?fieldValidation=Strict"), &deep).await;
    assert_eq!(defined.code, 201, "{:?}", defined.body);
    let at = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/list/items";
    let wanted = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    assert_eq!(defined.body.pointer(at), Some(&wanted));
}

#[tokio::test]
async fn nobody_owns_what_is_not_of_its_type() {
    let bytes = json!({"type": "string", "format": "byte"});
    let server = server(&json!({"type": "object", "properties": {"data": bytes}})).await;
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"data": []}))).await;
    assert_eq!((created.code, &created.body["metadata"]["managedFields"]), (201, &Value::Null));
    let created = ask(&server, Method::POST, WIDGETS, &widget("b", &json!({"data": "eA=="}))).await;
    assert!(created.body["metadata"]["managedFields"].is_array());
    // A time may be any value without parts where owners are told: here it is dropped, being of the status.
    let server = ApiServer::builder().seed(5).build();
    let mut timed = definition(&json!({"type": "object"}));
    let version = &mut timed["spec"]["versions"][0];
    version["subresources"] = json!({"status": {}});
    version["schema"]["openAPIV3Schema"]["properties"]["status"] =
        json!({"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}});
    assert_eq!(ask(&server, Method::POST, DEFINITIONS, &timed).await.code, 201);
    let mut object = widget("b", &json!({}));
    object["status"] = json!({"at": true});
    let created = ask(&server, Method::POST, WIDGETS, &object).await;
    assert_eq!(created.body["metadata"]["managedFields"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn keys_of_items_are_written_as_go_writes_json() {
    let item = json!({"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}});
    let list = json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": item});
    let server = server(&json!({"type": "object", "properties": {"list": list}})).await;
    let spec = json!({"list": [{"k": "a<b&c"}]});
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &spec)).await;
    let owned = &created.body["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:list"];
    assert!(owned.get(r#"k:{"k":"a\u003cb\u0026c"}"#).is_some(), "{owned}");
    let twice = json!({"list": [{"k": "a<b"}, {"k": "a<b"}]});
    let refused = ask(&server, Method::POST, WIDGETS, &widget("b", &twice)).await;
    assert_eq!(refused.causes(), [r#"spec.list[1]: Duplicate value: {"k":"a\u003cb"}"#]);
}

#[tokio::test]
async fn an_applied_null_is_judged_as_any_value() {
    let properties = json!({
        "s": {"type": "string"},
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
        "d": {"type": "integer", "default": 1},
        "any": {"x-kubernetes-preserve-unknown-fields": true},
    });
    let server = server(&json!({"type": "object", "properties": properties})).await;
    for old in ["there", "new"] {
        let path = format!("{WIDGETS}/{old}?fieldManager=me&force=true");
        if old == "there" {
            ask(&server, Method::POST, WIDGETS, &widget(old, &json!({"d": 3}))).await;
        }
        for (spec, field, kind) in
            [(json!({"s": null}), "spec.s", "string"), (json!({"m": {"a": null}}), "spec.m.a", "string")]
        {
            let refused = apply(&server, &path, &widget(old, &spec)).await;
            let why =
                format!("{field}: Invalid value: \"null\": {field} in body must be of type {kind}: \"null\"");
            assert_eq!(refused.causes().first(), Some(&why), "{old}");
        }
        // With a default it means the default, and what may be anything comes back as nothing.
        let applied = apply(&server, &path, &widget(old, &json!({"d": null, "any": null}))).await;
        assert_eq!(applied.body["spec"], json!({"d": 1}), "{old}");
    }
}

#[tokio::test]
async fn in_an_applied_document_a_whole_number_has_no_fraction() {
    let server = server(&json!({"type": "object", "properties": {"n": {"type": "integer"}}})).await;
    let path = format!("{WIDGETS}/a?fieldManager=me");
    let applied = apply(&server, &path, &widget("a", &json!({"n": 2.0}))).await;
    assert_eq!(applied.body["spec"].to_string(), r#"{"n":2}"#);
}
