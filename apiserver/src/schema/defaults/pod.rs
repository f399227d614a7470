//! Pods, their containers, probes and volumes.

use serde_json::{Value, json};

use super::{Object, existing, has, items, number, set as put, set_absent, text};

pub(super) fn set(kind: &str, members: &mut Object) {
    match kind {
        "Pod" => pod(members),
        "PodSpec" => pod_spec(members),
        "Container" | "EphemeralContainer" => container(members),
        "Probe" => probe(members),
        "HTTPGetAction" => {
            put(members, "path", "/");
            put(members, "scheme", "HTTP");
        }
        "GRPCAction" if !has(members, "service") => {
            members.insert("service".into(), "".into());
        }
        "ObjectFieldSelector" => put(members, "apiVersion", "v1"),
        "Volume" if members.len() == 1 && has(members, "name") => put(members, "emptyDir", json!({})),
        _ => volume_source(kind, members),
    }
}

fn volume_source(kind: &str, members: &mut Object) {
    match kind {
        "SecretVolumeSource"
        | "ConfigMapVolumeSource"
        | "DownwardAPIVolumeSource"
        | "ProjectedVolumeSource" => {
            put(members, "defaultMode", 420);
        }
        "ServiceAccountTokenProjection" => put(members, "expirationSeconds", 3600),
        "HostPathVolumeSource" if !has(members, "type") => {
            members.insert("type".into(), "".into());
        }
        "ISCSIVolumeSource" | "ISCSIPersistentVolumeSource" => put(members, "iscsiInterface", "default"),
        "RBDVolumeSource" | "RBDPersistentVolumeSource" => {
            put(members, "pool", "rbd");
            put(members, "user", "admin");
            put(members, "keyring", "/etc/ceph/keyring");
        }
        "AzureDiskVolumeSource" => {
            set_absent(members, "cachingMode", "ReadWrite");
            set_absent(members, "kind", "Shared");
            set_absent(members, "fsType", "ext4");
            set_absent(members, "readOnly", false);
        }
        "ScaleIOVolumeSource" | "ScaleIOPersistentVolumeSource" => {
            put(members, "storageMode", "ThinProvisioned");
            put(members, "fsType", "xfs");
        }
        _ => {}
    }
}

fn pod(members: &mut Object) {
    let Some(spec) = existing(members, "spec") else { return };
    put(spec, "enableServiceLinks", true);
    for list in ["containers", "initContainers"] {
        items(spec, list).for_each(requests_from_limits);
    }
}

/// What is limited and not requested is requested as it is limited.
fn requests_from_limits(container: &mut Object) {
    let Some(resources) = existing(container, "resources") else { return };
    let Some(Value::Object(limits)) = resources.get("limits").cloned() else { return };
    let Some(requests) = super::object(resources, "requests") else { return };
    for (name, limit) in limits {
        requests.entry(name).or_insert(limit);
    }
}

fn pod_spec(members: &mut Object) {
    put(members, "dnsPolicy", "ClusterFirst");
    put(members, "restartPolicy", "Always");
    put(members, "schedulerName", "default-scheduler");
    put(members, "securityContext", json!({}));
    put(members, "terminationGracePeriodSeconds", 30);
    // One field under two names.
    for (from, to) in [("serviceAccountName", "serviceAccount"), ("serviceAccount", "serviceAccountName")] {
        if let Some(name) = members.get(from).cloned() {
            members.insert(to.into(), name);
        }
    }
    if members.get("hostNetwork") == Some(&Value::Bool(true)) {
        for list in ["containers", "initContainers"] {
            items(members, list).for_each(host_ports);
        }
    }
}

fn host_ports(container: &mut Object) {
    for port in items(container, "ports") {
        if number(port, "hostPort") == 0 {
            let own = number(port, "containerPort");
            port.insert("hostPort".into(), own.into());
        }
    }
}

fn container(members: &mut Object) {
    let policy = if is_latest(text(members, "image")) { "Always" } else { "IfNotPresent" };
    put(members, "imagePullPolicy", policy);
    put(members, "terminationMessagePath", "/dev/termination-log");
    put(members, "terminationMessagePolicy", "File");
}

/// Whether an image is one that may change behind its name.
fn is_latest(image: &str) -> bool {
    if image.contains('@') {
        return false;
    }
    let (path, name) = image.rsplit_once('/').map_or(("", image), |(path, name)| (path, name));
    let (name, tag) = name.split_once(':').map_or((name, "latest"), |(name, tag)| (name, tag));
    tag == "latest"
        && path.len() + name.len() < LONGEST_IMAGE
        && (path.is_empty() || is_path(path))
        && is_part(name)
}

/// How long the name of an image may be.
const LONGEST_IMAGE: usize = 255;

/// Whether this can stand before the last part of an image's name: a host, and parts of a path.
fn is_path(path: &str) -> bool {
    let (host, parts) = path.split_once('/').map_or((path, None), |(host, parts)| (host, Some(parts)));
    let domain = |host: &str| {
        host.chars().all(|c| c.is_ascii_alphanumeric() || ".-:[]".contains(c)) && !host.is_empty()
    };
    (is_part(host) || domain(host)) && parts.is_none_or(|parts| parts.split('/').all(is_part))
}

/// Whether this is a part of an image's name: small letters and digits, with single separators between them.
fn is_part(part: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    part.starts_with(plain) && part.ends_with(plain) && part.chars().all(|c| plain(c) || "._-".contains(c))
}

fn probe(members: &mut Object) {
    for (name, value) in
        [("timeoutSeconds", 1), ("periodSeconds", 10), ("successThreshold", 1), ("failureThreshold", 3)]
    {
        if number(members, name) == 0 {
            members.insert(name.into(), value.into());
        }
    }
}
