//! Persistent volumes.

use serde_json::Value;

use crate::protocol::{FieldError, names::dns_subdomain_errors};

use super::{Checks, Findings, NONE, Spot, pod, resources};

pub(super) const CHECKS: Checks = Checks { create: volume, update, ..NONE };

const MODES: &[&str] = &["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
/// The kinds of sources in the order in which a real server looks for them.
const SOURCES: &[&str] = &[
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
];

fn volume(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    access_modes(out, &spec, "");
    capacity(out, &spec);
    let policy = spec.get("persistentVolumeReclaimPolicy");
    if !policy.is_empty() {
        out.maybe_one_of(&policy, &["Delete", "Recycle", "Retain"]);
    }
    let required = spec.get("nodeAffinity.required");
    if required.is_set() {
        pod::node_selector(out, &required);
    } else if spec.has("nodeAffinity") {
        out.required(&required, "must specify required node constraints");
    }
    sources(out, &spec);
    if spec.text("hostPath.path").trim_end_matches('/').is_empty()
        && spec.has("hostPath")
        && policy.str() == "Recycle"
    {
        out.forbidden(&policy, "may not be 'recycle' for a hostPath mount of '/'");
    }
    let class = spec.get("storageClassName");
    if !class.is_empty() {
        out.all(&class, dns_subdomain_errors(class.str()));
    }
    out.maybe_one_of(&spec.get("volumeMode"), &["Block", "Filesystem"]);
    let attributes = spec.get("volumeAttributesClassName");
    if attributes.is_set() {
        if attributes.is_empty() {
            out.required(&attributes, "an empty string is disallowed");
        } else {
            out.all(&attributes, dns_subdomain_errors(attributes.str()));
        }
        if !spec.has("csi") {
            out.required(&spec.get("csi"), "has to be specified when using volumeAttributesClassName");
        }
    }
}

/// How a volume may be used; `why` is told where nothing is said.
pub(super) fn access_modes(out: &mut Findings, spec: &Spot<'_>, why: &str) {
    let list = spec.get("accessModes");
    if list.is_empty() {
        out.required(&list, why);
    }
    for mode in list.each() {
        if !MODES.contains(&mode.str()) {
            out.push(FieldError::not_supported(list.path(), mode.value(), MODES));
        }
    }
    let alone = list.each().any(|mode| mode.str() == "ReadWriteOncePod");
    let shared = list.each().any(|mode| mode.str() != "ReadWriteOncePod" && MODES.contains(&mode.str()));
    if alone && shared {
        out.forbidden(&list, "may not use ReadWriteOncePod with other access modes");
    }
}

fn capacity(out: &mut Findings, spec: &Spot<'_>) {
    let all = spec.get("capacity");
    if all.is_empty() {
        out.required(&all, "");
    }
    if !spec.entry("capacity", "storage").is_set() || spec.count("capacity") > 1 {
        let empty = Value::Object(serde_json::Map::new());
        let shown = if all.is_set() { all.value() } else { &empty };
        out.push(FieldError::not_supported(all.path(), shown, &["storage"]));
        if !all.is_set() {
            out.last_value("null");
        }
    }
    for (_, amount) in spec.entries("capacity") {
        let Some(value) = resources::amount(&amount) else { continue };
        if value.is_negative() {
            let whole = i64::try_from(value.whole()).unwrap_or(i64::MIN);
            out.invalid_as(&amount, whole, "must be a valid resource quantity");
        }
        if value.is_negative() || value.is_zero() {
            out.invalid_as(&amount, amount.str(), "must be greater than zero");
        }
    }
}

fn sources(out: &mut Findings, spec: &Spot<'_>) {
    let mut found = false;
    for kind in SOURCES {
        let source = spec.get(kind);
        if !source.is_set() {
            continue;
        }
        // A real server does not count these.
        let is_counted = *kind != "flexVolume";
        if std::mem::replace(&mut found, true) && is_counted {
            let told = spec.alias(kind, if *kind == "cephfs" { "cephFS" } else { kind });
            out.forbidden(&told, "may not specify more than 1 volume type");
            continue;
        }
        pod::persistent_source(out, kind, &source, spec);
        if *kind == "local" && !spec.has("nodeAffinity") {
            out.required(&spec.get("nodeAffinity"), "Local volume requires node affinity");
        }
    }
    if !found {
        out.required(spec, "must specify a volume type");
    }
}

/// The names that labels of nodes had once, and those that they have now.
const RENAMED: [(&str, &str); 5] = [
    ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"),
    ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"),
    ("beta.kubernetes.io/os", "kubernetes.io/os"),
    ("beta.kubernetes.io/arch", "kubernetes.io/arch"),
    ("beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"),
];

/// Whether a volume can still be reached from the same nodes, as far as names go. A real server takes no name for the new one of all labels
/// that have none, and so do we.
fn is_same_affinity(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            let mut names = new.keys().chain(old.keys());
            names.all(|name| match (new.get(name), old.get(name)) {
                (Some(Value::String(new)), Some(Value::String(old))) if name == "key" && new != old => {
                    let renamed = RENAMED.iter().find(|(before, _)| before == old);
                    renamed.map_or("", |(_, now)| now) == new
                }
                (Some(new), Some(old)) => is_same_affinity(new, old),
                _ => false,
            })
        }
        (Value::Array(new), Value::Array(old)) => {
            new.len() == old.len() && new.iter().zip(old).all(|(new, old)| is_same_affinity(new, old))
        }
        (new, old) => new == old,
    }
}

fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    volume(out, new);
    let (spec, before) = (new.get("spec"), old.get("spec"));
    let mut wanted = spec.value().clone();
    if before.has("csi") && !before.has("csi.controllerExpandSecretRef") {
        // What expands a volume may be named later.
        if let Some(csi) = wanted.get_mut("csi").and_then(Value::as_object_mut) {
            csi.remove("controllerExpandSecretRef");
        }
    }
    let difference = out.difference("core.PersistentVolumeSource", before.value(), &wanted);
    if !difference.is_empty() {
        let why = format!("spec.persistentvolumesource is immutable after creation\n{difference}");
        out.forbidden(&spec.get("persistentvolumesource"), why);
    }
    let mode = spec.get("volumeMode");
    if mode.value() != before.get("volumeMode").value() {
        out.push(FieldError::invalid("volumeMode", mode.value(), super::IMMUTABLE));
    }
    let affinity = spec.get("nodeAffinity");
    if before.has("nodeAffinity") && !is_same_affinity(affinity.value(), before.get("nodeAffinity").value()) {
        let why = format!("{}, except for updating from beta label to GA", super::IMMUTABLE);
        let shown = out.shown(&affinity);
        out.push(FieldError::invalid_printed("nodeAffinity", shown, why));
    }
    let class = spec.get("volumeAttributesClassName");
    if before.has("volumeAttributesClassName") && !class.is_set() {
        out.forbidden(&class, "update from non-nil value to nil is forbidden");
    }
}
