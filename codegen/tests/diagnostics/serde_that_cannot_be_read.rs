//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camlCase", tag = 5)]
pub struct Odd {
    #[serde(rename = )]
    pub a: i32,
}
