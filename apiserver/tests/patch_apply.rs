//! Server-side apply: the cases that others got wrong, and laws that hold for any objects.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use jiff::{SignedDuration, Timestamp};
use kube_codegen_apiserver::{
    patch::{
        PatchError,
        apply::{Kind, SameFields, ScaleMapping, Tracker, same_but_times},
        fields::{FieldSet, PathElement},
    },
    schema::{TypeSchema, builtin, normalize},
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// One kind, at some moment.
struct World {
    schema: TypeSchema,
    api_version: &'static str,
    kind: &'static str,
    subresource: &'static str,
    reset: FieldSet,
    now: Timestamp,
}

impl World {
    fn new(api_version: &'static str, kind: &'static str) -> Self {
        let schema = builtin::object(api_version, kind).unwrap_or_else(|| TypeSchema::deduced().clone());
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        Self { schema, api_version, kind, subresource: "", reset: FieldSet::default(), now }
    }

    fn with<T>(&self, manager: &str, run: impl FnOnce(&Tracker<'_>) -> T) -> T {
        let versions = SameFields { schema: &self.schema, api_versions: &[] };
        run(&Tracker {
            kind: Kind {
                schema: &self.schema,
                api_version: self.api_version,
                kind: self.kind,
                versions: &versions,
            },
            subresource: self.subresource,
            manager,
            now: self.now,
            reset: &self.reset,
        })
    }

    fn object(&self, rest: &Value) -> Value {
        let mut object =
            json!({"apiVersion": self.api_version, "kind": self.kind, "metadata": {"name": "x"}});
        object.as_object_mut().unwrap().extend(rest.as_object().cloned().unwrap_or_default());
        object
    }

    fn apply(
        &self,
        live: Option<&Value>,
        manager: &str,
        rest: &Value,
        force: bool,
    ) -> Result<Value, PatchError> {
        let applied = self.object(rest);
        let live = live.map(members);
        let new = self.with(manager, |tracker| tracker.apply(live.as_ref(), &applied, force))?;
        Ok(normalize(new.into(), &self.schema).unwrap().value)
    }

    fn update(&self, live: Option<&Value>, manager: &str, new: &Value) -> Value {
        let live = live.map(members);
        self.with(manager, |tracker| tracker.update(live.as_ref(), members(new))).into()
    }
}

/// The members of an object; of other values none.
fn members(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn owned(object: &Value, manager: &str) -> Value {
    let entries = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    entries
        .into_iter()
        .find(|entry| entry["manager"] == manager)
        .map(|entry| entry["fieldsV1"].clone())
        .unwrap_or_default()
}

/// C034: apply to nothing creates; two managers set different fields, then the same one (conflict), forced (taken over), then the first
/// drops its own field (removed).
#[test]
fn c034_apply_creates_merges_conflicts_and_removes() {
    let world = World::new("v1", "ConfigMap");
    let created = world.apply(None, "a", &json!({"data": {"mine": "1"}}), false).unwrap();
    assert_eq!(created["data"], json!({"mine": "1"}));
    let both = world.apply(Some(&created), "b", &json!({"data": {"yours": "2"}}), false).unwrap();
    assert_eq!(both["data"], json!({"mine": "1", "yours": "2"}));
    let refused =
        world.apply(Some(&both), "b", &json!({"data": {"mine": "3", "yours": "2"}}), false).unwrap_err();
    assert_eq!(refused.code(), 409);
    assert_eq!(refused.to_string(), "Apply failed with 1 conflict: conflict with \"a\": .data.mine");
    let forced = world.apply(Some(&both), "b", &json!({"data": {"mine": "3", "yours": "2"}}), true).unwrap();
    assert_eq!(forced["data"], json!({"mine": "3", "yours": "2"}));
    assert_eq!(owned(&forced, "a"), Value::Null);
    let dropped = world.apply(Some(&forced), "b", &json!({"data": {"yours": "2"}}), false).unwrap();
    assert_eq!(dropped["data"], json!({"yours": "2"}));
}

/// C022: A applies a full object, B only a label. A's fields stay, B owns the one label.
#[test]
fn c022_a_partial_apply_claims_what_it_sends() {
    let world = World::new("apps/v1", "Deployment");
    let full = json!({"spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    }});
    let created = world.apply(None, "a", &full, false).unwrap();
    let label = json!({"metadata": {"name": "x", "labels": {"tier": "batch"}}});
    let labelled = world.apply(Some(&created), "b", &label, false).unwrap();
    assert_eq!(labelled["spec"], created["spec"]);
    assert_eq!(owned(&labelled, "b"), json!({"f:metadata": {"f:labels": {"f:tier": {}}}}));
    assert_eq!(owned(&labelled, "a"), owned(&created, "a"));
}

#[test]
fn the_eleventh_updater_merges_the_oldest() {
    let mut world = World::new("v1", "ConfigMap");
    let mut object = world.update(None, "m0", &world.object(&json!({"data": {"k0": "1"}})));
    for index in 1..=11 {
        world.now += SignedDuration::from_secs(1);
        let mut new = object.clone();
        new["data"][format!("k{index}")] = "1".into();
        object = world.update(Some(&object), &format!("m{index}"), &new);
    }
    let managers: Vec<_> = object["metadata"]["managedFields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["manager"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(managers.len(), 10);
    assert_eq!(managers.first().map(String::as_str), Some("ancient-changes"));
    assert_eq!(
        owned(&object, "ancient-changes"),
        json!({"f:data": {".": {}, "f:k0": {}, "f:k1": {}, "f:k2": {}}})
    );
}

#[test]
fn kubectl_takes_over_from_its_annotation() {
    let world = World::new("v1", "ConfigMap");
    let annotation = "kubectl.kubernetes.io/last-applied-configuration";
    let last =
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "1"}});
    let stored = world.object(&json!({
        "metadata": {"name": "x", "annotations": {annotation: last.to_string()}}, "data": {"a": "1", "b": "1"},
    }));
    let live = world.update(None, "kubectl-client-side-apply", &stored);
    let applied = world.apply(Some(&live), "kubectl", &json!({"data": {"a": "2"}}), false).unwrap();
    assert_eq!(applied["data"], json!({"a": "2", "b": "1"}));
    let renewed: Value =
        serde_json::from_str(applied["metadata"]["annotations"][annotation].as_str().unwrap()).unwrap();
    assert_eq!(renewed["data"], json!({"a": "2"}));
    let refused = world.apply(Some(&live), "kubectl", &json!({"data": {"b": "2"}}), false).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using v1: .data.b"
    );
    assert!(world.apply(Some(&live), "other", &json!({"data": {"a": "2"}}), false).is_err());
}

#[test]
fn replicas_are_owned_across_the_scale() {
    let world = World::new("apps/v1", "Deployment");
    let spec = json!({"spec": {"replicas": 1, "selector": {}, "template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}});
    let object = world.apply(None, "alpha", &spec, false).unwrap();
    let mapping = ScaleMapping { api_version: "apps/v1", replicas: "spec.replicas" };
    let entries = mapping.to_scale(&members(&object));
    assert_eq!(entries[0]["fieldsV1"], json!({"f:spec": {"f:replicas": {}}}));
    let mut scale_world = World::new("autoscaling/v1", "Scale");
    scale_world.subresource = "scale";
    let before = scale_world
        .object(&json!({"metadata": {"name": "x", "managedFields": entries}, "spec": {"replicas": 1}}));
    let mut after = before.clone();
    after["spec"]["replicas"] = 3.into();
    let written = scale_world.update(Some(&before), "scaler", &after);
    let entries =
        mapping.to_object(&members(&object), written["metadata"]["managedFields"].as_array().unwrap());
    let managers: Vec<_> =
        entries.iter().map(|entry| (&entry["manager"], &entry["fieldsV1"]["f:spec"]["f:replicas"])).collect();
    assert_eq!(managers, [(&json!("alpha"), &Value::Null), (&json!("scaler"), &json!({}))]);
    assert_eq!(entries[1]["subresource"], "scale");
    assert_eq!(entries[1]["apiVersion"], "apps/v1");
    assert!(entries[1].get("time").is_none());
}

#[test]
fn fields_v1_documents() {
    let document = json!({
        "f:metadata": {"f:labels": {".": {}, "f:a": {}}, "f:finalizers": {"v:\"x\"": {}}},
        "f:spec": {"f:containers": {"k:{\"name\":\"c\"}": {".": {}, "f:image": {}}}, "f:list": {"i:0": {}}},
    });
    let set = FieldSet::from_fields_v1(&document).unwrap();
    assert_eq!(set.to_fields_v1(), document);
    assert_eq!(set.len(), 6);
    let path = [
        PathElement::field("spec"),
        PathElement::field("containers"),
        PathElement::key(Map::from_iter([("name".into(), "c".into())])),
    ];
    assert!(set.has(&path));
    for wrong in [
        json!([]),
        json!({"x": {}}),
        json!({"f:a": 1}),
        json!({"k:1": {}}),
        json!({"i:x": {}}),
        json!({"v:": {}}),
    ] {
        assert!(FieldSet::from_fields_v1(&wrong).is_err(), "{wrong}");
    }
    // Kinds of elements that are not known yet are passed over.
    assert_eq!(FieldSet::from_fields_v1(&json!({"z:a": {}, "f:b": {}})).unwrap().len(), 1);
}

/// What a manager may apply: data, labels, finalizers.
fn intent() -> impl Strategy<Value = Value> {
    let map = || proptest::collection::btree_map("[a-d]", "[12]", 0..4);
    (map(), map(), proptest::collection::btree_set("[a-c]", 0..3)).prop_map(|(data, labels, finalizers)| {
        json!({"metadata": {"name": "x", "labels": labels, "finalizers": finalizers}, "data": data})
    })
}

/// Members are named as the element says it, whatever letters a key has.
#[test]
fn keys_are_written_as_elements_encode_them() {
    for text in ["c", "", "a b", "a\"b", "a\\b", "<&>", "\u{2028}", "\u{e9}", "\u{200b}", "\n", "\u{1}"] {
        for name in ["name", text] {
            let element = PathElement::key(Map::from_iter([(name.to_owned(), text.into())]));
            let mut set = FieldSet::default();
            set.insert(std::slice::from_ref(&element));
            assert_eq!(set.to_fields_v1(), json!({element.encode(): {}}), "{name:?} {text:?}");
            assert_eq!(FieldSet::from_fields_v1(&set.to_fields_v1()).unwrap(), set);
        }
    }
}

fn set() -> impl Strategy<Value = FieldSet> {
    let element = || {
        prop_oneof![
            "[a-c]".prop_map(|name| PathElement::field(&name)),
            (0i64..3).prop_map(PathElement::Index),
            "[ab]".prop_map(|name| PathElement::key(Map::from_iter([("name".into(), name.into())]))),
        ]
    };
    proptest::collection::vec(proptest::collection::vec(element(), 1..4), 0..8).prop_map(|paths| {
        let mut set = FieldSet::default();
        paths.iter().for_each(|path| set.insert(path));
        set
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        (0..3).prop_map(Value::from),
        "[ab]".prop_map(Value::from),
        Just(json!("v1")),
        Just(json!("Pod"))
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let name = "apiVersion|kind|metadata|spec|containers|name|env|labels|finalizers|managedFields|ports|f:spec|k:[{]|[.]|fieldsV1|operation|ownerReferences|uid";
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name, inner, 0..5).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn applying_twice_changes_nothing(first in intent(), second in intent()) {
        let mut world = World::new("v1", "ConfigMap");
        let live = world.apply(None, "a", &first, false).unwrap();
        let once = world.apply(Some(&live), "b", &second, true).unwrap();
        world.now += SignedDuration::from_secs(60);
        let twice = world.apply(Some(&once), "b", &second, false).unwrap();
        prop_assert!(same_but_times(&once, &twice), "{once}\n{twice}");
    }

    #[test]
    fn who_lets_everything_go_leaves_the_fields_of_others(first in intent(), second in intent()) {
        let world = World::new("v1", "ConfigMap");
        let alone = world.apply(None, "a", &first, false).unwrap();
        let Ok(both) = world.apply(Some(&alone), "b", &second, false) else { return Ok(()) };
        let left = world.apply(Some(&both), "b", &json!({}), false).unwrap();
        prop_assert_eq!(owned(&left, "b"), Value::Null);
        prop_assert_eq!(owned(&left, "a"), owned(&alone, "a"));
        prop_assert_eq!(&left["data"], &alone["data"]);
        prop_assert_eq!(&left["metadata"]["labels"], &alone["metadata"]["labels"]);
    }

    #[test]
    fn force_takes_all_that_is_sent(first in intent(), second in intent()) {
        let world = World::new("v1", "ConfigMap");
        let live = world.apply(None, "a", &first, false).unwrap();
        let forced = world.apply(Some(&live), "b", &second, true).unwrap();
        for (name, value) in second["data"].as_object().unwrap() {
            prop_assert_eq!(&forced["data"][name], value);
            let ours = &owned(&forced, "b")["f:data"][format!("f:{name}")];
            prop_assert!(ours.is_object());
        }
    }

    #[test]
    fn an_applier_owns_what_it_sends_and_no_more(first in intent(), second in intent()) {
        let world = World::new("v1", "ConfigMap");
        let live = world.update(None, "hand", &world.object(&first));
        let Ok(new) = world.apply(Some(&live), "b", &second, true) else { return Ok(()) };
        let sent: Vec<String> = second["data"].as_object().unwrap().keys().map(|name| format!("f:{name}")).collect();
        let ours: Vec<String> = owned(&new, "b")["f:data"].as_object().into_iter().flat_map(Map::keys).cloned().collect();
        prop_assert_eq!(sent, ours);
    }

    #[test]
    fn an_update_without_a_change_takes_nothing(first in intent()) {
        let mut world = World::new("v1", "ConfigMap");
        let live = world.apply(None, "a", &first, false).unwrap();
        world.now += SignedDuration::from_secs(60);
        prop_assert_eq!(world.update(Some(&live), "hand", &live), live);
    }

    #[test]
    fn set_algebra(a in set(), b in set(), c in set()) {
        prop_assert_eq!(a.union(&b), b.union(&a));
        prop_assert_eq!(a.intersection(&b), b.intersection(&a));
        prop_assert_eq!(a.union(&b).union(&c), a.union(&b.union(&c)));
        prop_assert!(a.intersection(&b).union(&a.clone().difference(&b)) == a);
        prop_assert!(a.clone().difference(&b).intersection(&b).is_empty());
        prop_assert_eq!(a.clone().difference(&b.union(&c)), a.clone().difference(&b).difference(&c));
        prop_assert_eq!(a.union(&b).len() + a.intersection(&b).len(), a.len() + b.len());
        prop_assert_eq!(a.holds(&b), b.clone().difference(&a).is_empty());
        prop_assert!(a.union(&b).holds(&a) && a.holds(&a.intersection(&b)));
        prop_assert!(a.paths().iter().all(|path| a.has(path)));
        prop_assert!(a.clone().without_subtrees(&b).difference(&a).is_empty());
    }

    #[test]
    fn documents_come_back(a in set()) {
        prop_assert_eq!(FieldSet::from_fields_v1(&a.to_fields_v1()).unwrap(), a);
    }

    #[test]
    fn nothing_panics(live in any_value(), applied in any_value(), force in any::<bool>()) {
        let world = World::new("v1", "Pod");
        let stored = members(&live);
        world.with("m", |tracker| {
            let _ = tracker.apply(Some(&stored), &applied, force);
            let _ = tracker.update(Some(&stored), members(&applied));
            let _ = tracker.update(None, members(&applied));
        });
        let mut pod = applied;
        if let Value::Object(members) = &mut pod {
            members.insert("apiVersion".into(), "v1".into());
            members.insert("kind".into(), "Pod".into());
            world.with("kubectl", |tracker| {
                let _ = tracker.apply(Some(&stored), &pod, force);
                let _ = tracker.apply(None, &pod, force);
            });
        }
        let _ = FieldSet::from_fields_v1(&live);
    }
}
