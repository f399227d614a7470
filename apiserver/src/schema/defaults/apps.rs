//! Deployments and their like.

use serde_json::json;

use super::{Object, has, object, set as put, text};

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
                put(rolling, "maxUnavailable", "25%");
                put(rolling, "maxSurge", "25%");
            }
        }
        "DaemonSetSpec" => put(members, "revisionHistoryLimit", 10),
        "DaemonSetUpdateStrategy" => {
            put(members, "type", "RollingUpdate");
            if text(members, "type") == "RollingUpdate"
                && let Some(rolling) = object(members, "rollingUpdate")
            {
                put(rolling, "maxUnavailable", 1);
                put(rolling, "maxSurge", 0);
            }
        }
        "ReplicaSetSpec" => put(members, "replicas", 1),
        "StatefulSetSpec" => stateful_set(members),
        "StatefulSetUpdateStrategy" => {
            put(members, "type", "RollingUpdate");
            if text(members, "type") == "RollingUpdate"
                && let Some(rolling) = object(members, "rollingUpdate")
            {
                put(rolling, "partition", 0);
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
