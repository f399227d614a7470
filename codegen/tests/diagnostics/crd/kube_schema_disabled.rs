// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Order is what somebody wants.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced, schema = "disabled")]
pub struct OrderSpec {
    pub name: String,
}
