//! Admission policies: rules in expressions, bound to what they are about.
//!
//! In: policies and bindings as they are stored, and a write. Out: the object with what mutating policies do to it, or the refusal of a
//! validating one, in the words of a real server. Audit annotations are worked out, since they may fail, and kept nowhere.

mod mutating;
mod params;
mod read;
mod scene;
mod validating;

pub(super) use self::{
    mutating::mutate,
    read::{Expression, Failure, Policy, Reinvocation, Sort, bound},
    scene::{Rights, Scene, conditions, question},
    validating::validate,
};

use serde_json::Map;

use crate::protocol::{Fields, Status};

use super::{Attempt, Cluster};

/// What one policy may spend on one write.
const BUDGET: u64 = 10_000_000;
/// What the conditions of a policy may spend.
const CONDITIONS: u64 = BUDGET / 4;
const SPENT: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// What expressions see of the namespace of a write; none where it is in none.
fn namespace(attempt: &Attempt<'_>, cluster: &Cluster<'_>) -> Result<Option<Fields>, Status> {
    const SHOWN: [&str; 11] = [
        "name",
        "generateName",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "labels",
        "annotations",
        "finalizers",
    ];
    let is_namespace = attempt.is_core("namespaces") && attempt.kind(attempt.resource).2 == "Namespace";
    if attempt.namespace.is_empty() || is_namespace {
        return Ok(None);
    }
    let Some(mut namespace) = cluster.get("", "namespaces", "", attempt.namespace) else {
        return match cluster.registry.namespaces() {
            Some(namespaces) => Err(Status::not_found(namespaces.name(), attempt.namespace)),
            None => Ok(None),
        };
    };
    if let Some(metadata) = namespace.get_mut("metadata").and_then(|metadata| metadata.as_object_mut()) {
        let kept: Map<_, _> = std::mem::take(metadata);
        metadata.extend(kept.into_iter().filter(|(name, _)| SHOWN.contains(&name.as_str())));
    }
    for name in ["kind", "apiVersion"] {
        namespace.remove(name);
    }
    Ok(Some(namespace))
}
