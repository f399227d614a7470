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
    // +kubebuilder:validation:MaxItems=1100
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Item {
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('a')"
    // +kubebuilder:validation:XValidation:rule="self.contains('aa')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('aaa')"
    pub a: String,
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('b')"
    // +kubebuilder:validation:XValidation:rule="self.contains('bb')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('bbb')"
    pub b: String,
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('c')"
    // +kubebuilder:validation:XValidation:rule="self.contains('cc')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('ccc')"
    pub c: String,
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('d')"
    // +kubebuilder:validation:XValidation:rule="self.contains('dd')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('ddd')"
    pub d: String,
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('e')"
    // +kubebuilder:validation:XValidation:rule="self.contains('ee')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('eee')"
    pub e: String,
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('f')"
    // +kubebuilder:validation:XValidation:rule="self.contains('ff')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('fff')"
    pub f: String,
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('g')"
    // +kubebuilder:validation:XValidation:rule="self.contains('gg')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('ggg')"
    pub g: String,
    // +kubebuilder:validation:MaxLength=10000
    // +kubebuilder:validation:XValidation:rule="self.contains('h')"
    // +kubebuilder:validation:XValidation:rule="self.contains('hh')"
    // +kubebuilder:validation:XValidation:rule="!self.contains('hhh')"
    pub h: String,
}
