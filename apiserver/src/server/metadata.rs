//! The metadata of objects: what the server owns of it, and what may stand in the rest.
//!
//! In: the metadata of a new object, for updates also the stored one. Out: the same with the server's own fields, or what is wrong with
//! it.

use serde_json::Value;

use crate::{
    protocol::{
        FieldError, Fields,
        names::{
            dns_label_errors, dns_subdomain_errors, label_value_errors, path_segment_errors,
            qualified_name_errors,
        },
    },
    registry::Resource,
    strategy::NameRule,
};

const ANNOTATIONS_LIMIT: usize = 256 * 1024;

/// The fields that only the server writes.
const OWNED: &[&str] =
    &["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"];

/// Takes out what a client cannot set in a create.
pub(super) fn clear_owned(metadata: &mut Fields) {
    for name in ["uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion"] {
        metadata.remove(name);
    }
}

/// Brings back what a client cannot change in an update.
pub(super) fn keep_owned(metadata: &mut Fields, old: &Fields) {
    metadata.remove("selfLink");
    metadata.remove("resourceVersion");
    for name in OWNED {
        let kept = match *name {
            "uid" | "deletionGracePeriodSeconds" => !metadata.contains_key(*name),
            "deletionTimestamp" => old.contains_key(*name),
            _ => true,
        };
        if !kept {
            continue;
        }
        match old.get(*name) {
            Some(value) => metadata.insert((*name).to_owned(), value.clone()),
            None => metadata.remove(*name),
        };
    }
}

/// Leaves one of several owner references with the same uid; the warning about it, if there is one.
pub(super) fn merge_owners(metadata: &mut Fields) -> Option<String> {
    let owners = metadata.get_mut("ownerReferences").and_then(Value::as_array_mut)?;
    let mut seen: Vec<Value> = Vec::new();
    let mut twice: Vec<String> = Vec::new();
    owners.retain(|owner| {
        let uid = owner.get("uid").cloned().unwrap_or_default();
        if !seen.contains(&uid) {
            seen.push(uid);
            return true;
        }
        let text = uid.as_str().unwrap_or_default().to_owned();
        if !twice.contains(&text) {
            twice.push(text);
        }
        false
    });
    (!twice.is_empty()).then(|| {
        format!(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such \
             requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}",
            twice.join(", ")
        )
    })
}

/// Removes members that say nothing, as upstream's encoder does.
pub(super) fn drop_empty(metadata: &mut Fields) {
    metadata.retain(|name, value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        // A grace of nothing is not the same as no grace.
        Value::Number(number) => number.as_i64() != Some(0) || name == "deletionGracePeriodSeconds",
        Value::Bool(_) => true,
    });
}

/// The text of a member; everything else is empty.
fn text<'a>(metadata: &'a Fields, name: &str) -> &'a str {
    metadata.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// What is wrong with the metadata of an object that is about to be stored.
pub(super) fn validate(metadata: &Fields, resource: &Resource) -> Vec<FieldError> {
    let rule = resource.rules.name;
    let mut errors = Vec::new();
    let prefix = text(metadata, "generateName");
    if !prefix.is_empty() {
        let masked = match prefix.strip_suffix('-').filter(|start| !start.is_empty()) {
            Some(start) => format!("{start}a"),
            None => prefix.to_owned(),
        };
        for error in name_errors(&masked, rule) {
            errors.push(FieldError::invalid_text("metadata.generateName", prefix, error));
        }
    }
    let name = text(metadata, "name");
    if name.is_empty() {
        errors.push(FieldError::required("metadata.name", "name or generateName is required"));
    } else {
        for error in name_errors(name, rule) {
            errors.push(FieldError::invalid_text("metadata.name", name, error));
        }
    }
    labels(metadata, &mut errors);
    annotations(metadata, &mut errors);
    owners(metadata, &mut errors);
    finalizers(metadata, resource, &mut errors);
    errors
}

/// What is wrong with the parts of metadata that an update may change.
pub(super) fn validate_kept(metadata: &Fields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    labels(metadata, &mut errors);
    annotations(metadata, &mut errors);
    owners(metadata, &mut errors);
    errors
}

fn name_errors(name: &str, rule: NameRule) -> Vec<String> {
    match rule {
        NameRule::Subdomain => dns_subdomain_errors(name),
        NameRule::Label => dns_label_errors(name),
        NameRule::PathSegment => path_segment_errors(name),
        NameRule::BySigner => Vec::new(),
        NameRule::Address if name.parse::<std::net::IpAddr>().is_ok() => Vec::new(),
        NameRule::Address => {
            vec!["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)".to_owned()]
        }
    }
}

fn labels(metadata: &Fields, errors: &mut Vec<FieldError>) {
    let labels = metadata.get("labels").and_then(Value::as_object);
    for (key, value) in labels.into_iter().flatten() {
        for error in qualified_name_errors(key) {
            errors.push(FieldError::invalid_text("metadata.labels", key, error));
        }
        let value = value.as_str().unwrap_or_default();
        for error in label_value_errors(value) {
            errors.push(FieldError::invalid_text("metadata.labels", value, error));
        }
    }
}

fn annotations(metadata: &Fields, errors: &mut Vec<FieldError>) {
    let annotations = metadata.get("annotations").and_then(Value::as_object);
    let mut size = 0;
    for (key, value) in annotations.into_iter().flatten() {
        for error in qualified_name_errors(&key.to_lowercase()) {
            errors.push(FieldError::invalid_text("metadata.annotations", key, error));
        }
        size += key.len() + value.as_str().map_or(0, str::len);
    }
    if size > ANNOTATIONS_LIMIT {
        errors.push(FieldError::too_long("metadata.annotations", ANNOTATIONS_LIMIT));
    }
}

fn owners(metadata: &Fields, errors: &mut Vec<FieldError>) {
    let Some(owners) = metadata.get("ownerReferences").and_then(Value::as_array) else {
        return;
    };
    let mut controllers: Vec<String> = Vec::new();
    for (index, owner) in owners.iter().enumerate() {
        let path = format!("metadata.ownerReferences[{index}]");
        let text = |name: &str| owner.get(name).and_then(Value::as_str).unwrap_or_default();
        for name in ["apiVersion", "kind", "name", "uid"] {
            if text(name).is_empty() {
                errors.push(FieldError::required(format!("{path}.{name}"), "must not be empty"));
            }
        }
        if text("apiVersion").matches('/').count() > 1 {
            errors.push(FieldError::invalid_text(
                format!("{path}.apiVersion"),
                text("apiVersion"),
                "must be <group>/<version> or <version>",
            ));
        }
        if text("kind") == "Event" && matches!(text("apiVersion"), "v1" | "events.k8s.io/v1") {
            let api_version = text("apiVersion");
            let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
            errors.push(FieldError::invalid_printed(
                path,
                go_owner(owner),
                format!("{group}/{version}, Kind=Event is disallowed from being an owner"),
            ));
        }
        if owner.get("controller") == Some(&Value::Bool(true)) {
            controllers.push(format!("{}/{}", text("kind"), text("name")));
        }
    }
    if let [first, second, ..] = controllers.as_slice() {
        let list: Vec<String> = owners.iter().map(go_owner).collect();
        errors.push(FieldError::invalid_printed(
            "metadata.ownerReferences",
            format!("[{}]", list.join(",")),
            format!(
                "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {second}"
            ),
        ));
    }
}

/// An owner reference with its members in upstream's order.
fn go_owner(owner: &Value) -> String {
    let order = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
    let members: Vec<String> =
        order.iter().filter_map(|name| Some(format!("\"{name}\":{}", owner.get(*name)?))).collect();
    format!("{{{}}}", members.join(","))
}

fn finalizers(metadata: &Fields, resource: &Resource, errors: &mut Vec<FieldError>) {
    const FIELD: &str = "metadata.finalizers";
    let list = finalizer_names(metadata);
    for name in &list {
        for error in qualified_name_errors(name) {
            errors.push(FieldError::invalid_text(FIELD, name, error));
        }
    }
    if list.contains(&"orphan") && list.contains(&"foregroundDeletion") {
        let value = Value::from(list.clone());
        errors.push(FieldError::invalid(
            FIELD,
            &value,
            "finalizer orphan and foregroundDeletion cannot be both set",
        ));
    }
    // Of defined kinds a real server only warns here, and of definitions it says nothing.
    if resource.custom.is_some()
        || ["apiextensions.k8s.io", "apiregistration.k8s.io"].contains(&resource.group.as_str())
    {
        return;
    }
    for (index, name) in list.iter().enumerate() {
        if !name.contains('/') && !["orphan", "foregroundDeletion", "kubernetes"].contains(name) {
            let why = "name is neither a standard finalizer name nor is it fully qualified";
            errors.push(FieldError::invalid_text(format!("{FIELD}[{index}]"), name, why));
        }
    }
}

/// The finalizers of an object.
pub(super) fn finalizer_names(metadata: &Fields) -> Vec<&str> {
    let list = metadata.get("finalizers").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What is wrong with metadata that is about to replace other metadata.
pub(super) fn validate_update(metadata: &Fields, old: &Fields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if old.contains_key("deletionTimestamp") {
        let before = finalizer_names(old);
        let added: Vec<String> = finalizer_names(metadata)
            .into_iter()
            .filter(|name| !before.contains(name))
            .map(|name| format!("{name:?}"))
            .collect();
        if !added.is_empty() {
            errors.push(FieldError::forbidden(
                "metadata.finalizers",
                format!(
                    "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
                    added.join(", ")
                ),
            ));
        }
    }
    for name in ["name", "namespace", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"] {
        if metadata.get(name) != old.get(name) {
            let value = metadata.get(name).cloned().unwrap_or_default();
            errors.push(FieldError::invalid(format!("metadata.{name}"), &value, "field is immutable"));
        }
    }
    errors
}
