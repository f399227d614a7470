// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Payment is how somebody pays.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Payment")]
#[kube(printcolumn = r#"{"name": "Age"} {"name": "Paid"}"#)]
pub enum PaymentSpec {
    Card { number: String },
}
