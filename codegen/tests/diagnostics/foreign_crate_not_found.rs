//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +genclient
pub use nowhere_to_be_found::Thing;
