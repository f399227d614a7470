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

// +kubebuilder:validation:XValidation:rule="self.names.all(a, self.names.exists(b, a == b + 'x'))"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSpec {
    pub names: Vec<String>,
    // +kubebuilder:validation:MaxItems=100
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Item {
    // +kubebuilder:validation:XValidation:rule="self.matches('^[a-z]+$')",messageExpression="'not ' + self"
    pub name: String,
    // +kubebuilder:validation:MaxLength=20
    // +kubebuilder:validation:XValidation:rule="self.matches('^[a-z]+$')"
    pub colour: String,
}
