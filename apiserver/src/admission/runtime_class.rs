//! Runtime classes: a pod costs what its class says, and runs where its class runs.
//!
//! In: the runtime classes, and a new pod. Out: the pod with the overhead, selector and tolerations of its class, or the refusal.

use serde_json::Value;

use crate::{
    protocol::{Fields, Status},
    strategy::{at, child, set, text, tolerate},
};

use super::{Attempt, Cluster, Operation, amount::amounts};

const OVERHEAD: &str = "spec.overhead";

/// Gives a new pod what its class says.
pub(super) fn mutate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &mut Fields,
) -> Result<(), Status> {
    let Some(class) = class_of(attempt, cluster, object)? else { return Ok(()) };
    if let Some(overhead) = at(&class, "overhead").filter(|overhead| !overhead.is_null()) {
        let fixed = overhead.get("podFixed");
        let given = amounts(at(object, OVERHEAD));
        if !given.is_empty() && given != amounts(fixed) {
            return Err(attempt.forbidden(MISMATCH));
        }
        if let Some(fixed) = fixed {
            set(object, OVERHEAD, fixed.clone());
        }
    }
    let Some(scheduling) = at(&class, "scheduling").filter(|scheduling| !scheduling.is_null()) else {
        return Ok(());
    };
    let Some(spec) = child(object, "spec") else { return Ok(()) };
    // What is added to every pod is there by then.
    tolerate(spec);
    select(attempt, spec, scheduling)?;
    let own = spec.get("tolerations").and_then(Value::as_array).into_iter().flatten();
    let more = scheduling.get("tolerations").and_then(Value::as_array).into_iter().flatten();
    let merged = merged(&own.chain(more).cloned().collect::<Vec<_>>());
    spec.insert("tolerations".to_owned(), merged.into());
    Ok(())
}

const MISMATCH: &str = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/// Whether a pod costs what its class says.
pub(super) fn validate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<(), Status> {
    let overhead = at(object, OVERHEAD).filter(|overhead| !overhead.is_null());
    if !is_new_pod(attempt) || (overhead.is_none() && at(object, NAME).is_none()) {
        return Ok(());
    }
    let class = class_of(attempt, cluster, object)?;
    let defined = class.as_ref().and_then(|class| at(class, "overhead")).filter(|defined| !defined.is_null());
    match defined {
        Some(defined) if amounts(defined.get("podFixed")) != amounts(overhead) => {
            Err(attempt.forbidden(MISMATCH))
        }
        None if overhead.is_some() => Err(attempt
            .forbidden("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead")),
        _ => Ok(()),
    }
}

const NAME: &str = "spec.runtimeClassName";

fn is_new_pod(attempt: &Attempt<'_>) -> bool {
    attempt.is_core("pods") && attempt.operation == Operation::Create && attempt.subresource.is_empty()
}

/// The class that a new pod names.
fn class_of(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<Option<Fields>, Status> {
    if !is_new_pod(attempt) || at(object, NAME).is_none_or(Value::is_null) {
        return Ok(None);
    }
    let name = text(object, NAME);
    if name.is_empty() {
        return Err(Status::new(500, "", "resource name may not be empty"));
    }
    let class = cluster.get("node.k8s.io", "runtimeclasses", "", name);
    let missing = || attempt.forbidden(&format!("pod rejected: RuntimeClass {name:?} not found"));
    class.map(Some).ok_or_else(missing)
}

/// Adds the labels of the nodes on which the class runs.
fn select(attempt: &Attempt<'_>, spec: &mut Fields, scheduling: &Value) -> Result<(), Status> {
    let Some(wanted) = scheduling.get("nodeSelector").and_then(Value::as_object) else { return Ok(()) };
    if wanted.is_empty() {
        return Ok(());
    }
    let Some(selector) = child(spec, "nodeSelector") else { return Ok(()) };
    for (label, value) in wanted {
        if let Some(own) = selector.get(label).filter(|own| *own != value) {
            let (value, own) = (value.as_str().unwrap_or_default(), own.as_str().unwrap_or_default());
            return Err(attempt.forbidden(&format!(
                "conflict: runtimeClass.scheduling.nodeSelector[{label}] = {value}; pod.spec.nodeSelector[{label}] = {own}"
            )));
        }
        selector.insert(label.clone(), value.clone());
    }
    Ok(())
}

/// Tolerations without those that another one covers; of equal ones the first stays.
fn merged(all: &[Value]) -> Vec<Value> {
    let mut merged: Vec<Value> = Vec::new();
    for (index, one) in all.iter().enumerate() {
        let covered = merged.iter().any(|other| covers(other, one))
            || all.iter().skip(index + 1).any(|other| other != one && covers(other, one));
        if !covered {
            merged.push(one.clone());
        }
    }
    merged
}

/// Whether whatever the second tolerates the first tolerates as well.
fn covers(wide: &Value, narrow: &Value) -> bool {
    if wide == narrow {
        return true;
    }
    let part =
        |one: &'_ Value, name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (wide_by, narrow_by) = (part(wide, "operator"), part(narrow, "operator"));
    let (key, effect) = (part(wide, "key"), part(wide, "effect"));
    if part(narrow, "key") != key && !(key.is_empty() && wide_by == "Exists") {
        return false;
    }
    if part(narrow, "effect") != effect && !effect.is_empty() {
        return false;
    }
    let seconds = |one: &Value| one.get("tolerationSeconds").and_then(Value::as_i64);
    if let Some(most) = seconds(wide).filter(|_| effect == "NoExecute")
        && seconds(narrow).is_none_or(|seconds| seconds > most)
    {
        return false;
    }
    match wide_by.as_str() {
        "Equal" | "" => narrow_by == "Equal" && part(narrow, "value") == part(wide, "value"),
        operator => operator == "Exists",
    }
}
