// +groupName=order1.example.com

//! `order1.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

/// One of several.
///
/// +resourceName=ones
// +genclient:onlyVerbs=get,list,watch
// +genclient:nonNamespaced
// +genclient
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
