//! What the rules of `asked.tsv` are rules of: they are put on `Spec`, of which a thing has `MOST`.
// +groupName=cost.example.com
// +versionName=v1
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

// +kubebuilder:object:root=true
#[derive(Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
    // +kubebuilder:validation:MaxItems=MOST
    pub spec: Vec<Spec>,
}

// RULES
#[derive(Serialize, Deserialize)]
pub struct Spec {
    pub min: i32,
    pub max: i32,
    pub opt: Option<i32>,
    pub flag: bool,
    pub ratio: f64,
    // +kubebuilder:validation:MaxLength=20
    pub name: String,
    // +kubebuilder:validation:MaxLength=20
    pub mem: String,
    // +kubebuilder:validation:MaxLength=20
    pub link: String,
    // +kubebuilder:validation:MaxLength=20
    pub addr: String,
    // +kubebuilder:validation:MaxLength=20
    pub version: String,
    // +kubebuilder:validation:MaxLength=20
    pub period: String,
    // +kubebuilder:validation:Format=duration
    // +kubebuilder:validation:MaxLength=20
    pub dur: String,
    pub since: Time,
    pub port: IntOrString,
    // +kubebuilder:validation:MaxItems=5
    // +kubebuilder:validation:items:MaxLength=10
    pub names: Vec<String>,
    // +kubebuilder:validation:MaxProperties=5
    pub labels: BTreeMap<String, String>,
    // +kubebuilder:validation:MaxItems=5
    pub items: Vec<Item>,
    pub any: serde_json::Value,
    // +kubebuilder:pruning:PreserveUnknownFields
    pub obj: k8s_openapi::apimachinery::pkg::runtime::RawExtension,
    // +kubebuilder:validation:EmbeddedResource
    pub emb: k8s_openapi::apimachinery::pkg::runtime::RawExtension,
    pub meta: ObjectMeta,
    // +kubebuilder:pruning:PreserveUnknownFields
    pub keep: Keep,
    pub blob: k8s_openapi::ByteString,
    // +nullable
    pub nul: Option<String>,
    #[serde(rename = "in")]
    pub in_: String,
    #[serde(rename = "a-b")]
    pub a_b: String,
    // +kubebuilder:validation:MaxItems=3
    pub list2: Vec<Vec<i32>>,
    // +kubebuilder:validation:MaxProperties=3
    pub m2: BTreeMap<String, Vec<String>>,
}
#[derive(Serialize, Deserialize)]
pub struct Keep {
    pub known: String,
}
#[derive(Serialize, Deserialize)]
pub struct Item {
    // +kubebuilder:validation:MaxLength=10
    pub id: String,
    pub count: i32,
}
