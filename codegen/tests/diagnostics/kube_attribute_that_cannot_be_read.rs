//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use kube::CustomResource;
use serde::{Deserialize, Serialize};

// +genclient
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = 5, version)]
pub struct BookSpec {
    pub title: String,
}
