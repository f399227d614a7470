//! What the rules of `rules.rs` are about.

// +groupName=shop.example.com
// +versionName=v1
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order")]
pub struct OrderSpec {
    pub w: W,
}
// RULES
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct W {
    // +kubebuilder:validation:MaxLength=20
    pub s: Option<String>,
    pub i: Option<i64>,
    pub n: Option<f64>,
    pub b: Option<bool>,
    // +kubebuilder:validation:MaxItems=5
    // +kubebuilder:validation:items:MaxLength=5
    pub l: Option<Vec<String>>,
    // +kubebuilder:validation:MaxItems=5
    pub li: Option<Vec<i64>>,
    // +kubebuilder:validation:MaxProperties=5
    pub m: Option<BTreeMap<String, T5>>,
    pub o: Option<O>,
    pub o2: Option<O>,
    // +kubebuilder:validation:MaxItems=5
    pub lo: Option<Vec<O>>,
    #[schemars(schema_with = "ios")]
    pub ios: Option<serde_json::Value>,
    pub pr: Option<serde_json::Value>,
    // +kubebuilder:validation:Format=date-time
    pub d: Option<String>,
    // +kubebuilder:validation:Format=duration
    pub du: Option<String>,
    // +kubebuilder:validation:Format=byte
    pub by: Option<String>,
}
// +kubebuilder:validation:MaxLength=5
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct T5(String);
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct O {
    pub x: Option<T5>,
    pub y: Option<i64>,
}
fn ios(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"x-kubernetes-int-or-string":true})
}
