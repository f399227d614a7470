//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +genclient
/// A book.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Book {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Book>,
    pub metadata: Option<ObjectMeta>,
    pub spec: Spec,
    pub status: Option<Status>,
}

/// What is wished.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spec {
    pub title: String,
}

/// What is seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    pub lent: bool,
}
