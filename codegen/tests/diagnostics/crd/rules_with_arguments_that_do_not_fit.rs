// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

// +kubebuilder:validation:XValidation:rule="self.name.startsWith(1)"
// +kubebuilder:validation:XValidation:rule="self.sizes.join(',') == ''"
// +kubebuilder:validation:XValidation:rule="size(self.count) == 1"
// +kubebuilder:validation:XValidation:rule="sets.contains(self.words, [1])"
// +kubebuilder:validation:XValidation:rule="1 in self.labels || self.labels[1] == ''"
// +kubebuilder:validation:XValidation:rule="self.count > 1 ? self.name == '' : 'a'"
// +kubebuilder:validation:XValidation:rule="duration('1 hour') > duration('1m')"
// +kubebuilder:validation:XValidation:rule="timestamp('2024-02-30T00:00:00Z') < timestamp('2025-01-01T00:00:00Z')"
// +kubebuilder:validation:XValidation:rule="int('x') == 1"
// +kubebuilder:validation:XValidation:rule="uint(-1) == 1u"
// +kubebuilder:validation:XValidation:rule="'%d of %s'.format([self.name, 'x']) == ''"
// +kubebuilder:validation:XValidation:rule="'%s'.format([]) == ''"
// +kubebuilder:validation:XValidation:rule="self.words.all(for, for == '')"
// +kubebuilder:validation:XValidation:rule="self.words.all(i, i, true)"
// +kubebuilder:validation:XValidation:rule="{1: 'a', 'b': 'c'}.size() == 2"
// +kubebuilder:validation:XValidation:rule="[?self.name].size() == 1"
// +kubebuilder:validation:XValidation:rule="self.count == 9223372036854775808"
// +kubebuilder:validation:XValidation:rule="[?self.?name, 'a'].size() == 1 && .self.count == -9223372036854775808"
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    // +kubebuilder:validation:MaxLength=10
    pub name: String,
    pub count: i64,
    // +kubebuilder:validation:MaxItems=5
    // +kubebuilder:validation:items:MaxLength=5
    pub words: Vec<String>,
    // +kubebuilder:validation:MaxItems=5
    pub sizes: Vec<i32>,
    // +kubebuilder:validation:MaxProperties=5
    pub labels: BTreeMap<String, String>,
}
