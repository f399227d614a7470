//! Keys: their text, their order, and lookups by two strings.

//! Keys: their parts, their text, their order.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    mem::size_of,
};

use k8s_openapi::api::core::v1::{ConfigMap, Node};
use kube_codegen_runtime::object::{ObjectKey, ObjectMeta};
use proptest::prelude::*;

#[test]
fn reads_its_parts_from_the_object() {
    let metadata =
        ObjectMeta { name: Some("a".into()), namespace: Some("default".into()), ..ObjectMeta::default() };
    let key = ObjectKey::of(&ConfigMap { metadata, ..ConfigMap::default() });
    assert_eq!((key.namespace(), key.name(), key.as_str()), (Some("default"), "a", "default/a"));

    let metadata = ObjectMeta { name: Some("worker-1".into()), ..ObjectMeta::default() };
    let key = ObjectKey::of(&Node { metadata, ..Node::default() });
    assert_eq!((key.namespace(), key.name(), key.as_str()), (None, "worker-1", "worker-1"));
    assert_eq!(key, ObjectKey::cluster("worker-1"));
}

#[test]
fn an_object_without_a_name_has_an_empty_key() {
    let key = ObjectKey::of(&ConfigMap::default());
    assert_eq!((key.namespace(), key.name()), (None, ""));
}

#[test]
fn is_two_words_and_an_option_of_it_too() {
    assert_eq!(size_of::<ObjectKey>(), 2 * size_of::<usize>());
    assert_eq!(size_of::<Option<ObjectKey>>(), 2 * size_of::<usize>());
}

#[test]
fn a_clone_shares_the_text() {
    let key = ObjectKey::new("default", "a");
    assert_eq!(key.clone().as_str().as_ptr(), key.as_str().as_ptr());
}

/// Servers list by storage key, in which the slash sorts between `.` and `0`.
#[test]
fn sorts_as_a_server_lists() {
    let keys: BTreeSet<_> = [("a", "x"), ("a-b", "x"), ("a.b", "x"), ("a0", "x"), ("a", "b"), ("b", "")]
        .map(|(namespace, name)| ObjectKey::new(namespace, name))
        .into();
    let order: Vec<_> = keys.iter().map(ObjectKey::as_str).collect();
    assert_eq!(order, ["a-b/x", "a.b/x", "a/b", "a/x", "a0/x", "b/"]);
}

#[test]
fn shows_as_its_text() {
    let key = ObjectKey::new("default", "a");
    assert_eq!(format!("{key}|{key:>12}|{key:?}"), "default/a|   default/a|ObjectKey(default/a)");
}

#[test]
fn text_with_an_empty_or_a_third_part_is_refused() {
    for text in ["", "/", "a/", "/a", "a/b/c", "a//b"] {
        let error = text.parse::<ObjectKey>().unwrap_err().to_string();
        assert!(error.contains(&format!("{text:?}")) && error.contains("namespace/name"), "{error}");
    }
}

/// Longer than any legal key: slower, never wrong.
#[test]
fn keys_of_any_length_are_found() {
    for length in [1, 250, 253, 254, 300, 5000] {
        let (namespace, name) = ("n".repeat(63), "x".repeat(length));
        let key = ObjectKey::new(&namespace, &name);
        assert_eq!((key.namespace(), key.name()), (Some(&*namespace), &*name));
        let map = HashMap::from([(key, ())]);
        assert!(ObjectKey::lookup(&namespace, &name, |text| map.contains_key(text)));
    }
}

proptest! {
    #[test]
    fn parts_text_and_lookups_agree(
        namespace in "[a-z0-9.-]{0,70}",
        name in "[a-zA-Z0-9.:é-]{1,260}",
    ) {
        let key = ObjectKey::new(&namespace, &name);
        prop_assert_eq!(key.namespace().unwrap_or_default(), &namespace);
        prop_assert_eq!(key.name(), &name);
        prop_assert_eq!(key.to_string().parse::<ObjectKey>().unwrap(), ObjectKey::new(&namespace, &name));

        let hashed = HashMap::from([(key.clone(), 1)]);
        let sorted = BTreeMap::from([(key, 1)]);
        let found = ObjectKey::lookup(&namespace, &name, |text| (hashed.get(text), sorted.get(text)));
        prop_assert_eq!(found, (Some(&1), Some(&1)));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,40}") {
        if let Ok(key) = text.parse::<ObjectKey>() {
            prop_assert_eq!(key.as_str(), text);
        }
    }
}
