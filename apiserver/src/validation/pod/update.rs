//! What may change in a pod.

use serde_json::Value;

use crate::validation::{Findings, Spot};

use super::{selectors, spec};

const FIXED: &str = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,\
                     `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
                     `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

pub(super) fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    spec::pod(out, new);
    let (new, old) = (new.get("spec"), old.get("spec"));
    for list in ["containers", "initContainers"] {
        if new.count(list) != old.count(list) {
            return out.forbidden(&new.get(list), "pod updates may not add or remove containers");
        }
        for container in new.items(list) {
            out.present(&container.get("image"));
            super::images::unpadded(out, &container);
        }
    }
    if !deadline(out, &new, &old) {
        return;
    }
    added_tolerations(out, &new, &old);
    gates(out, &new, &old);
    if new.value() != old.value() && fixed_part(&new, &old) != fixed_part(&old, &old) {
        out.forbidden(&new, FIXED);
    }
}

/// Whether the rest is to be looked at.
fn deadline(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) -> bool {
    let seconds = new.get("activeDeadlineSeconds");
    match (seconds.int(), old.number("activeDeadlineSeconds")) {
        (Some(now), _) if now < 0 || now > i64::from(i32::MAX) => {
            out.within(&seconds, 0, i64::from(i32::MAX));
            return false;
        }
        (Some(now), Some(before)) if before < now => {
            out.invalid(&seconds, "must be less than or equal to previous value");
            return false;
        }
        (None, Some(_)) => out.invalid(&seconds, "must not update from a positive integer to nil value"),
        _ => {}
    }
    true
}

fn added_tolerations(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let list = new.get("tolerations");
    for kept in old.items("tolerations") {
        let same = |now: Spot<'_>| {
            let strip = |value: &Value| {
                let mut value = value.clone();
                if let Some(members) = value.as_object_mut() {
                    members.remove("tolerationSeconds");
                }
                value
            };
            strip(now.value()) == strip(kept.value())
        };
        if !list.each().any(same) {
            return out
                .forbidden(&list, "existing toleration can not be modified except its tolerationSeconds");
        }
    }
    selectors::tolerations(out, &list);
}

fn gates(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    for gate in new.items("schedulingGates") {
        let name = gate.text("name");
        if !old.items("schedulingGates").any(|known| known.text("name") == name) {
            let why = format!("only deletion is allowed, but found new scheduling gate '{name}'");
            out.forbidden(&gate.get("name"), why);
        }
    }
}

/// The spec with all that an update may change as it was.
fn fixed_part(spec: &Spot<'_>, old: &Spot<'_>) -> Value {
    let mut value = spec.value().clone();
    for list in ["initContainers", "containers"] {
        let before = old.get(list);
        let containers = value.get_mut(list).and_then(Value::as_array_mut);
        for (container, before) in containers.into_iter().flatten().zip(before.each()) {
            if let Some(members) = container.as_object_mut() {
                members.insert("image".to_owned(), before.get("image").value().clone());
            }
        }
    }
    let Some(members) = value.as_object_mut() else { return value };
    for name in ["activeDeadlineSeconds", "schedulingGates", "tolerations"] {
        members.remove(name);
    }
    if old.count("schedulingGates") > 0 {
        // A pod that waits may still be narrowed down to fewer nodes.
        members.remove("nodeSelector");
        if let Some(affinity) = members.get_mut("affinity").and_then(Value::as_object_mut) {
            affinity.remove("nodeAffinity");
        }
    }
    let before = old.number("terminationGracePeriodSeconds");
    let now = members.get("terminationGracePeriodSeconds").and_then(Value::as_i64);
    if before.is_some_and(|before| before < 0) && now == Some(1) {
        members.insert("terminationGracePeriodSeconds".to_owned(), before.into());
    }
    value
}
