//! What a manager owns, read off the managed fields.

//! What a manager owns of an object, and only that, is extracted.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry};
use kube_codegen_runtime::object::{ExtractError, ObjectMeta, extract, extract_subresource};
use serde_json::{Value, json};

use crate::types::{Anything, AnythingApplyConfiguration};

fn applied(manager: &str, fields: Value) -> ManagedFieldsEntry {
    ManagedFieldsEntry {
        api_version: Some("cnat.example.com/v1".into()),
        fields_type: Some("FieldsV1".into()),
        fields_v1: Some(FieldsV1(fields)),
        manager: Some(manager.into()),
        operation: Some("Apply".into()),
        ..ManagedFieldsEntry::default()
    }
}

fn updated(manager: &str, fields: Value) -> ManagedFieldsEntry {
    ManagedFieldsEntry { operation: Some("Update".into()), ..applied(manager, fields) }
}

fn on_status(entry: ManagedFieldsEntry) -> ManagedFieldsEntry {
    ManagedFieldsEntry { subresource: Some("status".into()), ..entry }
}

fn object(spec: Value, entries: impl IntoIterator<Item = ManagedFieldsEntry>) -> Anything {
    let metadata = ObjectMeta {
        name: Some("a".into()),
        namespace: Some("default".into()),
        uid: Some("1".into()),
        resource_version: Some("7".into()),
        managed_fields: Some(entries.into_iter().collect()),
        ..ObjectMeta::default()
    };
    Anything { metadata, spec, ..Anything::default() }
}

#[track_caller]
fn mine(object: &Anything) -> AnythingApplyConfiguration {
    extract(object, "me").unwrap()
}

#[test]
fn only_what_the_manager_applied_is_taken() {
    let object = object(
        json!({"replicas": 3, "image": "x", "paused": true}),
        [
            applied("me", json!({"f:spec": {"f:replicas": {}}})),
            applied("you", json!({"f:spec": {"f:image": {}}})),
            updated("me", json!({"f:spec": {"f:paused": {}}})),
        ],
    );
    let part = mine(&object);
    assert_eq!(part.spec, Some(json!({"replicas": 3})));
    assert_eq!(part.status, None);
    let kept =
        ObjectMeta { name: Some("a".into()), namespace: Some("default".into()), ..ObjectMeta::default() };
    assert_eq!(part.metadata, kept);
}

#[test]
fn a_manager_that_owns_nothing_gets_the_identity() {
    for entries in [vec![], vec![applied("you", json!({"f:spec": {"f:replicas": {}}}))]] {
        let part = mine(&object(json!({"replicas": 3}), entries));
        assert_eq!((part.metadata.name.as_deref(), part.spec), (Some("a"), None));
    }
}

#[test]
fn metadata_is_taken_entry_by_entry() {
    let mut object = object(
        json!({}),
        [
            applied(
                "me",
                json!({"f:metadata": {
                    "f:labels": {"f:app": {}, "f:gone": {}},
                    "f:finalizers": {".": {}, "v:\"me/done\"": {}},
                    "f:ownerReferences": {"k:{\"uid\":\"9\"}": {}},
                }}),
            ),
            updated(
                "you",
                json!({"f:metadata": {"f:labels": {"f:tier": {}}, "f:finalizers": {"v:\"you/done\"": {}}}}),
            ),
        ],
    );
    object.metadata.labels = Some([("app", "at"), ("tier", "web")].map(|(k, v)| (k.into(), v.into())).into());
    object.metadata.finalizers = Some(vec!["you/done".into(), "me/done".into()]);
    let owner =
        |uid: &str| json!({"apiVersion": "v1", "kind": "Pod", "name": uid, "uid": uid, "controller": true});
    object.metadata.owner_references = serde_json::from_value(json!([owner("8"), owner("9")])).unwrap();

    let metadata = mine(&object).metadata;
    assert_eq!(metadata.labels, Some([("app".into(), "at".into())].into()));
    assert_eq!(metadata.finalizers.unwrap(), ["me/done"]);
    assert_eq!(serde_json::to_value(metadata.owner_references).unwrap(), json!([owner("9")]));
    assert_eq!((metadata.uid, metadata.resource_version, metadata.managed_fields), (None, None, None));
}

/// Items stay in the order of the object, and keep the fields that they are known by.
#[test]
fn keyed_items_are_found_by_all_their_keys() {
    let object = object(
        json!({"ports": [
            {"port": 80, "protocol": "UDP", "name": "u"},
            {"port": 80, "protocol": "TCP", "name": "t", "target": 8080},
            {"port": 443, "protocol": "TCP", "name": "s"},
        ]}),
        [
            applied(
                "me",
                json!({"f:spec": {"f:ports": {
                    "k:{\"port\":443,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}},
                    "k:{\"port\":80,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}, "f:target": {}},
                }}}),
            ),
            updated(
                "you",
                json!({"f:spec": {"f:ports": {"k:{\"port\":443,\"protocol\":\"TCP\"}": {"f:name": {}}}}}),
            ),
        ],
    );
    let ports = json!({"ports": [
        {"port": 80, "protocol": "TCP", "target": 8080},
        {"port": 443, "protocol": "TCP"},
    ]});
    assert_eq!(mine(&object).spec, Some(ports));
}

/// The server fills a default into the key alone where the schema has one.
#[test]
fn a_key_field_may_be_missing_in_the_item() {
    let object = object(
        json!({"ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "name": "dns"}, {"port": 54}]}),
        [applied(
            "me",
            json!({"f:spec": {"f:ports": {
                "k:{\"port\":53,\"protocol\":\"TCP\"}": {".": {}, "f:name": {}, "f:port": {}},
                "k:{\"port\":53,\"protocol\":\"UDP\"}": {".": {}, "f:port": {}},
            }}}),
        )],
    );
    let ports = json!({"ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "name": "dns"}]});
    assert_eq!(mine(&object).spec, Some(ports));
}

#[test]
fn sets_of_any_scalar_and_places_in_a_list_are_taken() {
    let object = object(
        json!({"days": [1, 2, 3], "flags": [true, false], "steps": ["a", "b", "c"]}),
        [applied(
            "me",
            json!({"f:spec": {
                "f:days": {"v:3": {}, "v:1": {}},
                "f:flags": {"v:false": {}},
                "f:steps": {"i:2": {}, "i:0": {}, "i:9": {}},
            }}),
        )],
    );
    let spec = json!({"days": [1, 3], "flags": [false], "steps": ["a", "c"]});
    assert_eq!(mine(&object).spec, Some(spec));
}

/// A leaf of the tree is the whole value, unless others are seen to own parts of it.
#[test]
fn a_leaf_is_the_whole_value_or_an_empty_one() {
    let spec =
        json!({"selector": {"app": "at"}, "labels": {"yours": "1"}, "args": ["x", "y"], "hosts": ["h"]});
    let object = object(
        spec,
        [
            applied("me", json!({"f:spec": {"f:selector": {}, "f:labels": {}, "f:args": {}, "f:hosts": {}}})),
            applied("you", json!({"f:spec": {"f:labels": {"f:yours": {}}, "f:hosts": {"v:\"h\"": {}}}})),
        ],
    );
    let part = json!({"selector": {"app": "at"}, "labels": {}, "args": ["x", "y"], "hosts": []});
    assert_eq!(mine(&object).spec, Some(part));
}

#[test]
fn the_applies_of_several_versions_are_joined() {
    let older = ManagedFieldsEntry {
        api_version: Some("cnat.example.com/v1alpha1".into()),
        ..applied("me", json!({"f:spec": {"f:image": {}, "f:renamed": {}, "f:replicas": {"f:gone": {}}}}))
    };
    let object = object(
        json!({"image": "x", "replicas": 3, "paused": true}),
        [older, applied("me", json!({"f:spec": {"f:paused": {}}}))],
    );
    assert_eq!(mine(&object).spec, Some(json!({"image": "x", "paused": true})));
}

#[test]
fn subresources_are_apart() {
    let mut object = object(
        json!({"replicas": 3}),
        [
            applied("me", json!({"f:spec": {"f:replicas": {}}})),
            on_status(applied("me", json!({"f:status": {"f:phase": {}}}))),
        ],
    );
    object.status = json!({"phase": "DONE", "ready": 1});

    let main = mine(&object);
    assert_eq!((main.spec, main.status), (Some(json!({"replicas": 3})), None));
    let status: AnythingApplyConfiguration = extract_subresource(&object, "me", "status").unwrap();
    assert_eq!((status.spec, status.status), (None, Some(json!({"phase": "DONE"}))));
}

#[test]
fn unset_and_absent_fields_are_left_out() {
    let object =
        object(json!({"image": "x"}), [applied("me", json!({"f:spec": {"f:image": {}, "f:replicas": {}}}))]);
    assert_eq!(mine(&object).spec, Some(json!({"image": "x"})));
}

#[test]
fn malformed_keys_are_named() {
    let malformed = ["spec", "x:spec", "k:name", "k:[]", "k:{}", "v:", "i:one", "i:-1", ""];
    for key in malformed {
        let object = object(json!({}), [applied("me", json!({"f:spec": {key: {}}}))]);
        let error = extract::<AnythingApplyConfiguration>(&object, "me").unwrap_err();
        assert!(
            matches!(&error, ExtractError::MalformedKey { manager, key: named } if manager == "me" && named == key)
        );
        assert!(error.to_string().contains(&format!("{key:?}")), "{error}");
    }
}

#[test]
fn a_tree_that_is_no_tree_is_an_error() {
    let object = object(json!({}), [applied("me", json!({"f:spec": 3}))]);
    assert!(matches!(
        extract::<AnythingApplyConfiguration>(&object, "me"),
        Err(ExtractError::MalformedKey { .. })
    ));
}

#[test]
fn an_unknown_format_is_an_error() {
    let entry =
        ManagedFieldsEntry { fields_type: Some("FieldsV2".into()), ..applied("me", json!({"f:spec": {}})) };
    let error = extract::<AnythingApplyConfiguration>(&object(json!({}), [entry]), "me").unwrap_err();
    assert!(error.to_string().contains("FieldsV2"), "{error}");
}
