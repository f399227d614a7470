// +groupName=shop.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    // +kubebuilder:validation:Format=date
    // +kubebuilder:default="2024-02-30"
    pub day: String,
    // +kubebuilder:validation:Format=date-time
    // +kubebuilder:default="2024-02-28"
    pub time: String,
    // +kubebuilder:validation:Format=ipv4
    // +kubebuilder:default="10.0.0.256"
    pub address: String,
    // +kubebuilder:validation:Format=cidr
    // +kubebuilder:default="10.0.0.0/33"
    pub range: String,
    // +kubebuilder:validation:Format=uuid
    // +kubebuilder:default="none"
    pub uuid: String,
    // +kubebuilder:validation:Format=byte
    // +kubebuilder:default="a-b"
    pub bytes: String,
    // +kubebuilder:validation:Format=uri
    // +kubebuilder:default="example.com"
    pub uri: String,
    // +kubebuilder:validation:Format=duration
    // +kubebuilder:default="soon"
    pub duration: String,
    // +kubebuilder:default=true
    pub port: IntOrString,
    // +kubebuilder:validation:XValidation:rule="self.size() > 0"
    // +kubebuilder:default={1}
    pub any: Vec<serde_json::Value>,
    // +kubebuilder:validation:XValidation:rule="self != ''",message=" ",reason=FieldValueInvalid,fieldPath=".x"
    pub text: String,
    // +kubebuilder:validation:Format=hostname
    // +kubebuilder:default="right.example.com"
    pub right: String,
}
