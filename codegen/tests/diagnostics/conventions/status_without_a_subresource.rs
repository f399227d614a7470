// +groupName=example.com
// +versionName=v1
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:object:root=true
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
    pub size: i32,
}
