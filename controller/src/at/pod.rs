//! The pod of an At.
//!
//! In: an At, as a server answered it. Out: the pod that runs its command, always the same one; and of a pod, whose it is and how it ended.
//! Never: a request.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{Capabilities, Container, Pod, PodSpec, SeccompProfile, SecurityContext};
use kube_codegen_runtime::{
    controller::{OwnerError, has_finalizer, is_controlled_by, set_controller_reference},
    object::{ObjectKey, ObjectMeta},
};
use sample_apis::cnat::v1alpha1::At;

/// Keeps a pod, however it is deleted, until its At says what became of it: a pod that is not there was never made.
pub const FINALIZER: &str = "cnat.ishankhare.dev/at";
/// The label with the name of a pod's At, where that is short enough for a label.
pub const LABEL: &str = "cnat.ishankhare.dev/at";
/// The annotation with the name of a pod's At.
pub const ANNOTATION: &str = "cnat.ishankhare.dev/at";

/// The image that commands run in.
const IMAGE: &str = "busybox";
/// The user that commands run as: nobody.
const USER: i64 = 65534;
/// Longer names are cut by kubelets where they become host names.
const LONGEST_NAME: usize = 63;
const LONGEST_LABEL: usize = 63;

/// The name of the pod of an At: a function of the At alone, so that whoever makes it a second time is told that it is there.
#[must_use]
pub fn name(at: &At) -> String {
    let name = at.metadata.name.as_deref().unwrap_or_default();
    let uid = at.metadata.uid.as_deref().unwrap_or_default();
    let suffix = format!("-{:08x}", hash(&[name, uid]));
    let room = LONGEST_NAME - suffix.len();
    let kept = name.char_indices().nth(room).map_or(name, |(end, _)| name.split_at(end).0);
    format!("{}{suffix}", kept.trim_end_matches(['-', '.']))
}

/// FNV-1a in 32 bits: the same on every machine and in every version.
fn hash(parts: &[&str]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The pod of an At.
///
/// # Errors
/// If the At is none that a server has stored.
pub fn of(at: &At, words: Vec<String>) -> Result<Pod, OwnerError> {
    let at_name = at.metadata.name.clone().unwrap_or_default();
    let mut labels =
        BTreeMap::from([("app.kubernetes.io/managed-by".to_owned(), "at-controller".to_owned())]);
    if at_name.len() <= LONGEST_LABEL {
        labels.insert(LABEL.to_owned(), at_name.clone());
    }
    let metadata = ObjectMeta {
        name: Some(name(at)),
        namespace: at.metadata.namespace.clone(),
        labels: Some(labels),
        annotations: Some(BTreeMap::from([(ANNOTATION.to_owned(), at_name)])),
        finalizers: Some(vec![FINALIZER.to_owned()]),
        ..ObjectMeta::default()
    };
    let mut pod = Pod { metadata, spec: Some(spec(words)), status: None };
    set_controller_reference(at, &mut pod)?;
    Ok(pod)
}

fn spec(words: Vec<String>) -> PodSpec {
    let security = SecurityContext {
        allow_privilege_escalation: Some(false),
        capabilities: Some(Capabilities { drop: Some(vec!["ALL".to_owned()]), ..Capabilities::default() }),
        run_as_non_root: Some(true),
        run_as_user: Some(USER),
        seccomp_profile: Some(SeccompProfile {
            type_: "RuntimeDefault".to_owned(),
            ..SeccompProfile::default()
        }),
        ..SecurityContext::default()
    };
    let container = Container {
        name: "command".to_owned(),
        image: Some(IMAGE.to_owned()),
        command: Some(words),
        security_context: Some(security),
        ..Container::default()
    };
    PodSpec {
        containers: vec![container],
        restart_policy: Some("Never".to_owned()),
        automount_service_account_token: Some(false),
        ..PodSpec::default()
    }
}

/// The At that a pod says it is of.
#[must_use]
pub fn at_of(pod: &Pod) -> Option<ObjectKey> {
    let name = pod.metadata.annotations.as_ref()?.get(ANNOTATION)?;
    let valid = !name.is_empty() && !name.contains('/');
    valid.then(|| ObjectKey::new(pod.metadata.namespace.as_deref().unwrap_or_default(), name))
}

/// Whether a pod was made for this very At, not only for one of its name.
#[must_use]
pub fn is_of(pod: &Pod, at: &At) -> bool {
    is_controlled_by(pod, at) || (is_held(pod) && pod.metadata.name.as_deref() == Some(&name(at)))
}

/// Whether a pod is kept by our finalizer.
#[must_use]
pub fn is_held(pod: &Pod) -> bool {
    has_finalizer(pod, FINALIZER)
}

/// How a pod ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its command has succeeded.
    Succeeded,
    /// It has not.
    Failed {
        /// Why, as one word.
        reason: &'static str,
        /// Why.
        message: String,
    },
}

/// How a pod ended, if it did.
#[must_use]
pub fn end(pod: &Pod) -> Option<End> {
    let status = pod.status.as_ref();
    match status.and_then(|status| status.phase.as_deref()) {
        Some("Succeeded") => return Some(End::Succeeded),
        Some("Failed") => {
            return Some(End::Failed { reason: "PodFailed", message: failure(pod) });
        }
        _ => {}
    }
    // No kubelet will say any more about a pod that is deleted and has no node, or was deleted by force.
    let has_node = pod.spec.as_ref().is_some_and(|spec| spec.node_name.is_some());
    let forced = pod.metadata.deletion_grace_period_seconds.unwrap_or_default() == 0;
    let gone = pod.metadata.deletion_timestamp.is_some() && (forced || !has_node);
    gone.then(|| End::Failed {
        reason: "PodDeleted",
        message: "the pod was deleted before it had ended".to_owned(),
    })
}

/// Why a pod failed, in the words of its status.
fn failure(pod: &Pod) -> String {
    let Some(status) = &pod.status else { return "the pod has failed".to_owned() };
    if let Some(message) = status.message.as_ref().or(status.reason.as_ref()) {
        return message.clone();
    }
    let statuses = status.container_statuses.iter().flatten();
    let ended = statuses.filter_map(|container| container.state.as_ref()?.terminated.as_ref());
    ended
        .map(|ended| (ended.exit_code, ended.message.as_deref().or(ended.reason.as_deref())))
        .find(|(code, _)| *code != 0)
        .map_or_else(
            || "the pod has failed".to_owned(),
            |(code, why)| {
                format!(
                    "the command ended with exit code {code}{}",
                    why.map(|why| format!(": {why}")).unwrap_or_default()
                )
            },
        )
}
