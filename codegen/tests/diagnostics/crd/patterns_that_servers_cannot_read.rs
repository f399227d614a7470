// +groupName=shop.example.com
// +versionName=v1

use garde::Validate;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// +kubebuilder:validation:XValidation:rule="self.name.matches('(?=x)')"
// +kubebuilder:validation:XValidation:rule="self.name.find('a++') == ''"
// +kubebuilder:validation:XValidation:rule="matches(self.name, '[[:word')"
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema, Validate)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    // +kubebuilder:validation:Pattern=`((a{1000}){1000}){1000}`
    pub name: String,
    // +kubebuilder:validation:items:Pattern=`^\p{alpha}$`
    pub words: Vec<String>,
    #[garde(pattern(r"(?<!a)b"))]
    pub behind: String,
    #[validate(regex(pattern = r"(?x) a b"))]
    pub spaced: String,
    #[schemars(regex(pattern = r"a(?#why)"))]
    pub commented: String,
    #[schemars(extend("pattern" = "\\u{61}"))]
    pub extended: String,
    #[schemars(schema_with = "coded")]
    pub coded: String,
    pub short: Short,
}

// +kubebuilder:validation:Pattern=`^(?P<a-b>x)$`
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Short(String);

fn coded(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "array", "items": { "type": "string", "pattern": "a{2}{3}" } })
}
