// +groupName=trstringer.com

//! `trstringer.com/v1`: a resource that says something.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
// +kubebuilder:object:root=true
/// MyResource describes a resource that has a message and a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MyResource {
    /// `apiVersion` and `kind`.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<MyResource>,
    /// Name, namespace, labels and the like.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// What it says.
    #[serde(default)]
    pub spec: MyResourceSpec,
}

/// What a [`MyResource`] says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MyResourceSpec {
    /// The message.
    #[serde(default)]
    pub message: String,
    /// A number that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub some_value: Option<i32>,
}
