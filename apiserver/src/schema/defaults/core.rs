//! The core group but for pods.

use serde_json::Value;

use super::{Object, existing, has, items, object, set as put, set_absent, text};

pub(super) fn set(kind: &str, members: &mut Object) {
    match kind {
        "Namespace" => namespace(members),
        "Secret" => put(members, "type", "Opaque"),
        "ServiceSpec" => service(members),
        "EndpointPort" => put(members, "protocol", "TCP"),
        "LoadBalancerIngress" if has(members, "ip") => set_absent(members, "ipMode", "VIP"),
        "PersistentVolumeSpec" => {
            put(members, "persistentVolumeReclaimPolicy", "Retain");
            set_absent(members, "volumeMode", "Filesystem");
        }
        "PersistentVolumeClaimSpec" => set_absent(members, "volumeMode", "Filesystem"),
        "PersistentVolumeClaim" | "PersistentVolume" => {
            if let Some(status) = object(members, "status") {
                put(status, "phase", "Pending");
            }
        }
        "ReplicationController" => replication_controller(members),
        "NodeStatus" if has(members, "capacity") && !has(members, "allocatable") => {
            let capacity = members.get("capacity").cloned().unwrap_or_default();
            members.insert("allocatable".into(), capacity);
        }
        "LimitRangeItem" if text(members, "type") == "Container" => limit_range_item(members),
        _ => {}
    }
}

fn namespace(members: &mut Object) {
    let Some(name) = members.get("metadata").and_then(|metadata| metadata.get("name")).cloned() else {
        return;
    };
    if name.as_str().unwrap_or_default().is_empty() {
        return;
    }
    if let Some(labels) = existing(members, "metadata").and_then(|metadata| object(metadata, "labels")) {
        labels.insert("kubernetes.io/metadata.name".into(), name);
    }
}

fn service(members: &mut Object) {
    put(members, "sessionAffinity", "None");
    put(members, "type", "ClusterIP");
    if text(members, "sessionAffinity") == "None" {
        members.remove("sessionAffinityConfig");
    } else {
        let config = object(members, "sessionAffinityConfig").and_then(|config| object(config, "clientIP"));
        if let Some(client) = config {
            put(client, "timeoutSeconds", 10800);
        }
    }
    for port in items(members, "ports") {
        put(port, "protocol", "TCP");
        let unset = port
            .get("targetPort")
            .is_none_or(|target| matches!(target, Value::Null) || *target == 0 || *target == "");
        if unset {
            let own = port.get("port").cloned().unwrap_or_default();
            port.insert("targetPort".into(), own);
        }
    }
    let kind = text(members, "type").to_owned();
    let outside = kind == "ClusterIP"
        && members.get("externalIPs").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    if outside || ["NodePort", "LoadBalancer"].contains(&kind.as_str()) {
        put(members, "externalTrafficPolicy", "Cluster");
    }
    if kind != "ExternalName" {
        set_absent(members, "internalTrafficPolicy", "Cluster");
    }
    if kind == "LoadBalancer" {
        put(members, "allocateLoadBalancerNodePorts", true);
    }
}

fn replication_controller(members: &mut Object) {
    let template_labels =
        members.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels")).cloned();
    if let Some(spec) = existing(members, "spec") {
        put(spec, "replicas", 1);
        if let Some(labels) = &template_labels {
            put(spec, "selector", labels.clone());
        }
    }
    if let (Some(labels), Some(metadata)) = (template_labels, existing(members, "metadata")) {
        put(metadata, "labels", labels);
    }
}

/// A maximum is the default limit, and the default limit or minimum the default request.
fn limit_range_item(members: &mut Object) {
    let get = |members: &Object, name: &str| {
        members.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
    };
    let fill = |members: &mut Object, name: &str, from: &str| {
        for (resource, amount) in get(members, from) {
            if let Some(target) = object(members, name) {
                target.entry(resource).or_insert(amount);
            }
        }
    };
    fill(members, "default", "max");
    fill(members, "defaultRequest", "default");
    fill(members, "defaultRequest", "min");
}
