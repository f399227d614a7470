// +groupName=shapes.example.com

//! `shapes.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

include!("zz_generated.object.rs");

// +genclient
/// Shape is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Shape>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its spec.
    #[serde(default)]
    pub spec: ShapeSpec,
    /// Its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ShapeStatus>,
}

/// ShapeSpec is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShapeSpec {
    /// The named_parts.
    #[serde(default)]
    pub named_parts: BTreeMap<String, Part>,
    /// The part_lists.
    #[serde(default)]
    pub part_lists: BTreeMap<String, Vec<Part>>,
    /// The nested_maps.
    #[serde(default)]
    pub nested_maps: BTreeMap<String, BTreeMap<String, String>>,
    /// The hashed.
    #[serde(default)]
    pub hashed: HashMap<String, Part>,
    /// The part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// The boxed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boxed: Option<Box<Part>>,
    /// The parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<Part>>,
    /// The queue.
    #[serde(default)]
    pub queue: VecDeque<Part>,
    /// The lists.
    #[serde(default)]
    pub lists: Vec<Vec<Part>>,
    /// The words.
    #[serde(default)]
    pub words: BTreeSet<String>,
    /// The pair.
    #[serde(default)]
    pub pair: (i32, String),
    /// The fixed.
    #[serde(default)]
    pub fixed: [u8; 4],
    /// The flag.
    #[serde(default)]
    pub flag: bool,
    /// The ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// The mode.
    #[serde(default)]
    pub mode: Mode,
    /// The choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// The limit.
    #[serde(default)]
    pub limit: Limit,
    /// The anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anything: Option<serde_json::Value>,
    /// The condition.
    #[serde(default)]
    pub condition: Vec<k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition>,
    /// The quantity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<k8s_openapi::apimachinery::pkg::api::resource::Quantity>,
    /// The template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<k8s_openapi::api::core::v1::PodTemplateSpec>,
    /// The common.
    #[serde(default, flatten)]
    pub common: Common,
    /// The extra.
    #[serde(flatten)]
    pub extra: BTreeMap<String, serde_json::Value>,
    /// The seconds.
    #[serde(default, with = "as_text")]
    pub seconds: u64,
    /// The internal.
    #[serde(skip)]
    pub internal: Option<String>,
    /// The renamed.
    #[serde(default, rename = "otherName", alias = "oldName", skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
    /// The tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Tree>,
}

/// Part is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The labels.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

/// Tree is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tree {
    /// The value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The children.
    #[serde(default)]
    pub children: Vec<Tree>,
    /// The next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<Tree>>,
}

/// Common is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Common {
    /// The image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// The ports.
    #[serde(default)]
    pub ports: Vec<i32>,
}

/// ShapeStatus is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShapeStatus {
    /// The phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Mode>,
}

/// A mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Slow.
    #[default]
    Slow,
    /// Fast.
    Fast,
}

/// A choice, which cannot be compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    /// A part.
    Part(Part),
    /// Nothing.
    Nothing {},
}

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// A limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit(pub i64);

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub(super) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
