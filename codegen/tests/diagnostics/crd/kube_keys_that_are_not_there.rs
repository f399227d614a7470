// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced, shortnames = "o")]
#[kube(printcolumn(name = "Size", type_ = "integer", jsonpath = ".spec.size"))]
#[kube(schema = "Derived")]
pub struct OrderSpec {
    #[schemars(lenght(max = 5))]
    pub name: String,
    #[x_kube(validations = "self > 0")]
    pub size: i32,
}
