//! What a whole pod asks for: the sum of its containers, or what its init containers need if that is more.
//!
//! In: the spec of a pod. Out: its requests or limits.

use serde_json::Value;

use crate::{
    protocol::Fields,
    strategy::{at, text},
};

use super::amount::{Amounts, add, amounts, raise};

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Requests,
    Limits,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Limits => "limits",
        }
    }
}

/// The containers of a list of the spec.
pub(super) fn containers<'a>(pod: &'a Fields, list: &str) -> impl Iterator<Item = &'a Value> {
    at(pod, &format!("spec.{list}")).and_then(Value::as_array).into_iter().flatten()
}

/// What one container asks for.
pub(super) fn of_container(container: &Value, part: Part) -> Amounts {
    amounts(container.pointer(&format!("/resources/{}", part.name())))
}

/// What the pod asks for.
pub(super) fn of_pod(pod: &Fields, part: Part) -> Amounts {
    let mut sum = Amounts::new();
    for container in containers(pod, "containers") {
        add(&mut sum, &of_container(container, part));
    }
    let mut beside = Amounts::new();
    let mut before = Amounts::new();
    for container in containers(pod, "initContainers") {
        let own = of_container(container, part);
        if container.get("restartPolicy").is_some_and(|policy| policy == "Always") {
            add(&mut sum, &own);
            add(&mut beside, &own);
            raise(&mut before, &beside);
        } else {
            let mut needed = own;
            add(&mut needed, &beside);
            raise(&mut before, &needed);
        }
    }
    raise(&mut sum, &before);
    for (name, amount) in amounts(at(pod, &format!("spec.resources.{}", part.name()))) {
        if ["cpu", "memory"].contains(&name.as_str()) || name.starts_with("hugepages-") {
            sum.insert(name, amount);
        }
    }
    sum
}

/// The same with what running the pod costs beside its containers.
pub(super) fn with_overhead(pod: &Fields, part: Part) -> Amounts {
    let mut sum = of_pod(pod, part);
    for (name, amount) in amounts(at(pod, "spec.overhead")) {
        match (part, sum.get(&name).copied()) {
            (Part::Requests, there) => sum.insert(name, there.unwrap_or_default().plus(amount)),
            (Part::Limits, Some(there)) if !there.is_zero() => sum.insert(name, there.plus(amount)),
            (Part::Limits, _) => None,
        };
    }
    sum
}

/// Whether the pod has come to its end.
pub(super) fn is_finished(pod: &Fields) -> bool {
    ["Failed", "Succeeded"].contains(&text(pod, "status.phase"))
}
