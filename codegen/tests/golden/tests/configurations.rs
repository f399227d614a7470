//! What generated apply configurations send: what was set, under the names of the type, and nothing else.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use golden_cases::apply_shapes::expected::applyconfiguration::shapes::v1::{
    PartApplyConfiguration, ShapeApplyConfiguration, ShapeSpecApplyConfiguration, TreeApplyConfiguration,
};
use golden_cases::apply_shapes::input::shapes::v1::{Mode, Shape, ShapeSpec};
use golden_cases::keywords::expected::applyconfiguration::r#type::v1::{
    LabelApplyConfiguration, TypeApplyConfiguration, TypeRefApplyConfiguration, TypeSpecApplyConfiguration,
};
use golden_cases::kube_derive::expected::applyconfiguration::derived::v1::{
    AuthorApplyConfiguration, DocumentApplyConfiguration, DocumentSpecApplyConfiguration,
};
use golden_cases::mixed_case::expected::applyconfiguration::mixed_case::v1::HTTPRouteSpecApplyConfiguration;
use golden_cases::reexported::expected::applyconfiguration::networking::v1::{
    NetworkPolicyApplyConfiguration, NetworkPolicySpecApplyConfiguration,
};
use serde::Serialize;
use serde_json::{Value, json};

fn sent(configuration: impl Serialize) -> Value {
    serde_json::to_value(configuration).unwrap()
}

fn part(name: &str) -> PartApplyConfiguration {
    PartApplyConfiguration::new().name(name)
}

#[test]
fn c045_maps_of_structs_of_lists_and_of_maps_take_entries_one_at_a_time() {
    let spec = ShapeSpecApplyConfiguration::new()
        .named_parts([("a", part("one"))])
        .named_parts([("b", part("two")), ("a", part("three"))])
        .part_lists([("all", vec![part("one"), part("two")])])
        .part_lists([("some", [part("one")])])
        .nested_maps([("outer", [("inner".to_owned(), "value".to_owned())])])
        .hashed([("h", part("hashed"))]);
    let expected = json!({
        "namedParts": {"a": {"name": "three"}, "b": {"name": "two"}},
        "partLists": {"all": [{"name": "one"}, {"name": "two"}], "some": [{"name": "one"}]},
        "nestedMaps": {"outer": {"inner": "value"}},
        "hashed": {"h": {"name": "hashed"}},
    });
    assert_eq!(sent(spec), expected);
}

#[test]
fn nothing_set_is_nothing_sent() {
    assert_eq!(sent(ShapeSpecApplyConfiguration::new()), json!({}));
    let expected = json!({"apiVersion": "shapes.example.com/v1", "kind": "Shape", "metadata": {"name": "x"}});
    assert_eq!(sent(ShapeApplyConfiguration::new("x")), expected);
}

#[test]
fn c022_a_partial_apply_of_a_built_in_kind_does_not_claim_required_fields() {
    let policy = NetworkPolicyApplyConfiguration::new("deny").labels([("tier", "batch")]);
    let expected = json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "deny", "labels": {"tier": "batch"}},
    });
    assert_eq!(sent(policy), expected);
    let policy = NetworkPolicyApplyConfiguration::new("deny")
        .spec(NetworkPolicySpecApplyConfiguration::new().policy_types(["Egress"]));
    assert_eq!(sent(policy)["spec"], json!({"policyTypes": ["Egress"]}));
}

#[test]
fn lists_extend_boxes_and_recursion_work_and_wire_forms_are_kept() {
    let spec = ShapeSpecApplyConfiguration::new()
        .parts([part("one")])
        .parts([part("two")])
        .boxed(part("boxed"))
        .mode(Mode::Fast)
        .pair((1, "x".to_owned()))
        .common(golden_cases::apply_shapes::expected::applyconfiguration::shapes::v1::CommonApplyConfiguration::new().image("i"))
        .extra([("free", json!(1))])
        .seconds("12")
        .renamed("r")
        .tree(TreeApplyConfiguration::new().value(1).children([TreeApplyConfiguration::new().value(2)]).next(TreeApplyConfiguration::new()));
    let expected = json!({
        "parts": [{"name": "one"}, {"name": "two"}],
        "boxed": {"name": "boxed"},
        "mode": "Fast",
        "pair": [1, "x"],
        "image": "i",
        "free": 1,
        "seconds": "12",
        "otherName": "r",
        "tree": {"value": 1, "children": [{"value": 2}], "next": {}},
    });
    assert_eq!(sent(spec), expected);
}

#[test]
fn a_configuration_with_everything_set_reads_as_the_type_itself() {
    let spec = ShapeSpecApplyConfiguration::new()
        .words(["a".to_owned()])
        .fixed([1, 2, 3, 4])
        .limit(golden_cases::apply_shapes::input::shapes::v1::Limit(3))
        .seconds("7");
    let read: ShapeSpec = serde_json::from_value(sent(spec)).unwrap();
    assert_eq!((read.fixed, read.limit.0, read.seconds), ([1, 2, 3, 4], 3, 7));
}

#[test]
fn keywords_and_names_of_metadata_setters_have_setters() {
    let spec = TypeSpecApplyConfiguration::new()
        .r#type("t")
        .r#ref(TypeRefApplyConfiguration::new().name("n").r#in(1))
        .r#async(["a"])
        .r#match([("k", "v")])
        .self_("me")
        .add(["x"])
        .set_new("fresh");
    let expected = json!({
        "type": "t", "ref": {"name": "n", "in": 1}, "async": ["a"], "match": {"k": "v"}, "self": "me", "add": ["x"], "new": "fresh",
    });
    assert_eq!(sent(TypeApplyConfiguration::new("x").spec(spec))["spec"], expected);
    let label =
        LabelApplyConfiguration::new("x").labels([("a", "b")]).set_labels(["l"]).set_namespace("field");
    let sent = sent(label);
    assert_eq!((&sent["labels"], &sent["namespace"]), (&json!(["l"]), &json!("field")));
    assert_eq!(sent["metadata"], json!({"name": "x", "labels": {"a": "b"}}));
}

#[test]
fn acronyms_and_renames_keep_their_wire_names() {
    let spec =
        HTTPRouteSpecApplyConfiguration::new().cluster_ip("1.2.3.4").external_urls(["u"]).snake_name("s");
    assert_eq!(sent(spec), json!({"clusterIP": "1.2.3.4", "externalURLs": ["u"], "snake_name": "s"}));
}

#[test]
fn kinds_of_kubes_derive_have_configurations_too() {
    let spec = DocumentSpecApplyConfiguration::new()
        .title("t")
        .authors([AuthorApplyConfiguration::new().full_name("f")]);
    let expected = json!({
        "apiVersion": "derived.example.com/v1", "kind": "Document", "metadata": {"name": "d"},
        "spec": {"title": "t", "authors": [{"full_name": "f"}]},
    });
    assert_eq!(sent(DocumentApplyConfiguration::new("d").spec(spec)), expected);
}

#[test]
fn extract_gives_what_the_manager_owns() {
    let mut shape = Shape::default();
    shape.metadata.name = Some("x".to_owned());
    shape.spec.flag = true;
    shape.spec.fixed = [1, 2, 3, 4];
    let entry = json!({
        "manager": "me", "operation": "Apply", "apiVersion": "shapes.example.com/v1", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:flag": {}}},
    });
    shape.metadata.managed_fields = Some(vec![serde_json::from_value(entry).unwrap()]);
    let mine = ShapeApplyConfiguration::extract(&shape, "me").unwrap();
    assert_eq!(sent(mine)["spec"], json!({"flag": true}));
    let nothing = ShapeApplyConfiguration::extract(&shape, "other").unwrap();
    assert!(nothing.spec.is_none());
}
