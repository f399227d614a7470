// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    pub worked_out: WorkedOut,
    pub said: Said,
    pub only: Only,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkedOut {
    pub a: String,
}

impl JsonSchema for WorkedOut {
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let schema = worked_out();
        schema
    }
}

// +kubebuilder:validation:Type=string
#[derive(Clone, Debug)]
pub struct Said(String, i32);

impl JsonSchema for Said {
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        worked_out()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Only(#[schemars(required)] Option<String>);
