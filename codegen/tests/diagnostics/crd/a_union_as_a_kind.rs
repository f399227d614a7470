// +groupName=clux.dev
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, JsonSchema)]
#[kube(group = "clux.dev", version = "v1", kind = "Foo")]
pub union FooSpec {
    int: u32,
}
