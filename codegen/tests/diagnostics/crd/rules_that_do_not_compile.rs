// +groupName=example.com
// +versionName=v1
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

// +kubebuilder:object:root=true
#[derive(Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
    pub spec: ThingSpec,
}

// +kubebuilder:validation:XValidation:rule="self.size > 'a'"
// +kubebuilder:validation:XValidation:rule="self.name.startWith('a')"
// +kubebuilder:validation:XValidation:rule="slef.size > 1"
// +kubebuilder:validation:XValidation:rule="self.name"
// +kubebuilder:validation:XValidation:rule="self.size > 1 &&"
// +kubebuilder:validation:XValidation:rule="self.names.all(n, n > 0)"
// +kubebuilder:validation:XValidation:rule="self.names.exists(n, m == 'a')"
// +kubebuilder:validation:XValidation:rule=`self.name.matches("[")`
// +kubebuilder:validation:XValidation:rule="self.labels.all(k, v, v.size() > 'x')"
// +kubebuilder:validation:XValidation:rule="self.name.size.foo()"
// +kubebuilder:validation:XValidation:rule="self.since < '2024-01-01T00:00:00Z'"
// +kubebuilder:validation:XValidation:rule="self.name.substring()"
// +kubebuilder:validation:XValidation:rule="has(self)"
// +kubebuilder:validation:XValidation:rule="true",messageExpression="self.size"
// +kubebuilder:validation:XValidation:rule="self.size + 1"
// +kubebuilder:validation:XValidation:rule="!self.size"
// +kubebuilder:validation:XValidation:rule="self.ratio == 1",fieldPath=".ratoi"
// +kubebuilder:validation:XValidation:rule="self.name == 'it\"s"
// +kubebuilder:validation:XValidation:rule="self.names[0]] == 'a'"
// +kubebuilder:validation:XValidation:rule="quantity(self.name).isLesThan(quantity('1'))"
// +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() && oldSelf.value().sise > 1",optionalOldSelf=true
// +kubebuilder:validation:XValidation:rule="self.size # 1"
// +kubebuilder:validation:XValidation:rule="self.size > 1",optionalOldSelf=true
// +kubebuilder:validation:XValidation:rule="self.anything.size() > 1 && self.name in [1, 'a']"
// +kubebuilder:validation:XValidation:rule="self['name'] == 'a'"
// +kubebuilder:validation:XValidation:rule="self.name in [1, 'a']"
#[derive(Serialize, Deserialize)]
pub struct ThingSpec {
    pub name: String,
    pub size: i32,
    pub ratio: String,
    pub anything: serde_json::Value,
    pub since: Time,
    pub names: Vec<String>,
    pub labels: BTreeMap<String, String>,
    // +kubebuilder:validation:items:XValidation:rule="self.part.nam != ''"
    pub holders: Vec<Holder>,
    // +kubebuilder:validation:XValidation:rule="self.all(x, x.part.name == oldSelf)"
    pub others: Vec<Holder>,
}

#[derive(Serialize, Deserialize)]
pub struct Holder {
    pub part: Part,
}

#[derive(Serialize, Deserialize)]
pub struct Part {
    pub name: String,
}
