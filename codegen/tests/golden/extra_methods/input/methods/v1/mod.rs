// +groupName=methods.example.com

//! `methods.example.com`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=Approve,verb=create,subresource=approval,input=Approval,result=Approval
// +genclient:method=PatchScale,verb=patch,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=ListParts,verb=list,subresource=parts,result=Approval
// +genclient:method=CreateExtended,verb=create
// +genclient:method=UpdateExtended,verb=update,input=Approval
// +genclient:method=GetExtended,verb=get,result=Approval
// +genclient:method=ListExtended,verb=list
// +genclient:method=PatchExtended,verb=patch
// +genclient:method=ApplyExtended,verb=apply
// +genclient:method=GetSelf,verb=get,subresource=self
// +genclient:method=ApplyApproval,verb=apply,subresource=approval,input=Approval,result=Approval
/// Job is a kind of this case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Job>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its spec.
    #[serde(default)]
    pub spec: JobSpec,
    /// Its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<JobStatus>,
}

/// JobSpec is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobSpec {
    /// The replicas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
}

/// JobStatus is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobStatus {
    /// The ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
}

// +kubebuilder:object:root=true
/// Approval is an object without a client of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Approval>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
}
