//! Whatever was applied is extracted again, whoever else owns a part of the object.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry};
use kube_codegen_runtime::object::{ObjectMeta, extract};
use proptest::{collection::btree_map, prelude::*};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

use crate::types::{Anything, AnythingApplyConfiguration};

/// A value of which each part has owners; a small model of what a server's schema says.
#[derive(Clone, Debug)]
enum Part {
    /// A scalar, or an atomic list or map: owned as a whole.
    Whole(Owners, Value),
    /// An object or a map, owned field by field. The owners are those who applied it as empty.
    Fields(Owners, BTreeMap<String, Part>),
    /// A list of objects known by their `name`.
    Keyed(BTreeMap<String, BTreeMap<String, Part>>),
    /// A set of strings.
    Set(BTreeMap<String, Owners>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owners {
    Me,
    You,
    Both,
}

impl Owners {
    fn include(self, who: Owners) -> bool {
        self == Owners::Both || who == Owners::Both || self == who
    }
}

/// What `who` applied, with the field tree that a server would record for it. `Both` is everybody: the live value.
fn applied(part: &Part, who: Owners) -> Option<(Value, Value)> {
    match part {
        Part::Whole(owners, value) => owners.include(who).then(|| (value.clone(), json!({}))),
        Part::Fields(owners, fields) => {
            let (value, mut tree) = applied_fields(fields, who);
            if !tree.is_empty() {
                tree.insert(".".into(), json!({}));
            }
            (!value.is_empty() || owners.include(who)).then(|| (value.into(), tree.into()))
        }
        Part::Keyed(items) => {
            let (mut value, mut tree) = (Vec::new(), Map::new());
            for (name, fields) in items {
                let (mut item, mut below) = applied_fields(fields, who);
                if item.is_empty() {
                    continue;
                }
                item.insert("name".into(), name.as_str().into());
                below.extend([".".into(), "f:name".into()].map(|key: String| (key, json!({}))));
                value.push(item.into());
                tree.insert(format!("k:{}", json!({"name": name})), below.into());
            }
            (!value.is_empty()).then(|| (Value::Array(value), tree.into()))
        }
        Part::Set(items) => {
            let mine: Vec<_> = items.iter().filter(|(_, owners)| owners.include(who)).collect();
            let value: Vec<Value> = mine.iter().map(|(item, _)| item.as_str().into()).collect();
            let tree: Map<_, _> =
                mine.iter().map(|(item, _)| (format!("v:{}", json!(item)), json!({}))).collect();
            (!value.is_empty()).then(|| (Value::Array(value), tree.into()))
        }
    }
}

fn applied_fields(fields: &BTreeMap<String, Part>, who: Owners) -> (Map<String, Value>, Map<String, Value>) {
    let (mut value, mut tree) = (Map::new(), Map::new());
    for (name, part) in fields {
        if let Some((part, below)) = applied(part, who) {
            value.insert(name.clone(), part);
            tree.insert(format!("f:{name}"), below);
        }
    }
    (value, tree)
}

fn owners() -> impl Strategy<Value = Owners> {
    prop_oneof![Just(Owners::Me), Just(Owners::You), Just(Owners::Both)]
}

fn whole() -> impl Strategy<Value = Part> {
    let value = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
        Just(json!(["atomic", {"list": 1}])),
        Just(json!({"atomic": {"map": null}})),
        Just(json!([])),
    ];
    (owners(), value).prop_map(|(owners, value)| Part::Whole(owners, value))
}

fn part() -> impl Strategy<Value = Part> {
    // Names with the characters that field trees give a meaning to.
    let name = || "[a-z./:~\"{ é]{1,4}";
    whole().prop_recursive(4, 40, 4, move |part| {
        let fields = || btree_map(name(), part.clone(), 1..4);
        prop_oneof![
            (owners(), fields()).prop_map(|(owners, fields)| Part::Fields(owners, fields)),
            btree_map(name(), fields(), 1..3).prop_map(Part::Keyed),
            btree_map(name(), owners(), 1..4).prop_map(Part::Set),
        ]
    })
}

fn entry(manager: &str, tree: &Value) -> ManagedFieldsEntry {
    ManagedFieldsEntry {
        fields_type: Some("FieldsV1".into()),
        fields_v1: Some(FieldsV1(json!({"f:spec": tree}))),
        manager: Some(manager.into()),
        operation: Some("Apply".into()),
        ..ManagedFieldsEntry::default()
    }
}

proptest! {
    #[test]
    fn what_was_applied_is_extracted(spec in part()) {
        let (live, _) = applied(&spec, Owners::Both).unwrap_or_default();
        let managers = [("me", Owners::Me), ("you", Owners::You)].map(|(manager, who)| (manager, applied(&spec, who)));
        let entries = managers.iter().filter_map(|(manager, applied)| {
            applied.as_ref().map(|(_, tree)| entry(manager, tree))
        });
        let metadata = ObjectMeta {
            name: Some("a".into()),
            managed_fields: Some(entries.collect()),
            ..ObjectMeta::default()
        };
        let object = Anything { metadata, spec: live, ..Anything::default() };

        for (manager, applied) in &managers {
            let part: AnythingApplyConfiguration = extract(&object, manager).unwrap();
            prop_assert_eq!(part.spec.as_ref(), applied.as_ref().map(|(value, _)| value));
        }
    }

    /// Field trees come from servers, and are not trusted the less for it.
    #[test]
    fn no_tree_panics(keys in prop::collection::vec("[.fkvi]?:?[\\PC]{0,8}", 0..6)) {
        let tree = keys.into_iter().fold(json!({}), |below, key| json!({key: below}));
        let metadata = ObjectMeta { managed_fields: Some(vec![entry("me", &tree)]), ..ObjectMeta::default() };
        let object = Anything { metadata, spec: json!([{"a": [1, "b"]}]), ..Anything::default() };
        let _ = extract::<AnythingApplyConfiguration>(&object, "me");
    }
}
