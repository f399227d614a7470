//! What generated setters call.

//! The helpers behind generated setters.

use std::collections::BTreeMap;

use kube_codegen_runtime::object::{extend_items, insert_entries};

#[test]
fn entries_are_added_and_replaced() {
    let mut labels: Option<BTreeMap<String, String>> = None;
    insert_entries(&mut labels, [("tier", "batch"), ("app", "at")]);
    insert_entries(&mut labels, BTreeMap::from([("tier".to_owned(), "web".to_owned())]));
    let expected = [("app", "at"), ("tier", "web")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(labels, Some(BTreeMap::from(expected)));
}

#[test]
fn items_are_appended() {
    let mut finalizers: Option<Vec<String>> = Some(vec!["a".into()]);
    extend_items(&mut finalizers, ["b", "a"]);
    assert_eq!(finalizers.unwrap(), ["a", "b", "a"]);
}

/// Applying an empty map claims the map; not applying it does not.
#[test]
fn nothing_added_is_something_set() {
    let mut labels: Option<BTreeMap<String, String>> = None;
    insert_entries(&mut labels, [] as [(&str, &str); 0]);
    assert_eq!(labels, Some(BTreeMap::new()));

    let mut items: Option<Vec<String>> = None;
    extend_items(&mut items, [] as [&str; 0]);
    assert_eq!(items, Some(Vec::new()));
}
