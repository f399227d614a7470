// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    #[schemars(schema_with = "kinds")]
    pub kinds: serde_json::Value,
    #[schemars(schema_with = "defaults")]
    pub defaults: serde_json::Value,
    #[schemars(schema_with = "rules")]
    pub rules: serde_json::Value,
    #[schemars(schema_with = "branches")]
    pub branches: serde_json::Value,
    #[schemars(schema_with = "both")]
    pub both: serde_json::Value,
    #[schemars(schema_with = "numbers")]
    pub numbers: serde_json::Value,
    /// This one is fine.
    #[schemars(schema_with = "mixed")]
    pub mixed: serde_json::Value,
}

fn kinds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "properties": { "a": { "type": "text" }, "b": { "description": "any" } } })
}

fn defaults(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "^x", "default": "y" } } })
}

fn rules(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "x-kubernetes-validations": [{ "rule": "self.size() > 1" }] })
}

fn branches(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "anyOf": [{ "type": "string", "maxLength": 3 }, { "enum": ["none"] }] })
}

fn both(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": { "a": { "type": "string" } },
        "additionalProperties": { "type": "string" }
    })
}

fn numbers(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "maxLength": "5", "nullable": "yes" })
}

fn mixed(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] })
}
