// +groupName=verbs.example.com

//! `verbs.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
// +genclient:onlyVerbs=create,get,updateStatus
/// Chosen is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chosen {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Chosen>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ChosenStatus>,
}

/// ChosenStatus is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChosenStatus {
    /// The ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
}

// +genclient
// +genclient:skipVerbs=delete,deleteCollection,patch,apply,applyStatus
/// Skipped is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Skipped>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<SkippedStatus>,
}

/// SkippedStatus is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkippedStatus {
    /// The ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
}

// +genclient
// +genclient:readonly
/// ReadOnly is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadOnly {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<ReadOnly>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
// +genclient:noVerbs
/// Unserved is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unserved {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Unserved>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
// +genclient:onlyVerbs=list,watch
/// Streamed is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Streamed {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Streamed>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}
