//! What is said of the only field of a newtype is said of the newtype; markers say what is in a list that a function makes.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, KubeSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    pub name: Name,
    pub tags: Tags,
    pub code: Code,
    pub twice: Twice,
    pub other: Other,
    pub wire: Wire,
    pub wire_outside: WireOutside,
    pub clear: Clear,
    pub of: Of<Vec<String>>,
    pub choice: Choice,
    // +kubebuilder:validation:Type=array
    // +kubebuilder:validation:items:Type=object
    // +kubebuilder:validation:items:XPreserveUnknownFields
    #[schemars(schema_with = "worked_out")]
    pub tolerations: Vec<k8s_openapi::api::core::v1::Toleration>,
    // +kubebuilder:validation:Type=array
    // +kubebuilder:validation:items:XIntOrString
    #[schemars(schema_with = "worked_out")]
    pub ports: Vec<serde_json::Value>,
}

/// Name of somebody.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Name(#[schemars(length(min = 1, max = 4096))] String);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Tags(#[validate(length(max = 5))] Vec<String>);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Code(
    /// What a machine reads.
    // +kubebuilder:validation:Pattern=`^[a-z]+$`
    #[garde(length(max = 9))]
    pub String,
);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(range(min = 3, max = 10))]
pub struct Twice(#[schemars(range(min = 1))] i32);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Other(#[schemars(with = "Vec<String>")] decimal::Money);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire(
    // +kubebuilder:validation:Type=string
    #[serde(with = "humantime_serde")] std::time::Duration,
);

// +kubebuilder:validation:Type=string
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WireOutside(#[serde(with = "humantime_serde")] std::time::Duration);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Clear {
    #[schemars(length(max = 7))]
    text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Of<T>(
    // +kubebuilder:validation:MinItems=1
    T,
);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    Word(#[schemars(length(max = 3))] String),
    Number(#[schemars(range(max = 3))] i32),
}
