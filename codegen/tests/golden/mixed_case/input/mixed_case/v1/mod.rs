// +groupName=mixedcase.example.com
// +groupGoName=MixedCase

//! `mixedcase.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
/// HTTPRoute is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HTTPRoute {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<HTTPRoute>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its spec.
    #[serde(default)]
    pub spec: HTTPRouteSpec,
}

/// HTTPRouteSpec is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HTTPRouteSpec {
    /// The cluster_ip.
    #[serde(rename = "clusterIP", default, skip_serializing_if = "Option::is_none")]
    pub cluster_ip: Option<String>,
    /// The external_urls.
    #[serde(rename = "externalURLs", default)]
    pub external_urls: Vec<String>,
    /// The snake_name.
    #[serde(rename = "snake_name", default, skip_serializing_if = "Option::is_none")]
    pub snake_name: Option<String>,
}

// +genclient
/// ClusterTestType is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterTestType {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<ClusterTestType>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
}
