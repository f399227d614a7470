//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use kube::CustomResource;
use serde::{Deserialize, Serialize};

// +genclient
// +resourceName=volumes
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "library.example.com", version = "v1", kind = "Book", plural = "tomes")]
pub struct BookSpec {
    pub title: String,
}
