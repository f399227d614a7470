//! Strategic merge patch: merge keys, directives, errors, in the words of a real server.

use kube_codegen_apiserver::{
    patch::{PatchError, StrategicPatch},
    schema::builtin,
};
use serde_json::{Value, json};

fn patch(api_version: &str, kind: &str, document: &Value, patch: &Value) -> Result<Value, PatchError> {
    let schema = builtin::object(api_version, kind)
        .unwrap_or_else(|| kube_codegen_apiserver::schema::TypeSchema::deduced().clone());
    StrategicPatch::from_value(patch.clone())?.apply(document, &schema)
}

fn service(ports: &Value) -> Value {
    json!({"spec": {"ports": ports}})
}

#[test]
fn lists_merge_by_key_and_what_is_new_comes_first() {
    for (stored, change, expected) in [
        (
            json!([{"port": 80, "name": "web"}]),
            json!([{"port": 80, "targetPort": 8080}]),
            json!([{"port": 80, "name": "web", "targetPort": 8080}]),
        ),
        (
            json!([{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}, {"port": 80}]),
            json!([{"name": "tls", "port": 443}, {"$patch": "delete", "port": 53}]),
            json!([{"name": "tls", "port": 443}, {"port": 80}]),
        ),
        (
            json!([{"port": 1}, {"port": 2}, {"port": 3}]),
            json!([{"port": 3, "name": "c"}, {"port": 4}]),
            json!([{"port": 1}, {"port": 2}, {"port": 3, "name": "c"}, {"port": 4}]),
        ),
        (json!([{"port": 1}]), json!([{"$patch": "replace"}, {"port": 2}]), json!([{"port": 2}])),
        (json!([{"port": 1, "name": "a"}]), json!([{"port": 1, "name": null}]), json!([{"port": 1}])),
    ] {
        assert_eq!(
            patch("v1", "Service", &service(&stored), &service(&change)),
            Ok(service(&expected)),
            "{change}"
        );
    }
}

#[test]
fn element_order_is_set() {
    let stored = json!({"spec": {"ports": [{"port": 1, "name": "a"}], "selector": {"a": "b"}}});
    let change = json!({"spec": {
        "$setElementOrder/ports": [{"port": 2}, {"port": 1}], "ports": [{"name": "b", "port": 2}], "selector": {"$patch": "replace", "c": "d"},
    }});
    let expected = json!({"spec": {"ports": [{"name": "b", "port": 2}, {"name": "a", "port": 1}], "selector": {"c": "d"}}});
    assert_eq!(patch("v1", "Service", &stored, &change), Ok(expected));
    let wrong = json!({"spec": {"$setElementOrder/ports": [{"port": 1}], "ports": [{"port": 2}]}});
    assert_eq!(patch("v1", "Service", &stored, &wrong).map_err(|error| error.code()), Err(500));
}

#[test]
fn lists_without_a_key_are_replaced_and_sets_of_scalars_merge() {
    let stored = json!({"spec": {"template": {"spec": {
        "tolerations": [{"key": "t1"}], "hostAliases": [{"ip": "1", "hostnames": ["a"]}], "imagePullSecrets": [{"name": "one"}],
    }}}});
    let change = json!({"spec": {"template": {"spec": {
        "tolerations": [{"key": "t2"}], "hostAliases": [{"ip": "1", "hostnames": ["b"]}, {"ip": "2", "hostnames": ["c"]}], "imagePullSecrets": [{"name": "two"}],
    }}}});
    let expected = json!({"spec": {"template": {"spec": {
        "tolerations": [{"key": "t2"}], "hostAliases": [{"ip": "1", "hostnames": ["b"]}, {"ip": "2", "hostnames": ["c"]}], "imagePullSecrets": [{"name": "two"}, {"name": "one"}],
    }}}});
    assert_eq!(patch("apps/v1", "Deployment", &stored, &change), Ok(expected));
    let stored = json!({"metadata": {"finalizers": ["a", "b", "c"]}});
    for (change, expected) in [
        (json!({"$deleteFromPrimitiveList/finalizers": ["b"]}), json!(["a", "c"])),
        (json!({"finalizers": ["c", "d"]}), json!(["a", "b", "c", "d"])),
        (
            json!({"$setElementOrder/finalizers": ["c", "a"], "$deleteFromPrimitiveList/finalizers": ["b"]}),
            json!(["c", "a"]),
        ),
    ] {
        let patched = patch("v1", "ConfigMap", &stored, &json!({"metadata": change}));
        assert_eq!(patched, Ok(json!({"metadata": {"finalizers": expected}})), "{change}");
    }
}

#[test]
fn retained_keys() {
    let stored = json!({"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}});
    let change =
        |directive: Value| json!({"spec": {"strategy": {"$retainKeys": directive, "type": "Recreate"}}});
    assert_eq!(
        patch("apps/v1", "Deployment", &stored, &change(json!(["type"]))),
        Ok(json!({"spec": {"strategy": {"type": "Recreate"}}}))
    );
    for wrong in [json!(["rollingUpdate"]), json!("type")] {
        let error = patch("apps/v1", "Deployment", &stored, &change(wrong));
        assert_eq!(error, Err(PatchError::BadRequest("invalid patch format of retainKeys".into())));
    }
}

#[test]
fn directives() {
    let stored = json!({"data": {"a": "one"}, "metadata": {"labels": {"x": "1"}}});
    for (change, expected) in [
        (
            json!({"data": {"$patch": "replace", "c": "three"}}),
            Ok(json!({"data": {"c": "three"}, "metadata": {"labels": {"x": "1"}}})),
        ),
        (
            json!({"metadata": {"labels": {"$patch": "delete"}}}),
            Ok(json!({"data": {"a": "one"}, "metadata": {"labels": {}}})),
        ),
        (
            json!({"data": {"$patch": "erase", "d": "four"}}),
            Err("unknown patch type: erase in map: map[$patch:erase d:four]".to_owned()),
        ),
        (
            json!({"data": {"$patch": "merge", "c": null, "d": "four"}}),
            Err("unknown patch type: merge in map: map[$patch:merge c:<nil> d:four]".to_owned()),
        ),
        (
            json!({"new": {"a": null, "b": [{"$patch": "delete"}, {"c": null}]}}),
            Ok(json!({"data": {"a": "one"}, "metadata": {"labels": {"x": "1"}}, "new": {"b": [{}]}})),
        ),
    ] {
        let found = patch("v1", "ConfigMap", &stored, &change).map_err(|error| error.to_string());
        assert_eq!(found, expected, "{change}");
    }
}

#[test]
fn items_without_their_key_are_500() {
    let stored = json!({"spec": {"containers": [{"name": "c", "image": "i"}]}});
    let change = json!({"spec": {"containers": [{"image": "j"}]}});
    let error = patch("v1", "Pod", &stored, &change).map_err(|error| (error.code(), error.to_string()));
    assert_eq!(error, Err((500, "map: map[image:j] does not contain declared merge key: name".to_owned())));
}

/// C106: a null in a merge patch removes the field.
#[test]
fn null_removes() {
    let stored = json!({"metadata": {"labels": {"a": "1", "b": "2"}}, "data": {"k": "v"}});
    let change = json!({"metadata": {"labels": {"a": null}}, "data": null});
    assert_eq!(patch("v1", "ConfigMap", &stored, &change), Ok(json!({"metadata": {"labels": {"b": "2"}}})));
}

mod properties {
    use super::{json, patch};
    use proptest::prelude::*;
    use serde_json::Value;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            (0..3).prop_map(Value::from),
            "[ab]|replace|delete".prop_map(Value::from)
        ];
        let name = || {
            prop_oneof![
                "name|spec|containers|ports|env|labels|metadata|finalizers|[$]patch|[$]retainKeys|[$]setElementOrder/containers",
                "[$]setElementOrder/finalizers|[$]deleteFromPrimitiveList/finalizers|[$]setElementOrder|template"
            ]
        };
        leaf.prop_recursive(5, 32, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map(name(), inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    fn containers() -> impl Strategy<Value = Value> {
        proptest::collection::btree_map("[a-d]", proptest::option::of("[x-z]"), 0..4).prop_map(|names| {
            let item = |(name, image): (String, Option<String>)| {
                image.map_or(json!({"name": name}), |image| json!({"name": name, "image": image}))
            };
            json!({"spec": {"containers": names.into_iter().map(item).collect::<Vec<_>>()}})
        })
    }

    proptest! {
        #[test]
        fn nothing_panics(document in value(), change in value()) {
            let _ = patch("v1", "Pod", &document, &change);
        }

        #[test]
        fn merging_by_key_twice_is_merging_once(document in containers(), change in containers()) {
            let once = patch("v1", "Pod", &document, &change).unwrap();
            prop_assert_eq!(&patch("v1", "Pod", &once, &change).unwrap(), &once);
            let names = |value: &Value| -> Vec<Value> {
                value["spec"]["containers"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect()
            };
            for name in names(&document).iter().chain(&names(&change)) {
                prop_assert!(names(&once).contains(name));
            }
        }
    }
}
