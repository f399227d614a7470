// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order")]
pub struct OrderSpec {
    pub items: i32,
}

/// Nothing uses it, but its markers are read all the same.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Unused {
    // +default={
    pub a: Option<String>,
    // +default=red
    pub b: Option<String>,
    // +kubebuilder:default=99999999999999999999
    pub c: Option<i64>,
    // +kubebuilder:validation:Enum=1;99999999999999999999
    pub d: Option<i64>,
    // +kubebuilder:default={a
    pub e: Option<String>,
}
