//! The zero-sized type fields.

//! `TypeMeta`: free of charge, written and never read.

use std::{collections::HashSet, mem::size_of};

use kube_codegen_runtime::object::{ObjectList, ObjectMeta, TypeMeta};
use serde_json::json;

use crate::types::{At, AtSpec};

#[test]
fn takes_no_memory() {
    assert_eq!(size_of::<TypeMeta<At>>(), 0);
    assert_eq!(size_of::<At>(), size_of::<(ObjectMeta, AtSpec)>());
}

#[test]
fn is_written_first() {
    let text = serde_json::to_string(&At::default()).unwrap();
    assert!(text.starts_with(r#"{"apiVersion":"cnat.example.com/v1","kind":"At","#), "{text}");
}

#[test]
fn a_round_trip_keeps_the_object_and_its_type() {
    let written = json!({
        "apiVersion": "cnat.example.com/v1",
        "kind": "At",
        "metadata": {"name": "nightly", "namespace": "default", "labels": {"tier": "batch"}},
        "spec": {"schedule": "2030-01-01T00:00:00Z"},
    });
    let read: At = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(read.metadata.name.as_deref(), Some("nightly"));
    assert_eq!(serde_json::to_value(&read).unwrap(), written);
}

/// Items of a list come without type; the type is known and written all the same.
#[test]
fn an_absent_or_foreign_type_is_not_an_error() {
    let items = json!({"metadata": {"resourceVersion": "7"}, "items": [
        {"metadata": {"name": "a"}},
        {"apiVersion": "cnat.example.com/v1beta1", "kind": "Attic", "metadata": {"name": "b"}},
    ]});
    let list: ObjectList<At> = serde_json::from_value(items).unwrap();
    for at in list {
        let written = serde_json::to_value(&at).unwrap();
        assert_eq!((&written["apiVersion"], &written["kind"]), (&json!("cnat.example.com/v1"), &json!("At")));
    }
}

/// The traits hold for any type, also one that has none of them.
#[test]
fn has_the_traits_that_roots_derive() {
    struct Bare;
    let meta = TypeMeta::<Bare>::default();
    let copy = meta;
    assert!(meta == copy && meta <= copy);
    assert_eq!(HashSet::from([meta, copy]).len(), 1);
    assert_eq!(format!("{meta:?}"), "TypeMeta");
}
