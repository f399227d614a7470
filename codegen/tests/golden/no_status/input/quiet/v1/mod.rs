// +groupName=quiet.example.com

//! `quiet.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
// +genclient:noStatus
/// Muted is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Muted {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Muted>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its spec.
    #[serde(default)]
    pub spec: MutedSpec,
    /// Its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<MutedStatus>,
}

/// MutedSpec is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MutedSpec {
    /// The size.
    #[serde(default)]
    pub size: i32,
}

/// MutedStatus is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MutedStatus {
    /// The ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
}

// +genclient
/// Silent is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Silent {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Silent>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}
