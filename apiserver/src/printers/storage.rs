//! The cells of volumes, claims, classes and drivers.

use jiff::Timestamp;
use serde_json::Value;

use super::{
    Cells, row,
    value::{age, at, count, int_or_text, is_deleted, list, name, text, text_or, texts, time},
};

/// The access modes at a path, in short.
fn modes(object: &Value, path: &str) -> String {
    let all = texts(object, path);
    let short = [
        ("ReadWriteOnce", "RWO"),
        ("ReadOnlyMany", "ROX"),
        ("ReadWriteMany", "RWX"),
        ("ReadWriteOncePod", "RWOP"),
    ];
    let shown = short.iter().filter(|(mode, _)| all.contains(mode)).map(|(_, short)| *short);
    shown.collect::<Vec<_>>().join(",")
}

fn class(object: &Value) -> &str {
    let old = at(object, "metadata.annotations").get("volume.beta.kubernetes.io/storage-class");
    old.and_then(Value::as_str).unwrap_or(text(object, "spec.storageClassName"))
}

fn amount(value: &Value) -> String {
    if value.is_null() { "0".to_owned() } else { int_or_text(value) }
}

fn phase(object: &Value) -> &str {
    if is_deleted(object) { "Terminating" } else { text(object, "status.phase") }
}

pub(super) fn volume(object: &Value, now: Timestamp) -> Cells {
    let claim = at(object, "spec.claimRef");
    let claim = match claim.is_object() {
        true => format!("{}/{}", text(claim, "namespace"), text(claim, "name")),
        false => String::new(),
    };
    row![
        name(object),
        amount(at(object, "spec.capacity.storage")),
        modes(object, "spec.accessModes"),
        text(object, "spec.persistentVolumeReclaimPolicy"),
        phase(object),
        claim,
        class(object),
        text_or(object, "spec.volumeAttributesClassName", "<unset>"),
        text(object, "status.reason"),
        age(object, now),
        text_or(object, "spec.volumeMode", "<unset>"),
    ]
}

pub(super) fn claim(object: &Value, now: Timestamp) -> Cells {
    let volume = text(object, "spec.volumeName");
    let (capacity, access) = match volume {
        "" => (String::new(), String::new()),
        _ => (amount(at(object, "status.capacity.storage")), modes(object, "status.accessModes")),
    };
    row![
        name(object),
        phase(object),
        volume,
        capacity,
        access,
        class(object),
        text_or(object, "spec.volumeAttributesClassName", "<unset>"),
        age(object, now),
        text_or(object, "spec.volumeMode", "<unset>"),
    ]
}

pub(super) fn storage_class(object: &Value, now: Timestamp) -> Cells {
    row![
        name(object),
        text(object, "provisioner"),
        text_or(object, "reclaimPolicy", "Delete"),
        text_or(object, "volumeBindingMode", "Immediate"),
        at(object, "allowVolumeExpansion").as_bool().unwrap_or_default(),
        age(object, now),
    ]
}

/// The name of the class that a list of classes marks as the default: of several the newest.
pub(super) fn default_class(objects: &[Value]) -> Option<&str> {
    let marks =
        ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
    let is_default = |object: &&Value| {
        let annotations = at(object, "metadata.annotations");
        marks.iter().any(|mark| annotations.get(*mark).and_then(Value::as_str) == Some("true"))
    };
    let made = |object: &Value| time(object, "metadata.creationTimestamp");
    objects
        .iter()
        .filter(is_default)
        .max_by(|a, b| made(a).cmp(&made(b)).then_with(|| name(b).cmp(name(a))))
        .map(name)
}

pub(super) fn attributes_class(object: &Value, now: Timestamp) -> Cells {
    row![name(object), text(object, "driverName"), age(object, now)]
}

pub(super) fn attachment(object: &Value, now: Timestamp) -> Cells {
    row![
        name(object),
        text(object, "spec.attacher"),
        text(object, "spec.source.persistentVolumeName"),
        text(object, "spec.nodeName"),
        at(object, "status.attached").as_bool().unwrap_or_default(),
        age(object, now),
    ]
}

pub(super) fn csi_node(object: &Value, now: Timestamp) -> Cells {
    row![name(object), count(object, "spec.drivers"), age(object, now)]
}

pub(super) fn csi_driver(object: &Value, now: Timestamp) -> Cells {
    let tokens = match at(object, "spec.tokenRequests") {
        Value::Null => "<unset>".to_owned(),
        _ => {
            let all = list(object, "spec.tokenRequests").iter();
            all.map(|request| text(request, "audience")).collect::<Vec<_>>().join(",")
        }
    };
    let modes = match texts(object, "spec.volumeLifecycleModes").join(",") {
        modes if modes.is_empty() => "<none>".to_owned(),
        modes => modes,
    };
    let flag = |path: &str, unset: Value| match at(object, path) {
        Value::Bool(set) => Value::Bool(*set),
        _ => unset,
    };
    row![
        name(object),
        flag("spec.attachRequired", Value::Bool(true)),
        flag("spec.podInfoOnMount", Value::Bool(false)),
        flag("spec.storageCapacity", Value::Bool(false)),
        tokens,
        flag("spec.requiresRepublish", Value::Bool(false)),
        modes,
        age(object, now),
    ]
}
