//! Kinds whose spec is an enum, columns that stand in one attribute, and JSON in Rust's writing.
// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Payment is how somebody pays.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Payment", namespaced, status = "PaymentStatus")]
#[kube(printcolumn = r#"{"name": "Paid", "type": "boolean", "jsonPath": ".status.paid"},
    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp", "priority": 1}"#)]
#[serde(rename_all = "camelCase")]
pub enum PaymentSpec {
    /// By card.
    Card {
        number: String,
        #[schemars(schema_with = "discount")]
        discount: i32,
    },
    /// By transfer.
    Transfer(Account),
}

/// Account is of a bank.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Account {
    pub iban: String,
}

/// PaymentStatus is what was seen.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PaymentStatus {
    pub paid: bool,
}

/// Size is one word.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Size")]
pub enum SizeSpec {
    Small,
    Large,
}

fn discount(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "integer",
        "enum": [-5, 1_0, 20,],
        "description": r"Off, in percent: [5,] or {20,}",
    })
}
