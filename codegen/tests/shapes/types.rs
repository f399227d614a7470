//! Types that Go does not have: generics, aliases, sets, fixed bounds, values of any kind, transparent and flattened types.
// +groupName=shop.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

// +kubebuilder:object:root=true
/// Order is what somebody wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Order>,
    pub metadata: ObjectMeta,
    pub spec: OrderSpec,
}

/// Names is an alias.
pub type Names = Vec<String>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSpec {
    pub page: Page<Part>,
    pub words: Page<String>,
    pub names: Names,
    pub value: serde_json::Value,
    pub values: HashMap<String, serde_json::Value>,
    pub set: HashSet<Level>,
    pub shared: Arc<Part>,
    pub letter: char,
    pub bytes: [u8; 4],
    pub small: u16,
    pub time: std::time::Duration,
    pub address: std::net::Ipv4Addr,
    /// Tree may hold itself, of which no more is said.
    pub tree: Tree,
    #[serde(flatten)]
    pub more: Option<More>,
    #[serde(flatten)]
    pub rest: BTreeMap<String, serde_json::Value>,
    #[serde(skip)]
    pub cache: Option<Tree>,
    #[serde(rename = "other-name")]
    pub other: Wrapped,
    // +kubebuilder:validation:Type=string
    #[serde(with = "humantime_serde")]
    pub timeout: std::time::Duration,
    // +kubebuilder:validation:MinProperties=1
    pub bounded: Part,
}

/// Page is a page of anything.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next: Option<Box<T>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    pub name: String,
}

/// Level of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    VeryLow,
    High,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tree {
    pub name: String,
    // +kubebuilder:pruning:PreserveUnknownFields
    pub branches: Vec<Tree>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct More {
    pub extra: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wrapped {
    pub inner: Part,
}
