// +groupName=cnat.ishankhare.dev

//! `cnat.ishankhare.dev/v1alpha1`: commands that run at a given time.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
/// At runs a command at a given time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct At {
    /// `apiVersion` and `kind`.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<At>,
    /// Name, namespace, labels and the like.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// What to run, and when.
    #[serde(default)]
    pub spec: AtSpec,
    /// How far it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<AtStatus>,
}

/// What to run, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AtSpec {
    /// The time, in UTC, as RFC 3339: `2030-01-31T12:00:00Z`.
    #[serde(default)]
    pub schedule: String,
    /// The command and its arguments, as a shell reads them.
    #[serde(default)]
    pub command: String,
}

/// How far an [`At`] is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AtStatus {
    /// The phase; unset before a controller has seen the object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<AtPhase>,
}

/// The phases of an [`At`], in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AtPhase {
    /// It waits for its time.
    Pending,
    /// Its pod runs.
    Running,
    /// Its pod has ended.
    Done,
}
