// +groupName=shop.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

/// Order is what somebody wants.
// +kubebuilder:object:root=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Order>,
    pub metadata: ObjectMeta,
    pub spec: OrderSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSpec {
    // +kubebuilder:default="abc"
    // +kubebuilder:validation:XValidation:rule="self.size() > 3"
    #[serde(default)]
    pub name: String,
    // +kubebuilder:default={words: {"a", "ab"}, least: 3, most: 2}
    #[serde(default)]
    pub range: Range,
    // +kubebuilder:default={}
    #[serde(default)]
    pub limits: Limits,
    // +kubebuilder:default="x"
    // +kubebuilder:validation:XValidation:rule="self == oldSelf && isQuantity(self)"
    #[serde(default)]
    pub only_a_server_knows: String,
}

// +kubebuilder:validation:XValidation:rule="!has(self.most) || self.least <= self.most"
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Range {
    pub words: Vec<Word>,
    pub least: i32,
    pub most: Option<i32>,
}

// +kubebuilder:validation:XValidation:rule="self.startsWith('a') && self.endsWith('b') || self == oldSelf && self in ['x', 'y']"
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Word(String);

// +kubebuilder:validation:XValidation:rule="self.count > 2"
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    // +kubebuilder:default=3
    #[serde(default)]
    pub count: i32,
}
