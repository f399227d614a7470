// +groupName=shop.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

/// Order is what somebody wants.
// +kubebuilder:object:root=true
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 9 && self.spec.last.size() > self.spec.naem.size()"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Order>,
    pub metadata: ObjectMeta,
    pub spec: OrderSpec,
}

// +kubebuilder:validation:XValidation:rule="has(self.first) || self.items.all(item, item.count > 0)"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSpec {
    pub last: String,
    pub name: String,
    // +kubebuilder:validation:items:XValidation:rule="self.coutn > 0",messageExpression="'not ' + string(self.count)"
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Item {
    pub count: i32,
}
