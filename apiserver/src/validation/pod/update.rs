//! What may change in a pod.

use serde_json::{Map, Value};

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
    if new.value() == old.value() {
        return;
    }
    if old.count("schedulingGates") > 0 {
        narrowed(out, &new, &old);
    }
    let allowed = fixed_part(&new, &old);
    if allowed != *old.value() {
        let difference = out.difference("core.PodSpec", old.value(), &allowed);
        if !difference.is_empty() {
            out.forbidden(&new, format!("{FIXED}\n{difference}"));
        }
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
            now.value() == kept.value() || strip(now.value()) == strip(kept.value())
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

/// What a pod that waits at a gate asks of its node may be narrowed down, and nothing else.
fn narrowed(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let selector = new.get("nodeSelector");
    let kept = |(key, value): (&str, Spot<'_>)| new.entry("nodeSelector", key).value() == value.value();
    if !old.entries("nodeSelector").all(kept) {
        out.invalid(&selector, "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
    let before = old.get(TERMS);
    let now = new.get(TERMS);
    let count = old.count(TERMS);
    if count > 0 && count != new.count(TERMS) {
        return out.invalid(&now, "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
    }
    for (now, before) in now.each().zip(before.each()) {
        if !only_added(&now, &before) {
            out.invalid(&now, "only additions are allowed (no mutations or deletions)");
        }
    }
}

const TERMS: &str = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

/// Whether a term still begins with all that it had; one that chose nothing must go on doing so.
fn only_added(now: &Spot<'_>, before: &Spot<'_>) -> bool {
    let lists = ["matchExpressions", "matchFields"];
    if lists.iter().all(|list| before.count(list) == 0) {
        return lists.iter().all(|list| now.count(list) == 0);
    }
    lists.iter().all(|list| {
        let same = |(now, before): (Spot<'_>, Spot<'_>)| now.value() == before.value();
        now.count(list) >= before.count(list) && now.items(list).zip(before.items(list)).all(same)
    })
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
    let keep = |members: &mut Map<String, Value>, name: &str| match old.get(name).value() {
        Value::Null => drop(members.remove(name)),
        value => drop(members.insert(name.to_owned(), value.clone())),
    };
    for name in ["activeDeadlineSeconds", "schedulingGates", "tolerations"] {
        keep(members, name);
    }
    if old.count("schedulingGates") > 0 {
        keep(members, "nodeSelector");
        keep_affinity(members, &old.get("affinity"));
    }
    let before = old.number("terminationGracePeriodSeconds");
    let now = members.get("terminationGracePeriodSeconds").and_then(Value::as_i64);
    if before.is_some_and(|before| before < 0) && now == Some(1) {
        members.insert("terminationGracePeriodSeconds".to_owned(), before.into());
    }
    value
}

/// Puts back what was asked of the node, beside what is asked of other pods.
fn keep_affinity(members: &mut Map<String, Value>, old: &Spot<'_>) {
    let before = old.get("nodeAffinity");
    let Some(affinity) = members.get_mut("affinity").and_then(Value::as_object_mut) else {
        if before.is_set() {
            members.insert("affinity".to_owned(), serde_json::json!({"nodeAffinity": before.value()}));
        }
        return;
    };
    if before.is_set() {
        affinity.insert("nodeAffinity".to_owned(), before.value().clone());
        return;
    }
    affinity.remove("nodeAffinity");
    if affinity.is_empty() && !old.is_set() {
        members.remove("affinity");
    }
}
