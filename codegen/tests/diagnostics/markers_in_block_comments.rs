// +groupName=shapes.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

/* +genclient */
// +genclient:noStatus
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Circle {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Circle>,
    pub metadata: ObjectMeta,
}

/*
 * A square.
 * +genclient
 * +kubebuilder:subresource:staus
 */
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Square {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Square>,
    pub metadata: ObjectMeta,
}

/* +groupName=other.example.com */
