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
    #[schemars(schema_with = "worked_out")]
    pub plain: Vec<k8s_openapi::api::core::v1::Toleration>,
    // +kubebuilder:validation:Type=array
    // +kubebuilder:pruning:PreserveUnknownFields
    #[schemars(schema_with = "worked_out")]
    pub tolerations: Vec<k8s_openapi::api::core::v1::Toleration>,
    // +kubebuilder:validation:Type=array
    // +kubebuilder:validation:items:Type=array
    #[schemars(schema_with = "worked_out")]
    pub nested: Vec<Vec<k8s_openapi::api::core::v1::Toleration>>,
}
