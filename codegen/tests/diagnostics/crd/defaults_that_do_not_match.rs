// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    // +kubebuilder:validation:Pattern=`^[a-z]+$`
    // +kubebuilder:default="Large"
    pub size: String,
    // +kubebuilder:validation:items:Pattern=`^\d+$`
    // +kubebuilder:default={"1","٣"}
    pub numbers: Vec<String>,
    // +kubebuilder:validation:XValidation:rule="self.matches('^[a-z]+$')"
    // +kubebuilder:default="BIG"
    pub name: String,
    // +kubebuilder:validation:Pattern=`a{,2}`
    // +kubebuilder:default="a{,2}"
    pub braces: String,
}
