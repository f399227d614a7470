// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// Payment is how somebody pays.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Payment", schema = "manual")]
pub enum PaymentSpec {
    Card { number: String },
}
