//! Pods that change in a way that not every node knows: their node has to declare that it does.
//!
//! In: a pod that is bound, as it is stored and as it is to be, and the nodes. Out: the refusal, if there is one.

use serde_json::Value;

use crate::{
    protocol::{Fields, Status},
    strategy::{at, text},
};

use super::{Attempt, Cluster, Operation};

/// Whether a pod's node knows the change.
pub(super) fn validate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<(), Status> {
    let changes = attempt.is_core("pods")
        && attempt.operation == Operation::Update
        && ["", "resize"].contains(&attempt.subresource);
    let name = text(object, "spec.nodeName");
    let Some(old) = attempt.old.filter(|_| changes && !name.is_empty()) else { return Ok(()) };
    if at(old, "metadata.generation") == at(object, "metadata.generation") {
        return Ok(());
    }
    let needed = needed(old, object);
    if needed.is_empty() {
        return Ok(());
    }
    let Some(node) = cluster.get("", "nodes", "", name) else {
        return Err(attempt.forbidden(&format!("node {name:?} not found")));
    };
    let declared = items(&node, "status.declaredFeatures");
    let missing: Vec<&str> =
        needed.into_iter().filter(|name| !declared.iter().any(|known| known == name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let why = format!(
        "pod update requires features {} which are not available on node {name:?}",
        missing.join(", ")
    );
    Err(attempt.forbidden(&why))
}

/// What a node has to know for a change, by name.
fn needed(old: &Fields, new: &Fields) -> Vec<&'static str> {
    let mut needed = Vec::new();
    if at(old, "spec.resources") != at(new, "spec.resources") {
        needed.push("InPlacePodLevelResourcesVerticalScaling");
    }
    let stays = |container: &Value| container.get("restartPolicy").is_some_and(|policy| policy == "Always");
    let mut starters = items(old, "spec.initContainers").iter().zip(items(new, "spec.initContainers"));
    if starters.any(|(old, new)| !stays(old) && old.get("resources") != new.get("resources")) {
        needed.push("InPlacePodVerticalScalingInitContainers");
    }
    let (before, after) = (items(old, "spec.volumes"), items(new, "spec.volumes"));
    let resized = |(old, new): (&Value, &Value)| {
        let limit = |volume: &Value| volume.pointer("/emptyDir/sizeLimit").cloned();
        old.get("name") == new.get("name")
            && new.pointer("/emptyDir/medium").is_some_and(|medium| medium == "Memory")
            && matches!((limit(old), limit(new)), (Some(old), Some(new)) if old != new)
    };
    if before.len() == after.len() && before.iter().zip(after).any(resized) {
        needed.push("InPlacePodVerticalScalingMemoryBackedVolumes");
    }
    needed
}

fn items<'a>(object: &'a Fields, path: &str) -> &'a [Value] {
    at(object, path).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}
