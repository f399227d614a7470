//! Fields: names on the wire, types, requiredness, serde.

use crate::support::{Scratch, field, type_def};
use kube_codegen::model::{
    EnumTagging, Field, FieldDefault, ListKind, MapKind, Model, PointerKind, TypeDef, TypeExpr, TypeKind,
    VariantShape,
};

fn model(text: &str) -> Model {
    Scratch::package(text).any().load()
}

/// The struct `T` of a package.
fn definition(text: &str) -> TypeDef {
    type_def(&keyed(text), "my_apis::library::v1::T").clone()
}

/// A package needs a kind to be in the model.
fn keyed(text: &str) -> Model {
    model(&format!("{}\n{text}", crate::support::book("// +genclient")))
}

fn wires(definition: &TypeDef) -> Vec<(&str, &str)> {
    definition
        .fields()
        .iter()
        .map(|field| (field.wire.serialize.as_str(), field.wire.deserialize.as_str()))
        .collect()
}

fn shown(field: &Field) -> String {
    show(&field.ty)
}

fn show(ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Bool => "bool".to_owned(),
        TypeExpr::Integer(kind) => kind.name().to_owned(),
        TypeExpr::String => "String".to_owned(),
        TypeExpr::Json => "Json".to_owned(),
        TypeExpr::ObjectMeta => "ObjectMeta".to_owned(),
        TypeExpr::Option(inner) => format!("Option<{}>", show(inner)),
        TypeExpr::Pointer(PointerKind::Box, inner) => format!("Box<{}>", show(inner)),
        TypeExpr::Pointer(_, inner) => format!("Arc<{}>", show(inner)),
        TypeExpr::List(ListKind::Vec, inner) => format!("Vec<{}>", show(inner)),
        TypeExpr::Map(MapKind::BTreeMap, key, value) => format!("Map<{}, {}>", show(key), show(value)),
        TypeExpr::Array(inner, length) => format!("[{}; {length}]", show(inner)),
        TypeExpr::Tuple(members) => format!("({})", members.iter().map(show).collect::<Vec<_>>().join(", ")),
        TypeExpr::Named { path, arguments } if arguments.is_empty() => path.to_string(),
        TypeExpr::Named { path, arguments } => {
            format!("{path}<{}>", arguments.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        TypeExpr::Parameter(name) => format!("'{name}"),
        other => format!("{other:?}"),
    }
}

fn types(text: &str) -> Vec<String> {
    definition(text).fields().iter().map(shown).collect()
}

#[test]
fn wire_names_are_those_of_serde() {
    let text = r#"
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(rename_all(serialize = "kebab-case"))]
pub struct T {
    pub run_at: i32,
    pub r#type: i32,
    #[serde(rename = "podIP")]
    pub pod_ip: i32,
    #[serde(rename(serialize = "a", deserialize = "b"), alias = "c", alias = "d")]
    pub both: i32,
}
"#;
    let kebab = definition(text);
    assert_eq!(wires(&kebab), [("run-at", "runAt"), ("type", "type"), ("podIP", "podIP"), ("a", "b")]);
    assert_eq!(field(&kebab, "both").wire.aliases, ["c", "d"]);
    let camel = definition(&text.replace("#[serde(rename_all(serialize = \"kebab-case\"))]\n", ""));
    assert_eq!(wires(&camel)[..2], [("runAt", "runAt"), ("type", "type")]);
    let plain = definition(&text.replace(
        "#[serde(rename_all = \"camelCase\")]\n",
        "#[cfg_attr(all(), serde(rename_all = \"UPPERCASE\"))]",
    ));
    assert_eq!(wires(&plain)[1], ("type", "TYPE"));
}

#[test]
fn types_are_resolved_through_imports_and_aliases() {
    let text = r"
use std::collections::{self, BTreeMap as Map};
use std::sync::Arc;
use serde_json::Value;
use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{self, Time as Moment};
use other_crate::*;

pub type Count = i32;
pub type Named<V> = Map<String, V>;
pub mod inner {
    use super::*;
    pub struct Leaf(pub Count);
    pub type Leaves = Vec<Leaf>;
}
use self::inner::Leaves;

pub struct T {
    pub a: Count,
    pub b: Option<Named<Vec<inner::Leaf>>>,
    pub c: collections::BTreeMap<::std::string::String, Value>,
    pub d: Leaves,
    pub e: core::PodSpec,
    pub f: v1::Condition,
    pub g: Option<Moment>,
    pub h: Box<Option<Arc<T>>>,
    pub i: [(u8, bool); 4],
    pub j: crate::library::v1::inner::Leaf,
    pub k: super::v1::BookSpec,
    pub l: other_crate::deep::Thing<String>,
    pub m: Surprise,
    pub n: serde_json::Value,
    pub o: core::PodTemplateSpec,
    pub p: Vec<kube::core::ObjectMeta>,
}
";
    assert_eq!(
        types(text),
        [
            "i32",
            "Option<Map<String, Vec<my_apis::library::v1::inner::Leaf>>>",
            "Map<String, Json>",
            "Vec<my_apis::library::v1::inner::Leaf>",
            "k8s_openapi::api::core::v1::PodSpec",
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition",
            "Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::Time>",
            "Box<Option<Arc<my_apis::library::v1::T>>>",
            "[(u8, bool); 4]",
            "my_apis::library::v1::inner::Leaf",
            "my_apis::library::v1::BookSpec",
            "other_crate::deep::Thing<String>",
            "other_crate::Surprise",
            "Json",
            "k8s_openapi::api::core::v1::PodTemplateSpec",
            "Vec<ObjectMeta>",
        ]
    );
}

#[test]
fn c045_maps_of_structs_of_lists_and_of_maps() {
    let text = "
use std::collections::BTreeMap;
pub struct Page {
    pub number: i32,
}
pub struct T {
    pub a: BTreeMap<String, Page>,
    pub b: BTreeMap<String, Vec<Page>>,
    pub c: BTreeMap<String, BTreeMap<String, Page>>,
}
";
    let page = "my_apis::library::v1::Page";
    assert_eq!(
        types(text),
        [
            format!("Map<String, {page}>"),
            format!("Map<String, Vec<{page}>>"),
            format!("Map<String, Map<String, {page}>>"),
        ]
    );
}

#[test]
fn generic_types_keep_their_parameters() {
    let text = "pub struct T<K: Ord, V, const N: usize> {\n    pub a: Vec<V>,\n    pub b: Option<K>,\n    pub c: [u8; N],\n}\n";
    let definition = definition(text);
    let names: Vec<&str> = definition.generics.iter().map(|generic| generic.name.as_str()).collect();
    assert_eq!(names, ["K", "V", "N"]);
    assert_eq!(
        definition.fields().iter().map(shown).collect::<Vec<_>>(),
        ["Vec<'V>", "Option<'K>", "[u8; N]"]
    );
}

#[test]
fn a_private_module_is_named_by_its_re_export() {
    let text = "
mod hidden {
    pub struct A;
    pub struct B;
    mod deeper {
        pub struct C;
    }
    pub use deeper::C as Sea;
}
pub use hidden::{A, B as Bee, Sea};
pub struct T {
    pub a: hidden::A,
    pub b: Bee,
    pub c: Sea,
}
";
    assert_eq!(
        types(text),
        ["my_apis::library::v1::A", "my_apis::library::v1::Bee", "my_apis::library::v1::Sea"]
    );
}

#[test]
fn requiredness_takes_the_first_hit() {
    let text = "
pub struct T {
    pub plain: i32,
    pub option: Option<i32>,
    #[serde(default)]
    pub default: i32,
    // +optional
    pub optional: i32,
    // +required
    pub required: Option<i32>,
    // +optional
    // +required
    pub both: i32,
    // +kubebuilder:validation:Required
    // +optional
    pub kubebuilder: i32,
    #[serde(skip_serializing_if = \"Vec::is_empty\")]
    pub skipped: Vec<i32>,
}
";
    let optional =
        |text: &str| -> Vec<bool> { definition(text).fields().iter().map(|field| field.optional).collect() };
    assert_eq!(optional(text), [false, true, true, true, false, true, false, false]);
    let by_default = format!("// +kubebuilder:validation:Optional\n\nuse std::fmt;\n{text}");
    assert_eq!(optional(&by_default), [true, true, true, true, false, true, false, true]);
    let container = text.replace("pub struct T", "#[serde(default)]\npub struct T");
    assert_eq!(optional(&container), [true, true, true, true, false, true, false, true]);
}

#[test]
fn serde_attributes_of_fields() {
    let text = r#"
#[serde(deny_unknown_fields)]
pub struct T {
    #[serde(flatten)]
    pub a: BookSpec,
    #[serde(skip)]
    pub b: i32,
    #[serde(default = "fallback", skip_serializing_if = "Option::is_none", with = "codec")]
    pub c: Option<i32>,
    #[serde(bound(serialize = ""), borrow, getter = "x")]
    d: i32,
}
"#;
    let definition = definition(text);
    assert!(definition.container.deny_unknown_fields);
    assert!(field(&definition, "a").serde.flatten);
    let skipped = &field(&definition, "b").serde;
    assert!(skipped.skip_serializing && skipped.skip_deserializing);
    let c = &field(&definition, "c").serde;
    assert_eq!(c.default, Some(FieldDefault::Function("fallback".to_owned())));
    assert_eq!((c.with.as_deref(), c.custom), (Some("codec"), true));
    assert!(!field(&definition, "d").public);
}

#[test]
fn newtypes_tuples_and_units() {
    let kind = |text: &str| definition(text).kind;
    assert!(matches!(
        kind("#[serde(transparent)]\npub struct T(pub Vec<i32>);"),
        TypeKind::Newtype(only) if matches!(only.ty, TypeExpr::List(..))
    ));
    assert!(matches!(kind("pub struct T(i32, String);"), TypeKind::Tuple(types) if types.len() == 2));
    assert!(matches!(kind("pub struct T;"), TypeKind::Unit));
}

#[test]
fn enums_with_their_tags_and_variants() {
    let text = r#"
#[serde(tag = "type", content = "value", rename_all = "camelCase", rename_all_fields = "UPPERCASE")]
pub enum T {
    /// The first.
    // +optional
    FirstOne,
    #[serde(rename = "two")]
    Second(i32),
    Third(i32, i32),
    #[serde(skip)]
    Fourth { some_field: i32 },
}
"#;
    let TypeKind::Enum(tagging, variants) = definition(text).kind else { panic!("an enum") };
    assert_eq!(tagging, EnumTagging::Adjacent("type".to_owned(), "value".to_owned()));
    let names: Vec<&str> = variants.iter().map(|variant| variant.wire.serialize.as_str()).collect();
    assert_eq!(names, ["firstOne", "two", "third", "fourth"]);
    assert_eq!(variants[0].docs, "The first.");
    assert_eq!(variants[0].markers.len(), 1);
    assert!(
        matches!(&variants[3].shape, VariantShape::Struct(fields) if fields[0].wire.serialize == "SOME_FIELD")
    );
    assert!(variants[3].skip);
}

#[test]
fn documentation_without_markers_stars_and_indentation() {
    let text = "
/// First line.
///
///     indented code
/// +kubebuilder:validation:MinProperties=1
///   - item
pub struct T {
    /** A block
     * with stars,
     *   and an indent.
     */
    pub a: i32,
    #[doc = \"By hand.\"]
    pub b: i32,
}
";
    let definition = definition(text);
    assert_eq!(definition.docs, "First line.\n\n    indented code\n  - item");
    assert_eq!(field(&definition, "a").docs, "A block\nwith stars,\n  and an indent.");
    assert_eq!(field(&definition, "b").docs, "By hand.");
    assert_eq!(definition.markers.len(), 1);
}

#[test]
fn places_are_exact() {
    let definition = definition("pub struct T {\n    pub größe: i32, /* é */ pub b: i32,\n}\n");
    let place = &field(&definition, "b").place;
    assert_eq!((place.column, place.length), (33, 1));
}
