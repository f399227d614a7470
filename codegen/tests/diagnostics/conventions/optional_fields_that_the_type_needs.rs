// +groupName=example.com
// +versionName=v1
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
#[derive(Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
    pub spec: ThingSpec,
    pub status: Option<ThingStatus>,
}

#[derive(Serialize, Deserialize)]
pub struct ThingStatus {
    pub phase: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct ThingSpec {
    // +optional
    pub name: String,
    // +kubebuilder:validation:Optional
    #[serde(with = "elsewhere")]
    // +kubebuilder:validation:Type=string
    pub secret: Option<String>,
    // +optional
    pub fine: Option<String>,
    // +optional
    #[serde(default)]
    pub more: i32,
    // +optional
    // +kubebuilder:default=3
    pub filled: i32,
}
