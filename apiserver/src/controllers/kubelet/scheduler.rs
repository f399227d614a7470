//! The scheduler of a cluster with one node.
//!
//! In: a pod without a node. Out: a binding, or the condition that says why there is none. It looks at what a pod says it needs of a node's
//! labels, and at nothing else.

use serde_json::{Value, json};

use crate::{
    protocol::Fields,
    registry::Resource,
    server::timestamp,
    strategy::{at, text},
};

use super::{super::agent::Agent, events, node::Node};

/// As whom the scheduler writes.
const NAME: &str = "kube-scheduler";

/// Whether it is this scheduler that a pod waits for.
pub(super) fn awaits(pod: &Fields) -> bool {
    let gates = at(pod, "spec.schedulingGates").and_then(Value::as_array);
    text(pod, "spec.nodeName").is_empty()
        && ["", "default-scheduler"].contains(&text(pod, "spec.schedulerName"))
        && at(pod, "metadata.deletionTimestamp").is_none()
        && gates.is_none_or(Vec::is_empty)
}

/// Binds a pod, or says why not.
pub(super) fn bind(agent: &mut Agent<'_>, pods: &Resource, key: &str, node: &Node) {
    agent.name = NAME;
    let Some(pod) = agent.read(pods, key).filter(awaits) else { return };
    let labels = agent.core.registry().of_kind("v1", "Node").cloned();
    let object = labels.and_then(|nodes| agent.read(&nodes, &node.name)).unwrap_or_default();
    if let Some(why) = mismatch(&pod, &object) {
        refuse(agent, pods, key, &pod, why);
        return;
    }
    let name = text(&pod, "metadata.name");
    let binding = json!({
        "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name},
        "target": {"kind": "Node", "name": node.name},
    });
    if agent.create_under(pods, key, "/binding", &binding).is_done() {
        let namespace = text(&pod, "metadata.namespace");
        let message = format!("Successfully assigned {namespace}/{name} to {}", node.name);
        events::record(agent, &pod, None, &events::Event::normal("default-scheduler", "Scheduled", &message));
    }
}

fn mismatch(pod: &Fields, node: &Fields) -> Option<&'static str> {
    if at(node, "spec.unschedulable") == Some(&Value::Bool(true)) {
        return Some("1 node(s) were unschedulable");
    }
    let labels = at(node, "metadata.labels");
    let wanted = at(pod, "spec.nodeSelector").and_then(Value::as_object);
    let fits =
        wanted.into_iter().flatten().all(|(key, value)| labels.and_then(|all| all.get(key)) == Some(value));
    (!fits).then_some("1 node(s) didn't match Pod's node affinity/selector")
}

fn refuse(agent: &mut Agent<'_>, pods: &Resource, key: &str, pod: &Fields, why: &str) {
    let message = format!(
        "0/1 nodes are available: {why}. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    );
    let existing = at(pod, "status.conditions").and_then(Value::as_array).cloned().unwrap_or_default();
    let is_own = |condition: &&Value| condition.get("type").is_some_and(|kind| kind == "PodScheduled");
    if existing.iter().find(is_own).and_then(|own| own.get("message")).is_some_and(|said| *said == *message) {
        return;
    }
    let mut conditions: Vec<Value> =
        existing.iter().filter(|condition| !is_own(condition)).cloned().collect();
    conditions.push(json!({
        "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message,
        "lastProbeTime": null, "lastTransitionTime": timestamp(agent.now),
    }));
    agent.patch(pods, key, "/status", &json!({"status": {"conditions": conditions}}));
    events::record(
        agent,
        pod,
        None,
        &events::Event::warning("default-scheduler", "FailedScheduling", &message),
    );
}
