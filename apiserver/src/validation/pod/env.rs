//! The environment of containers.

use crate::{
    protocol::{
        FieldError,
        names::{dns_subdomain_errors, qualified_name_errors},
    },
    validation::{Findings, Spot, formats, resources},
};

const OF_ENV: &[&str] = &[
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
/// What files may tell of a pod.
pub(super) const OF_FILES: &[&str] =
    &["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
const OF_RESOURCES: &[&str] = &[
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];
const UNITS: &[&str] = &["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

pub(super) fn env(out: &mut Findings, container: &Spot<'_>) {
    for variable in container.items("env") {
        let name = variable.get("name");
        if name.is_empty() {
            out.required(&name, "");
        } else {
            out.all(&name, formats::env_name_errors(name.str()));
        }
        if variable.has("valueFrom") {
            value_from(out, &variable);
        }
    }
    for source in container.items("envFrom") {
        if !source.text("prefix").is_empty() {
            out.all(&source.get("prefix"), formats::env_name_errors(source.text("prefix")));
        }
        let kinds = ["configMapRef", "secretRef"].map(|kind| source.get(kind));
        let mut count = 0;
        for kind in kinds.iter().filter(|kind| kind.is_set()) {
            count += 1;
            let name = kind.get("name");
            if name.is_empty() {
                out.required(&name, "");
            } else {
                out.all(&name, dns_subdomain_errors(name.str()));
            }
        }
        let list = container.get("envFrom");
        match count {
            0 => out.invalid_as(&list, "", "must specify one of: `configMapRef` or `secretRef`"),
            1 => {}
            _ => out.invalid_as(&list, "", "may not have more than one field specified at a time"),
        }
    }
}

fn value_from(out: &mut Findings, variable: &Spot<'_>) {
    let from = variable.get("valueFrom");
    let mut count = 0;
    for kind in ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"] {
        let source = from.get(kind);
        if !source.is_set() {
            continue;
        }
        count += 1;
        match kind {
            "fieldRef" => field_ref(out, &source, OF_ENV),
            "resourceFieldRef" => resource_ref(out, &source, Container::Own),
            "fileKeyRef" => file_key(out, &source),
            _ => key_ref(out, &source),
        }
    }
    if count == 0 {
        let why = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
        out.invalid_as(&from, "", why);
    } else if !variable.text("value").is_empty() {
        out.invalid_as(&from, "", "may not be specified when `value` is not empty");
    } else if count > 1 {
        out.invalid_as(&from, "", "may not have more than one field specified at a time");
    }
}

fn key_ref(out: &mut Findings, source: &Spot<'_>) {
    let name = source.get("name");
    for error in dns_subdomain_errors(name.str()) {
        out.invalid_as(&name, name.str(), error);
    }
    let key = source.get("key");
    if key.is_empty() {
        out.required(&key, "");
    } else {
        out.all(&key, formats::config_key_errors(key.str()));
    }
}

fn file_key(out: &mut Findings, source: &Spot<'_>) {
    let (key, volume, path) = (source.get("key"), source.get("volumeName"), source.get("path"));
    out.present(&key);
    if !key.is_empty() {
        out.all(&key, formats::env_name_errors(key.str()));
    }
    out.present(&volume);
    if !volume.is_empty() {
        formats::label(out, &volume);
    }
    out.present(&path);
    formats::no_backsteps(out, &path);
}

/// A field of the pod.
pub(super) fn field_ref(out: &mut Findings, source: &Spot<'_>, known: &[&str]) {
    let (version, path) = (source.get("apiVersion"), source.get("fieldPath"));
    if version.is_empty() {
        return out.required(&version, "");
    }
    if path.is_empty() {
        return out.required(&path, "");
    }
    let text = path.str();
    let subscript = text.strip_suffix("']").and_then(|text| text.split_once("['"));
    let label = subscript.map_or(text, |(map, _)| map);
    if version.str() != "v1" {
        let why = format!("error converting fieldPath: unsupported pod version: {}", version.str());
        return out.invalid(&path, why);
    }
    if !is_convertible(label, subscript.is_some()) {
        let why = format!("error converting fieldPath: field label not supported: {text}");
        return out.invalid(&path, why);
    }
    match subscript {
        Some(("metadata.annotations", key)) => subscripted(out, source, &key.to_lowercase()),
        Some(("metadata.labels", key)) => subscripted(out, source, key),
        Some((map, _)) => out.invalid_as(source, map, "does not support subscript"),
        None if !known.contains(&text) => out.not_supported(&path, known),
        None => {}
    }
}

fn subscripted(out: &mut Findings, source: &Spot<'_>, key: &str) {
    for error in qualified_name_errors(key) {
        out.invalid_as(source, key, error);
    }
}

fn is_convertible(label: &str, subscripted: bool) -> bool {
    match label {
        "metadata.annotations" | "metadata.labels" => true,
        _ if subscripted => true,
        "metadata.name"
        | "metadata.namespace"
        | "metadata.uid"
        | "spec.nodeName"
        | "spec.restartPolicy"
        | "spec.serviceAccountName"
        | "spec.schedulerName"
        | "status.phase"
        | "status.hostIP"
        | "status.hostIPs"
        | "status.podIP"
        | "status.podIPs"
        | "spec.host" => true,
        _ => false,
    }
}

/// Whose resources are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Own,
    /// One that has to be named.
    Named,
}

/// A resource of a container.
pub(super) fn resource_ref(out: &mut Findings, source: &Spot<'_>, container: Container) {
    let (holder, resource) = (source.get("containerName"), source.get("resource"));
    let name = resource.str();
    let huge = ["requests.hugepages-", "limits.hugepages-"].iter().any(|prefix| name.starts_with(prefix));
    if container == Container::Named && holder.is_empty() {
        out.required(&holder, "");
    } else if resource.is_empty() {
        out.required(&resource, "");
    } else if !OF_RESOURCES.contains(&name) && !huge {
        out.not_supported(&resource, OF_RESOURCES);
    }
    divisor(out, source, name);
}

fn divisor(out: &mut Findings, source: &Spot<'_>, resource: &str) {
    let divisor = source.get("divisor");
    if resources::amount(&divisor).is_none_or(|amount| amount.is_zero()) {
        return;
    }
    let kind = resource.split_once('.').map_or("", |(_, kind)| kind);
    let (known, what): (&[&str], _) = match kind {
        "cpu" => (&["1m", "1"], "1m and 1 are supported with the cpu"),
        "memory" => (UNITS, "memory"),
        "ephemeral-storage" => (UNITS, "local ephemeral storage"),
        _ if kind.starts_with("hugepages-") => (UNITS, "hugepages"),
        _ => return,
    };
    if !known.contains(&divisor.str()) {
        let list = UNITS.join(", ");
        let why = match kind {
            "cpu" => format!("only divisor's values {what} resource"),
            _ => format!("only divisor's values {list} are supported with the {what} resource"),
        };
        out.push(FieldError::invalid_text(divisor.path(), resource, why));
    }
}
