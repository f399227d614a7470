//! Pods: phase and quality of service at the beginning, grace at the end.

use serde_json::{Value, json};

use crate::protocol::Fields;

use super::{Strategy, at, child, fill, set, text};

/// The strategy of pods.
#[derive(Debug)]
pub(super) struct Pods;

impl Strategy for Pods {
    fn default(&self, object: &mut Fields) {
        // One address under two names; where they differ the single one counts.
        if let Some(address) = at(object, "status.podIP").cloned()
            && at(object, "status.podIPs").and_then(|list| list.pointer("/0/ip")) != Some(&address)
        {
            set(object, "status.podIPs", json!([{"ip": address}]));
        }
    }

    fn prepare_create(&self, object: &mut Fields) {
        let class = quality_of_service(object);
        object.remove("status");
        set(object, "status.phase", "Pending");
        set(object, "status.qosClass", class);
        if at(object, "spec.schedulingGates").and_then(Value::as_array).is_some_and(|gates| !gates.is_empty())
        {
            let now = at(object, "metadata.creationTimestamp").cloned().unwrap_or_default();
            set(object, "status.conditions", json!([gated(&now)]));
        }
        // What admission adds where no priority class is named.
        if let Some(spec) = child(object, "spec") {
            fill(spec, "priority", json!(0));
            fill(spec, "preemptionPolicy", json!("PreemptLowerPriority"));
            tolerate(spec);
        }
        one_second_at_least(object);
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        if let Some(spec) = child(object, "spec") {
            // Admission does not let go of what it has added.
            for name in ["priority", "preemptionPolicy"] {
                if let Some(value) = old.get("spec").and_then(|spec| spec.get(name)) {
                    fill(spec, name, value.clone());
                }
            }
            tolerate(spec);
        }
        one_second_at_least(object);
    }

    fn grace(&self, object: &Fields, wanted: Option<i64>) -> Option<i64> {
        let unbound = text(object, "spec.nodeName").is_empty();
        let finished = matches!(text(object, "status.phase"), "Failed" | "Succeeded");
        if unbound || finished {
            return Some(0);
        }
        let own = at(object, "spec.terminationGracePeriodSeconds").and_then(Value::as_i64);
        let seconds = wanted.or(own).unwrap_or(30);
        Some(if seconds < 0 { 1 } else { seconds })
    }
}

/// A grace below nothing is one second.
fn one_second_at_least(object: &mut Fields) {
    let grace = at(object, "spec.terminationGracePeriodSeconds").and_then(Value::as_i64);
    if grace.is_some_and(|seconds| seconds < 0) {
        set(object, "spec.terminationGracePeriodSeconds", 1);
    }
}

/// What is said of a pod that waits at a gate.
fn gated(now: &Value) -> Value {
    json!({
        "type": "PodScheduled",
        "status": "False",
        "lastProbeTime": null,
        "lastTransitionTime": now,
        "reason": "SchedulingGated",
        "message": "Scheduling is blocked due to non-empty scheduling gates",
    })
}

/// What admission adds to every pod: to stay for five minutes on a node that is in trouble.
pub(crate) fn tolerate(spec: &mut Fields) {
    if !spec.get("tolerations").is_some_and(Value::is_array) {
        spec.insert("tolerations".to_owned(), json!([]));
    }
    let Some(list) = spec.get_mut("tolerations").and_then(Value::as_array_mut) else { return };
    for taint in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerated = list.iter().any(|toleration| {
            let text = |name: &str| toleration.get(name).and_then(Value::as_str).unwrap_or_default();
            ["", taint].contains(&text("key")) && ["", "NoExecute"].contains(&text("effect"))
        });
        if !tolerated {
            list.push(
                json!({"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}),
            );
        }
    }
}

/// `Guaranteed`, `Burstable` or `BestEffort`, from the requests and limits of the containers.
pub(crate) fn quality_of_service(object: &Fields) -> &'static str {
    let containers = ["spec.containers", "spec.initContainers"]
        .into_iter()
        .filter_map(|path| at(object, path).and_then(Value::as_array))
        .flatten();
    let mut any = false;
    let mut guaranteed = true;
    for container in containers {
        let amount = |part: &str, resource: &str| {
            let amount = container.get("resources")?.get(part)?.get(resource)?;
            (!is_zero(amount)).then_some(amount)
        };
        for resource in ["cpu", "memory"] {
            let limit = amount("limits", resource);
            let request = amount("requests", resource).or(limit);
            any |= limit.is_some() || request.is_some();
            guaranteed &= limit.is_some() && request == limit;
        }
    }
    match (any, guaranteed) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.trim_end_matches(|c: char| !c.is_ascii_digit()) == "0",
        _ => true,
    }
}
