//! Pods whose sizes change: their node is there, and large enough.
//!
//! In: a pod with new sizes, as it is stored and as it is to be, and the nodes. Out: the refusal, if there is one.

use serde_json::Value;

use crate::{
    protocol::{Cause, Fields, Status},
    strategy::{at, text},
};

use super::{
    Attempt, Cluster, Operation,
    amount::amounts,
    pod_resources::{Part, with_overhead},
};

/// Whether the sizes of a pod may become these.
pub(super) fn validate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<(), Status> {
    let resizes =
        attempt.is_core("pods") && attempt.operation == Operation::Update && attempt.subresource == "resize";
    let name = text(object, "spec.nodeName");
    let Some(old) = attempt.old.filter(|_| resizes && !name.is_empty()) else { return Ok(()) };
    if at(old, "metadata.generation") == at(object, "metadata.generation") {
        return Ok(());
    }
    let Some(node) = cluster.get("", "nodes", "", name) else {
        return Err(attempt.forbidden(&format!("node {name:?} not found")));
    };
    let system = at(&node, "metadata.labels").and_then(|labels| labels.get("kubernetes.io/os"));
    if let Some(system) = system.and_then(Value::as_str).filter(|system| *system != "linux") {
        let why = format!("pod resize is only supported on linux nodes, node {name:?} is {system:?}");
        return Err(refused(attempt, &why, "UnsupportedPlatform"));
    }
    let (there, wanted) = (amounts(at(&node, "status.allocatable")), with_overhead(object, Part::Requests));
    let mut short = Vec::new();
    for (resource, thousandths) in [("cpu", true), ("memory", false)] {
        let of = |all: &super::amount::Amounts| all.get(resource).copied().unwrap_or_default();
        let (asked, has) = (of(&wanted), of(&there));
        if asked > has {
            let told = |amount: super::amount::Amount| match thousandths {
                true => amount.thousandths(),
                false => amount.units(),
            };
            short.push(format!("{resource}, requested: {}, allocatable: {}", told(asked), told(has)));
        }
    }
    if short.is_empty() {
        return Ok(());
    }
    let why = format!("node didn't have enough allocatable resources: {}", short.join("; "));
    Err(refused(attempt, &why, "NodeCapacity"))
}

fn refused(attempt: &Attempt<'_>, why: &str, reason: &'static str) -> Status {
    let cause = Cause { reason, ..Cause::default() };
    attempt.forbidden(why).with_cause(cause)
}
