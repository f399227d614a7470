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
    pub run_as: String,
    #[serde(rename = "Size")]
    pub size: i32,
    pub inner: Inner,
    pub either: Either,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Inner {
    pub no_good: String,
    pub good: String,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum Either {
    Left { left_side: String },
    Right { right: String },
}
