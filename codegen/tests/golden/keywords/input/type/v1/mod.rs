// +groupName=type.example.com

//! `type.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

include!("zz_generated.object.rs");

// +genclient
/// Type is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Type {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Type>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its spec.
    #[serde(default)]
    pub spec: TypeSpec,
}

/// TypeSpec is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeSpec {
    /// The type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// The ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<TypeRef>,
    /// The async.
    #[serde(default)]
    pub r#async: Vec<String>,
    /// The match.
    #[serde(default)]
    pub r#match: BTreeMap<String, String>,
    /// The self_.
    #[serde(rename = "self", default, skip_serializing_if = "Option::is_none")]
    pub self_: Option<String>,
    /// The add.
    #[serde(default)]
    pub add: Vec<String>,
    /// The sub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub: Option<String>,
    /// The new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// TypeRef is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeRef {
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#in: Option<i32>,
}

// +genclient
/// Endpoints is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Endpoints {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Endpoints>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Params is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Params {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Params>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Result is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Result {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Result>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Client is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Client {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Client>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Patch is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Patch {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Patch>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Event is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Event>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Factory is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Factory {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Factory>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

// +genclient
/// Label is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Label {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Label>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// The namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}
