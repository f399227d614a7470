// +groupName=shop.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

/// Order is what somebody wants.
// +kubebuilder:object:root=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Order>,
    pub metadata: ObjectMeta,
    pub spec: OrderSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSpec {
    pub name: Name,
    pub wait: Wait,
    pub count: Count,
    pub gone: Gone,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(#[schemars(length(max = most()))] String);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wait(#[serde(with = "humantime_serde")] std::time::Duration);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Count(
    // +kubebuilder:validation:MaxLength=3
    // +kubebuilder:validation:Optional
    i32,
);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gone(#[serde(skip)] String);
