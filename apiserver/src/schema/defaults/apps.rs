//! Deployments and their like.

use serde_json::json;

use super::{Object, has, object, set as put, set_absent, text};

pub(super) fn set(kind: &str, members: &mut Object) {
    match kind {
        "DeploymentSpec" => {
            put(members, "replicas", 1);
            put(members, "revisionHistoryLimit", 10);
            put(members, "progressDeadlineSeconds", 600);
        }
        "DeploymentStrategy" => {
            put(members, "type", "RollingUpdate");
            if text(members, "type") == "RollingUpdate"
                && let Some(rolling) = object(members, "rollingUpdate")
            {
                set_absent(rolling, "maxUnavailable", "25%");
                set_absent(rolling, "maxSurge", "25%");
            }
        }
        "DaemonSetSpec" => put(members, "revisionHistoryLimit", 10),
        "DaemonSetUpdateStrategy" => {
            put(members, "type", "RollingUpdate");
            if text(members, "type") == "RollingUpdate"
                && let Some(rolling) = object(members, "rollingUpdate")
            {
                set_absent(rolling, "maxUnavailable", 1);
                set_absent(rolling, "maxSurge", 0);
            }
        }
        "ReplicaSetSpec" => put(members, "replicas", 1),
        "StatefulSetSpec" => stateful_set(members),
        "StatefulSetUpdateStrategy" => {
            let open = text(members, "type").is_empty();
            put(members, "type", "RollingUpdate");
            // Who names the way of updating says with it that nothing more is to be said.
            if text(members, "type") == "RollingUpdate"
                && (open || has(members, "rollingUpdate"))
                && let Some(rolling) = object(members, "rollingUpdate")
            {
                set_absent(rolling, "partition", 0);
                set_absent(rolling, "maxUnavailable", 1);
            }
        }
        _ => {}
    }
}

fn stateful_set(members: &mut Object) {
    put(members, "podManagementPolicy", "OrderedReady");
    put(members, "replicas", 1);
    put(members, "revisionHistoryLimit", 10);
    if !has(members, "persistentVolumeClaimRetentionPolicy") {
        put(members, "persistentVolumeClaimRetentionPolicy", json!({}));
    }
    if let Some(policy) = object(members, "persistentVolumeClaimRetentionPolicy") {
        put(policy, "whenDeleted", "Retain");
        put(policy, "whenScaled", "Retain");
    }
    for claim in super::items(members, "volumeClaimTemplates") {
        // A claim in a template has its type's name and version written out.
        put(claim, "apiVersion", "v1");
        put(claim, "kind", "PersistentVolumeClaim");
    }
}
