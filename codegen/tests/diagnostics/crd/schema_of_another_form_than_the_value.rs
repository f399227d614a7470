// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
#[serde(rename_all = "camelCase")]
#[schemars(rename_all = "camelCase", rename = "TheOrder")]
pub struct OrderSpec {
    #[schemars(rename = "title")]
    pub name: String,
    pub colour: Colour,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Colour {
    Red,
    #[schemars(rename = "blau")]
    Blue,
}
