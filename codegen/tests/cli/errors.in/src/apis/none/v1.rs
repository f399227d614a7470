// +groupName=none.example.com

//! Nothing to generate for.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// A thing.
/// A thing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
}
