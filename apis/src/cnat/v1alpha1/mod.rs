// +groupName=cnat.ishankhare.dev

//! `cnat.ishankhare.dev/v1alpha1`: commands that run at a given time.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// ANCHOR: at
// +genclient
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=cnat
// +kubebuilder:printcolumn:name=Phase,type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name=Schedule,type=string,JSONPath=`.spec.schedule`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`
/// At runs a command at a given time, once, in a pod.
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
// ANCHOR_END: at

/// What to run, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AtSpec {
    /// The time, as RFC 3339: `2030-01-31T12:00:00Z`, or with an offset. Without either it is in UTC.
    #[serde(default)]
    pub schedule: String,
    /// The command and its arguments, split into words as a shell does. Nothing else of a shell is there: no variables, no pipes.
    #[serde(default)]
    pub command: String,
    // +optional
    // +kubebuilder:validation:Minimum=0
    /// How many seconds after its time the command may still be begun. Without it, a time that has passed is no obstacle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starting_deadline_seconds: Option<i64>,
}

/// How far an [`At`] is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AtStatus {
    /// The phase; unset before a controller has seen the object. It only ever goes forward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<AtPhase>,
    /// The generation of the object that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The pod that runs the command, once its time has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod_name: Option<String>,
    // +listType=map
    // +listMapKey=type
    /// `Ready`: whether what the spec says can be, or was, done. `Complete`: the command has succeeded. `Failed`: it has not, or was not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// The phases of an [`At`], in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AtPhase {
    /// It waits for its time.
    Pending,
    /// Its time has come: its pod is started, or runs.
    Running,
    /// Its pod has ended, or there will be none.
    Done,
}

impl At {
    /// The phase, if a controller has seen the object.
    #[must_use]
    pub fn phase(&self) -> Option<AtPhase> {
        self.status.as_ref()?.phase
    }
}
