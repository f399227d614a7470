// +groupName=shop.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

/// Order_Book is what somebody wants.
// +kubebuilder:object:root=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order_Book {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Order_Book>,
    pub metadata: ObjectMeta,
    pub spec: OrderSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSpec {
    pub size: i32,
}
