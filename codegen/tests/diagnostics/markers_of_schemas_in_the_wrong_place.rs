//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:validation:Minimum=1
// +optional
// +nullable
pub struct Page {
    // +kubebuilder:subresource:status
    // +kubebuilder:rbac:groups=apps,resources=x,verbs=get
    pub a: i32,
}

// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.a
pub fn f() {}
