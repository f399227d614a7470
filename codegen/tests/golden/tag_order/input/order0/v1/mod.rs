// +groupName=order0.example.com

//! `order0.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
// +genclient:nonNamespaced

/// One of several.
// +genclient:onlyVerbs=get,list,watch
// +resourceName=ones
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct One {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<One>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}
