//! What a handler is told, given what it was told before and how things are.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::object::{ObjectKey, ObjectMeta};
use sample_controller::changes::{Change, Changes};

fn object(uid: &str, version: &str) -> Arc<ConfigMap> {
    let metadata = ObjectMeta {
        name: Some("a".into()),
        namespace: Some("default".into()),
        uid: Some(uid.into()),
        resource_version: Some(version.into()),
        ..ObjectMeta::default()
    };
    Arc::new(ConfigMap { metadata, ..ConfigMap::default() })
}

fn key() -> ObjectKey {
    ObjectKey::new("default", "a")
}

fn shown(change: &Change<ConfigMap>) -> String {
    let version = |object: &ConfigMap| {
        let meta = &object.metadata;
        [meta.uid.as_deref(), meta.resource_version.as_deref()].map(Option::unwrap_or_default).concat()
    };
    match change {
        Change::Created(object) => format!("+{}", version(object)),
        Change::Updated { old, new } => format!("{}>{}", version(old), version(new)),
        Change::Deleted(last) => format!("-{}", version(last)),
    }
}

/// Tells the handler all there is to tell.
fn tell(changes: &Changes<ConfigMap>, now: Option<&Arc<ConfigMap>>) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(change) = changes.next(&key(), now.cloned()) {
        told.push(shown(&change));
        changes.told(&key(), change);
    }
    told
}

#[test]
fn a_life_is_told_in_order_and_once() {
    let changes = Changes::default();
    assert_eq!(tell(&changes, Some(&object("a", "1"))), ["+a1"]);
    assert!(tell(&changes, Some(&object("a", "1"))).is_empty(), "a resync is nothing new");
    assert_eq!(tell(&changes, Some(&object("a", "2"))), ["a1>a2"]);
    assert_eq!(tell(&changes, None), ["-a2"]);
    assert!(tell(&changes, None).is_empty());
}

#[test]
fn what_failed_is_told_again() {
    let changes = Changes::default();
    let now = object("a", "1");
    for _ in 0..3 {
        let change = changes.next(&key(), Some(now.clone()));
        assert!(matches!(change, Some(Change::Created(_))));
    }
    assert_eq!(
        tell(&changes, Some(&object("a", "5"))),
        ["+a5"],
        "as it is now, not as it was when it failed"
    );
}

#[test]
fn a_delete_comes_with_the_last_state_that_was_seen() {
    let changes = Changes::default();
    tell(&changes, Some(&object("a", "1")));
    changes.keep_last(key(), object("a", "7"));
    assert_eq!(tell(&changes, None), ["-a7"]);
}

#[test]
fn one_that_was_made_anew_is_told_as_two() {
    let changes = Changes::default();
    tell(&changes, Some(&object("a", "1")));
    changes.keep_last(key(), object("a", "7"));
    assert_eq!(tell(&changes, Some(&object("b", "9"))), ["-a7", "+b9"]);
}

/// Last states are of one object, and of no use to the next of its name.
#[test]
fn an_old_last_state_is_not_mistaken_for_a_new_one() {
    let changes = Changes::default();
    changes.keep_last(key(), object("a", "7"));
    assert_eq!(tell(&changes, Some(&object("b", "9"))), ["+b9"]);
    assert_eq!(tell(&changes, None), ["-b9"]);
}

#[test]
fn one_that_came_and_went_unseen_is_not_told() {
    let changes = Changes::default();
    changes.keep_last(key(), object("a", "7"));
    assert!(tell(&changes, None).is_empty());
}
