//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:resource:path=pages,path=page,size=3
// +kubebuilder:printcolumn:name="a\qb",type=string,JSONPath=.a
// +kubebuilder:printcolumn:name,type=string
// +kubebuilder:resource=pages
// +kubebuilder:resource:scope=Galaxy
// +kubebuilder:title=a;b
// +kubebuilder:subresource:status:now
pub struct Page {
    // +kubebuilder:validation:MaxLength=ten
    // +kubebuilder:validation:Pattern=`^a
    // +kubebuilder:default={a,{b
    // +kubebuilder:validation:Enum={a,b
    pub a: i32,
    // +k8s:maxItems=18,foo=bar
    // +nullable:x=1
    // +k8s:minimum=3 # as a comment
    pub b: Vec<i32>,
}
