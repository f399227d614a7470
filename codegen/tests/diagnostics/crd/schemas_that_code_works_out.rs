// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::MOST;

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced, validation = rule())]
#[schemars(transform = tidy)]
pub struct OrderSpec {
    #[schemars(length(max = MOST))]
    pub name: String,
    #[x_kube(merge_strategy = strategy())]
    pub tags: Vec<String>,
    #[schemars(regex(pattern = PATTERN.as_str()))]
    pub colour: String,
    #[schemars(extend("x-kubernetes-list-type" = LIST_TYPE))]
    pub words: Vec<String>,
    #[validate(regex = "SEMVER")]
    pub version: String,
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:validation:Type=string
    #[schemars(transform = tidy)]
    pub said: String,
}
