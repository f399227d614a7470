//! JSON patch and merge patch: the cases of a real server, and laws that hold for any value.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kube_codegen_apiserver::patch::{JsonPatch, MAX_OPERATIONS, MergePatch, PatchError};
use proptest::prelude::*;
use serde_json::{Value, json};

fn json_patch(document: &Value, operations: &Value) -> Result<Value, PatchError> {
    JsonPatch::from_value(operations)?.apply(document)
}

fn merge(document: &Value, patch: &Value) -> Value {
    MergePatch::from_value(patch.clone()).unwrap().apply(document.clone())
}

#[test]
fn operations_run_in_order_and_see_each_other() {
    let document = json!({"data": {"a": "one", "b": "two", "c": "three"}});
    let operations = json!([
        {"op": "test", "path": "/data/a", "value": "one"},
        {"op": "add", "path": "/data/d", "value": "four"},
        {"op": "replace", "path": "/data/a", "value": "uno"},
        {"op": "remove", "path": "/data/b"},
        {"op": "copy", "from": "/data/a", "path": "/data/e"},
        {"op": "move", "from": "/data/c", "path": "/data/f"},
    ]);
    let expected = json!({"data": {"a": "uno", "d": "four", "e": "uno", "f": "three"}});
    assert_eq!(json_patch(&document, &operations), Ok(expected));
}

#[test]
fn deviations_of_the_real_server() {
    let document = json!({"l": ["b"], "m": {"x": 1}, "n": null});
    for (operations, expected) in [
        (
            json!([{"op": "replace", "path": "/m/y", "value": 2}]),
            json!({"l": ["b"], "m": {"x": 1, "y": 2}, "n": null}),
        ),
        (
            json!([{"op": "copy", "from": "/m/none", "path": "/m/x"}]),
            json!({"l": ["b"], "m": {"x": null}, "n": null}),
        ),
        (json!([{"op": "add", "path": "/m/x"}]), json!({"l": ["b"], "m": {"x": null}, "n": null})),
        (json!([{"op": "test", "path": "/m/none", "value": null}]), document.clone()),
        (json!([{"op": "test", "path": "/n", "value": null}]), document.clone()),
        (json!([{"op": "replace", "path": "", "value": 1}]), document.clone()),
        (json!([{"op": "replace", "path": "", "value": [1]}]), json!([1])),
        (
            json!([{"op": "add", "path": "/l/-1", "value": "c"}]),
            json!({"l": ["b", "c"], "m": {"x": 1}, "n": null}),
        ),
        (
            json!([{"op": "add", "path": "/l/0", "value": "a"}]),
            json!({"l": ["a", "b"], "m": {"x": 1}, "n": null}),
        ),
        (json!([{"op": "remove", "path": "/l/-1"}]), json!({"l": [], "m": {"x": 1}, "n": null})),
        (
            json!([{"op": "add", "path": "/a~1b~01", "value": 1}, {"op": "remove", "path": "/n"}]),
            json!({"l": ["b"], "m": {"x": 1}, "a/b~1": 1}),
        ),
        (json!([]), document.clone()),
        (json!(null), document.clone()),
    ] {
        assert_eq!(json_patch(&document, &operations), Ok(expected), "{operations}");
    }
}

#[test]
fn impossible_operations_are_a_bare_422() {
    let document = json!({"l": ["b"], "m": {"x": 1}, "n": null});
    for operations in [
        json!([{"op": "increment", "path": "/m/x"}]),
        json!([{"path": "/m/x"}]),
        json!([{"op": "add", "value": 1}]),
        json!([null]),
        json!([{"op": "remove", "path": "/m/none"}]),
        json!([{"op": "move", "from": "/m/none", "path": "/m/y"}]),
        json!([{"op": "remove", "path": ""}]),
        json!([{"op": "add", "path": "", "value": {}}]),
        json!([{"op": "add", "path": "/none/x", "value": 1}]),
        json!([{"op": "add", "path": "/n/x", "value": 1}]),
        json!([{"op": "add", "path": "/m/x/y", "value": 1}]),
        json!([{"op": "add", "path": "/l/2", "value": "z"}]),
        json!([{"op": "replace", "path": "/l/-", "value": "z"}]),
        json!([{"op": "remove", "path": "/l/1"}]),
        json!([{"op": "remove", "path": "/l/-2"}]),
        json!([{"op": "test", "path": "/m/x", "value": 2}]),
        json!([{"op": "test", "path": "/m/x"}]),
    ] {
        assert_eq!(json_patch(&document, &operations), Err(PatchError::Rejected), "{operations}");
    }
}

#[test]
fn wrong_bodies_are_400_and_too_long_ones_413() {
    let error = JsonPatch::from_value(&json!({"data": {}})).unwrap_err();
    assert_eq!(error.code(), 400);
    assert_eq!(
        error.to_string(),
        "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"
    );
    let operation = json!({"op": "test", "path": "/a", "value": 1});
    let most = Value::Array(vec![operation.clone(); MAX_OPERATIONS]);
    assert_eq!(json_patch(&json!({"a": 1}), &most), Ok(json!({"a": 1})));
    let error = JsonPatch::from_value(&Value::Array(vec![operation; MAX_OPERATIONS + 1])).unwrap_err();
    assert_eq!(error.code(), 413);
    assert_eq!(
        error.to_string(),
        "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001"
    );
    assert_eq!(MergePatch::from_value(json!([])).unwrap_err().code(), 400);
    assert_eq!(
        JsonPatch::unknown_members(&json!([{"op": "add", "note": "x"}])),
        ["json patch unknown field \"[0].note\""]
    );
}

#[test]
fn merge_patch_drops_nulls_of_what_it_brings_in() {
    let document = json!({"keep": null, "old": 1, "obj": {"x": 1}});
    let patch = json!({"list": [null, {"x": null, "y": 1}], "new": {"a": null, "b": {"c": null, "d": 1}, "e": {"f": null}}, "obj": {"x": null}});
    assert_eq!(
        merge(&document, &patch),
        json!({"keep": null, "old": 1, "list": [null, {"y": 1}], "new": {"b": {"d": 1}, "e": {}}, "obj": {}})
    );
    assert_eq!(merge(&json!({"l": [1, 2]}), &json!({"l": {"x": null}})), json!({"l": {}}));
    assert_eq!(merge(&json!({"o": {"a": 1}}), &json!({"o": "text"})), json!({"o": "text"}));
}

/// Any JSON value, not too deep.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..3).prop_map(Value::from),
        "[a-c/~]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-c]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    proptest::collection::btree_map("[a-c]", value(), 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// A list in the place of an object comes in with its nulls: the one case where a second merge does more.
fn without_lists(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, without_lists(member))).collect()
        }
        Value::Array(items) => Value::from(items.len()),
        other => other,
    }
}

fn operation() -> impl Strategy<Value = Value> {
    let path = || prop_oneof!["(/([a-c]|0|1|-|-1)){0,3}", "[a-c/~01-]{0,5}"];
    (
        prop_oneof![
            Just("add"),
            Just("remove"),
            Just("replace"),
            Just("move"),
            Just("copy"),
            Just("test"),
            Just("x")
        ],
        path(),
        path(),
        proptest::option::of(value()),
    )
        .prop_map(|(op, path, from, value)| {
            let mut operation = json!({"op": op, "path": path, "from": from});
            if let Some(value) = value {
                operation["value"] = value;
            }
            operation
        })
}

proptest! {
    #[test]
    fn json_patch_never_panics(document in value(), operations in proptest::collection::vec(operation(), 0..6)) {
        let _ = json_patch(&document, &Value::Array(operations));
    }

    #[test]
    fn any_value_as_a_patch_never_panics(document in value(), patch in value()) {
        let _ = json_patch(&document, &patch);
        let _ = MergePatch::from_value(patch).map(|patch| patch.apply(document));
    }

    #[test]
    fn what_was_added_tests_equal_and_can_be_removed(document in object(), key in "[d-f~/]{1,3}", value in value()) {
        let path = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        let added = json_patch(&document, &json!([
            {"op": "add", "path": path, "value": value}, {"op": "test", "path": path, "value": value},
        ])).unwrap();
        prop_assert_eq!(&added[&key], &value);
        prop_assert_eq!(json_patch(&added, &json!([{"op": "remove", "path": path}])).unwrap(), document);
    }

    #[test]
    fn merging_twice_is_merging_once(document in object(), patch in object().prop_map(without_lists)) {
        let once = merge(&document, &patch);
        prop_assert_eq!(merge(&once, &patch), once);
    }

    #[test]
    fn an_empty_patch_changes_nothing(document in object()) {
        prop_assert_eq!(merge(&document, &json!({})), document);
    }

    #[test]
    fn no_member_that_the_patch_nulls_survives(document in object(), key in "[a-c]") {
        let merged = merge(&document, &json!({&key: null}));
        prop_assert!(merged.get(&key).is_none());
    }
}
