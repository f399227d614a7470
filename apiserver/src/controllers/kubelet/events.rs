//! Events about pods.
//!
//! In: a pod and what happened. Out: an event object, as the recorders of a cluster make them. A namespace that is going takes none, and
//! nobody minds.

use serde_json::json;

use crate::{
    protocol::Fields,
    server::timestamp,
    strategy::{at, text},
};

use super::super::agent::Agent;

/// What happened.
pub(super) struct Event<'a> {
    kind: &'static str,
    by: &'a str,
    reason: &'a str,
    message: &'a str,
}

impl<'a> Event<'a> {
    pub(super) fn normal(by: &'a str, reason: &'a str, message: &'a str) -> Self {
        Self { kind: "Normal", by, reason, message }
    }

    pub(super) fn warning(by: &'a str, reason: &'a str, message: &'a str) -> Self {
        Self { kind: "Warning", by, reason, message }
    }
}

/// Records an event about a pod, or about one of its containers.
pub(super) fn record(agent: &mut Agent<'_>, pod: &Fields, container: Option<&str>, event: &Event<'_>) {
    let Some(events) = agent.core.registry().of_kind("v1", "Event").cloned() else { return };
    let (namespace, name) = (text(pod, "metadata.namespace"), text(pod, "metadata.name"));
    let mut about = json!({
        "kind": "Pod", "namespace": namespace, "name": name, "apiVersion": "v1",
        "uid": at(pod, "metadata.uid"), "resourceVersion": at(pod, "metadata.resourceVersion"),
    });
    if let Some(container) = container {
        about["fieldPath"] = format!("spec.containers{{{container}}}").into();
    }
    let now = timestamp(agent.now);
    let mut source = json!({"component": event.by});
    if event.by == "kubelet" {
        source["host"] = text(pod, "spec.nodeName").into();
    }
    let body = json!({
        "metadata": {"name": format!("{name}.{:016x}", agent.core.version()), "namespace": namespace},
        "involvedObject": about,
        "reason": event.reason, "message": event.message, "source": source,
        "firstTimestamp": now, "lastTimestamp": now, "count": 1, "type": event.kind,
        "reportingComponent": event.by,
    });
    agent.create(&events, namespace, &body);
}
