// +groupName=policy.example.com

//! `policy.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
/// Rule is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Rule>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}
