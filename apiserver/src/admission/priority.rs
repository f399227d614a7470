//! Priority classes: a pod gets the number that its class stands for.
//!
//! In: the priority classes, and a pod or class. Out: the pod with its priority, or the refusal.

use serde_json::Value;

use crate::{
    protocol::{Fields, Status},
    strategy::{at, set, text},
};

use super::{Attempt, Cluster, Operation};

const GROUP: &str = "scheduling.k8s.io";
/// The classes of the system, which are there even where nobody has stored them.
const SYSTEM: [(&str, i64); 2] =
    [("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000)];
const LOWER: &str = "PreemptLowerPriority";

struct Class {
    name: String,
    value: i64,
    policy: String,
}

/// Gives a new pod its priority.
pub(super) fn mutate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &mut Fields,
) -> Result<(), Status> {
    let pod = attempt.is_core("pods") && attempt.operation == Operation::Create;
    if !pod || !attempt.subresource.is_empty() {
        return Ok(());
    }
    let name = text(object, "spec.priorityClassName");
    let class = if name.is_empty() { default(cluster) } else { named(cluster, name) };
    let class =
        class.ok_or_else(|| attempt.forbidden(&format!("no PriorityClass with name {name} was found")))?;
    let given = at(object, "spec.priority").and_then(Value::as_i64);
    if let Some(given) = given.filter(|given| *given != class.value) {
        return Err(attempt.forbidden(&format!(
            "the integer value of priority ({given}) must not be provided in pod spec; priority admission controller computed {} from \
             the given PriorityClass name",
            class.value
        )));
    }
    let given = at(object, "spec.preemptionPolicy").and_then(Value::as_str);
    if let Some(given) = given.filter(|given| *given != class.policy) {
        return Err(attempt.forbidden(&format!(
            "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission controller computed \
             {} from the given PriorityClass name",
            class.policy
        )));
    }
    if !class.name.is_empty() {
        set(object, "spec.priorityClassName", class.name);
    }
    set(object, "spec.priority", class.value);
    set(object, "spec.preemptionPolicy", class.policy);
    Ok(())
}

/// There is only one default class.
pub(super) fn validate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<(), Status> {
    let class = attempt.resource.group == GROUP && attempt.resource.plural == "priorityclasses";
    if !class || object.get("globalDefault") != Some(&Value::Bool(true)) {
        return Ok(());
    }
    let Some(there) = default(cluster).filter(|there| !there.name.is_empty()) else { return Ok(()) };
    if attempt.operation == Operation::Update && there.name == text(object, "metadata.name") {
        return Ok(());
    }
    let name = there.name;
    let why = format!("PriorityClass {name} is already marked as default. Only one default can exist");
    Err(attempt.forbidden(&why))
}

fn read(class: &Fields) -> Class {
    let policy = text(class, "preemptionPolicy");
    Class {
        name: text(class, "metadata.name").to_owned(),
        value: class.get("value").and_then(Value::as_i64).unwrap_or_default(),
        policy: if policy.is_empty() { LOWER } else { policy }.to_owned(),
    }
}

fn named(cluster: &Cluster<'_>, name: &str) -> Option<Class> {
    if let Some(class) = cluster.get(GROUP, "priorityclasses", "", name) {
        return Some(read(&class));
    }
    let (name, value) = SYSTEM.iter().find(|(known, _)| *known == name)?;
    Some(Class { name: (*name).to_owned(), value: *value, policy: LOWER.to_owned() })
}

/// The class of pods that name none: the lowest that is marked, or none at all.
fn default(cluster: &Cluster<'_>) -> Option<Class> {
    let classes = cluster.list(GROUP, "priorityclasses", "");
    let marked = classes.iter().filter(|class| class.get("globalDefault") == Some(&Value::Bool(true)));
    let lowest = marked.map(read).min_by_key(|class| class.value);
    Some(lowest.unwrap_or_else(|| Class { name: String::new(), value: 0, policy: LOWER.to_owned() }))
}
