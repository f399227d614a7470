//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use kube::CustomResource;
use serde::{Deserialize, Serialize};

// +genclient
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "books.example.com", version = "v2", kind = "Book")]
pub struct BookSpec {
    pub title: String,
}
