//! The cells of the core group's other kinds: namespaces, nodes, events, configuration, access keys.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::Value;

use super::{
    Cells, row,
    value::{age, at, condition, count, flag, int, list, name, since, text, text_or},
};

/// What has a name and an age, and nothing else to show.
pub(super) fn name_and_age(object: &Value, now: Timestamp) -> Cells {
    row![name(object), age(object, now)]
}

/// What has no printer of its own.
pub(super) fn name_and_time(object: &Value, _: Timestamp) -> Cells {
    let made = text_or(object, "metadata.creationTimestamp", "0001-01-01T00:00:00Z");
    row![name(object), made]
}

pub(super) fn namespace(object: &Value, now: Timestamp) -> Cells {
    row![name(object), text(object, "status.phase"), age(object, now)]
}

pub(super) fn config_map(object: &Value, now: Timestamp) -> Cells {
    row![name(object), count(object, "data") + count(object, "binaryData"), age(object, now)]
}

pub(super) fn secret(object: &Value, now: Timestamp) -> Cells {
    row![name(object), text(object, "type"), count(object, "data"), age(object, now)]
}

pub(super) fn component_status(object: &Value, _: Timestamp) -> Cells {
    let Some(healthy) = condition(object, "conditions", "Healthy") else {
        return row![name(object), "Unknown", "", ""];
    };
    let status = if text(healthy, "status") == "True" { "Healthy" } else { "Unhealthy" };
    row![name(object), status, text(healthy, "message"), text(healthy, "error")]
}

pub(super) fn node(object: &Value, now: Timestamp) -> Cells {
    let mut status = match condition(object, "status.conditions", "Ready") {
        Some(ready) if text(ready, "status") == "True" => "Ready".to_owned(),
        Some(_) => "NotReady".to_owned(),
        None => "Unknown".to_owned(),
    };
    if flag(object, "spec.unschedulable") {
        status.push_str(",SchedulingDisabled");
    }
    let info = at(object, "status.nodeInfo");
    let mut kernel = text_or(info, "kernelVersion", "<unknown>").to_owned();
    let architecture = text(info, "architecture");
    if !architecture.is_empty() {
        kernel.push_str(&format!(" ({architecture})"));
    }
    row![
        name(object),
        status,
        roles(object),
        age(object, now),
        text(info, "kubeletVersion"),
        address(object, "InternalIP"),
        address(object, "ExternalIP"),
        text_or(info, "osImage", "<unknown>"),
        kernel,
        text_or(info, "containerRuntimeVersion", "<unknown>"),
    ]
}

fn roles(node: &Value) -> String {
    let labels = at(node, "metadata.labels").as_object().into_iter().flatten();
    let roles: BTreeSet<&str> = labels
        .filter_map(|(key, value)| match key.strip_prefix("node-role.kubernetes.io/") {
            Some(role) => Some(role),
            None if key == "kubernetes.io/role" => value.as_str(),
            None => None,
        })
        .filter(|role| !role.is_empty())
        .collect();
    if roles.is_empty() { "<none>".to_owned() } else { roles.into_iter().collect::<Vec<_>>().join(",") }
}

fn address<'a>(node: &'a Value, kind: &str) -> &'a str {
    let found = list(node, "status.addresses").iter().find(|address| text(address, "type") == kind);
    found.map_or("<none>", |address| text(address, "address"))
}

/// An event of either group; the newer one has other names for the same fields.
pub(super) fn event(object: &Value, now: Timestamp) -> Cells {
    let either = |old: &'static str, new: &'static str| match at(object, old) {
        Value::Null => new,
        _ => old,
    };
    let time_or = |path: &str, other: String| match at(object, path) {
        Value::Null => other,
        _ => since(object, path, now),
    };
    let first =
        time_or(either("firstTimestamp", "deprecatedFirstTimestamp"), since(object, "eventTime", now));
    let mut last = time_or(either("lastTimestamp", "deprecatedLastTimestamp"), first.clone());
    let mut times = int(object, either("count", "deprecatedCount")).max(1);
    if at(object, "series").is_object() {
        last = since(object, "series.lastObservedTime", now);
        times = int(object, "series.count");
    }
    let about = at(object, either("involvedObject", "regarding"));
    let target = match (text(about, "kind").to_lowercase(), text(about, "name")) {
        (kind, "") => kind,
        (kind, name) => format!("{kind}/{name}"),
    };
    row![
        last,
        text(object, "type"),
        text(object, "reason"),
        target,
        text(about, "fieldPath"),
        source(object, at(object, either("source", "deprecatedSource"))),
        text(object, either("message", "note")).trim(),
        first,
        times,
        name(object),
    ]
}

fn source(object: &Value, old: &Value) -> String {
    let either = |own: &'static str, names: [&'static str; 2]| match text(old, own) {
        "" => {
            names.into_iter().map(|name| text(object, name)).find(|text| !text.is_empty()).unwrap_or_default()
        }
        text => text,
    };
    let component = either("component", ["reportingComponent", "reportingController"]);
    let instance = either("host", ["reportingInstance", "reportingInstance"]);
    if instance.is_empty() { component.to_owned() } else { format!("{component}, {instance}") }
}
