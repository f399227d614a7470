// +groupName=family.example.com

//! `family.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
/// Child is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Child {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Child>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Index is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Index {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Index>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Gateway is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gateway {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Gateway>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Policy is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Policy {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Policy>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
// +resourceName=flock
/// Sheep is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sheep {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Sheep>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}
