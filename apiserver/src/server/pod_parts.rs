//! The parts of pods that change through subresources of their own: ephemeral containers, and resources.
//!
//! In: a pod as somebody wants it, and as it is stored. Out: the stored pod with that part changed, and what is wrong with the change.

use serde_json::{Value, json};

use crate::{
    protocol::{FieldError, Fields},
    schema::internal::{Code, Internal},
    strategy::{at, child, quality_of_service, text},
};

/// Why a field of an ephemeral container may not be set.
const NOT_EPHEMERAL: &str = "cannot be set for an Ephemeral Container";
/// What an ephemeral container may not have, in the order of declaration.
const REFUSED: [&str; 7] = [
    "ports",
    "resizePolicy",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
    "restartPolicyRules",
];
/// What a resize may change.
const SIZES: [&str; 2] = ["resources", "resizePolicy"];

/// The stored pod with the ephemeral containers of another.
pub(super) fn with_ephemeral_containers(mut stored: Fields, wanted: &Fields) -> Fields {
    if let Some(spec) = child(&mut stored, "spec") {
        match at(wanted, "spec.ephemeralContainers")
            .filter(|list| list.as_array().is_some_and(|list| !list.is_empty()))
        {
            Some(list) => spec.insert("ephemeralContainers".to_owned(), list.clone()),
            None => spec.remove("ephemeralContainers"),
        };
    }
    stored
}

/// What is wrong with a change of ephemeral containers.
pub(super) fn ephemeral_errors(new: &Fields, old: &Fields) -> Vec<FieldError> {
    let path = "spec.ephemeralContainers";
    let mut errors = Vec::new();
    let plain: Vec<&str> =
        list(new, "containers").iter().chain(list(new, "initContainers")).map(name).collect();
    let mut seen = plain.clone();
    for (index, container) in list(new, "ephemeralContainers").iter().enumerate() {
        let field = |name: &str| format!("{path}[{index}].{name}");
        let set =
            |name: &str| container.get(name).is_some_and(|value| !value.is_null() && *value != json!({}));
        if name(container).is_empty() {
            errors.push(FieldError::required(field("name"), ""));
        }
        if container.get("image").and_then(Value::as_str).unwrap_or_default().is_empty() {
            errors.push(FieldError::required(field("image"), ""));
        }
        if seen.contains(&name(container)) {
            errors.push(FieldError::duplicate(field("name"), &name(container).into()));
        }
        seen.push(name(container));
        let target = container.get("targetContainerName").and_then(Value::as_str).unwrap_or_default();
        if !target.is_empty() && !plain.contains(&target) {
            errors.push(FieldError::not_found(field("targetContainerName"), &target.into()));
        }
        if set("resources") {
            errors.push(FieldError::forbidden(field("resources"), NOT_EPHEMERAL));
        }
        let refused = REFUSED.iter().filter(|name| set(name));
        errors.extend(refused.map(|name| FieldError::forbidden(field(name), NOT_EPHEMERAL)));
        for (mount, part) in list_of(container, "volumeMounts").iter().enumerate() {
            for name in ["subPath", "subPathExpr"].iter().filter(|name| part.get(**name).is_some()) {
                errors.push(FieldError::forbidden(
                    field(&format!("volumeMounts[{mount}].{name}")),
                    NOT_EPHEMERAL,
                ));
            }
        }
    }
    for before in list(old, "ephemeralContainers") {
        let name = name(before);
        match list(new, "ephemeralContainers").iter().find(|there| self::name(there) == name) {
            None => {
                let why = format!("existing ephemeral containers \"{name}\" may not be removed\n");
                errors.push(FieldError::forbidden(path, why));
            }
            Some(after) if after != before => {
                let form = Internal::of_struct("core.EphemeralContainer").map(Code::from);
                let difference = form.map(|form| form.difference(before, after)).unwrap_or_default();
                let why =
                    format!("existing ephemeral containers \"{name}\" may not be changed\n{difference}");
                errors.push(FieldError::forbidden(path, why));
            }
            Some(_) => {}
        }
    }
    errors
}

/// The stored pod with the sizes of another; where containers do not correspond, the other as it is.
pub(super) fn with_sizes(mut stored: Fields, wanted: &Fields) -> Fields {
    for kind in ["containers", "initContainers"] {
        let (new, old) = (list(wanted, kind), list(&stored, kind));
        if new.len() != old.len() || new.iter().zip(old).any(|(new, old)| name(new) != name(old)) {
            let mut whole = stored.clone();
            if let Some(spec) = wanted.get("spec") {
                whole.insert("spec".to_owned(), spec.clone());
            }
            return whole;
        }
    }
    for kind in ["containers", "initContainers"] {
        let new = list(wanted, kind).to_vec();
        let old = child(&mut stored, "spec").and_then(|spec| spec.get_mut(kind)?.as_array_mut());
        for (old, new) in old.into_iter().flatten().zip(new) {
            let Some(old) = old.as_object_mut() else { continue };
            for name in SIZES {
                match new.get(name) {
                    Some(value) => old.insert(name.to_owned(), value.clone()),
                    None => old.remove(name),
                };
            }
        }
    }
    if let (Some(resources), Some(spec)) = (at(wanted, "spec.resources"), child(&mut stored, "spec")) {
        spec.insert("resources".to_owned(), resources.clone());
    }
    stored
}

/// What is wrong with a change of sizes.
pub(super) fn resize_errors(new: &Fields, old: &Fields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if at(old, "metadata.annotations").is_some_and(|all| all.get("kubernetes.io/config.mirror").is_some()) {
        return vec![FieldError::forbidden("", "static pods cannot be resized")];
    }
    if text(old, "spec.os.name") == "windows" {
        return vec![FieldError::forbidden("", "windows pods cannot be resized")];
    }
    let class = text(old, "status.qosClass");
    if class != quality_of_service(new) {
        errors.push(FieldError::invalid_text(
            "spec",
            class,
            "Pod QOS Class may not change as a result of resizing",
        ));
    }
    for kind in ["containers", "initContainers"] {
        let (after, before) = (list(new, kind), list(old, kind));
        if after.len() != before.len() {
            let why = format!("{kind} may not be added or removed on resize");
            errors.push(FieldError::forbidden(format!("spec.{kind}"), why));
            return errors;
        }
        for (index, (after, before)) in after.iter().zip(before).enumerate() {
            if name(after) != name(before) {
                let why = format!("{kind} may not be renamed or reordered on resize");
                errors.push(FieldError::forbidden(format!("spec.{kind}[{index}].name"), why));
                return errors;
            }
        }
    }
    for kind in ["initContainers", "containers"] {
        for (index, (after, before)) in list(new, kind).iter().zip(list(old, kind)).enumerate() {
            errors.extend(removed(&format!("spec.{kind}[{index}].resources"), after, before));
        }
    }
    for kind in ["containers", "initContainers"] {
        for (index, (after, before)) in list(new, kind).iter().zip(list(old, kind)).enumerate() {
            if other_resources(after) != other_resources(before) {
                errors.push(match kind {
                    "containers" => {
                        FieldError::forbidden("spec", "only cpu and memory resources are mutable")
                    }
                    _ => FieldError::forbidden(
                        format!("spec.{kind}[{index}]"),
                        "only cpu and memory resources for init or sidecar containers are mutable",
                    ),
                });
            }
        }
    }
    errors
}

/// Requests and limits that were there may change, but not go.
fn removed(path: &str, after: &Value, before: &Value) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let has = |container: &Value, part: &str, name: &str| {
        container.pointer(&format!("/resources/{part}/{name}")).is_some()
    };
    for part in ["requests", "limits"] {
        for name in ["cpu", "memory"] {
            if has(before, part, name) && !has(after, part, name) {
                let why = format!("resource {part} cannot be removed");
                errors.push(FieldError::forbidden(format!("{path}.{part}"), why));
                break;
            }
        }
    }
    errors
}

/// The resources of a container without those that may change.
fn other_resources(container: &Value) -> Value {
    let mut resources = container.get("resources").cloned().unwrap_or_default();
    let Some(members) = resources.as_object_mut() else { return json!({}) };
    for part in ["requests", "limits"] {
        let empty = match members.get_mut(part).and_then(Value::as_object_mut) {
            Some(amounts) => {
                amounts.retain(|name, _| !["cpu", "memory"].contains(&name.as_str()));
                amounts.is_empty()
            }
            None => true,
        };
        if empty {
            members.remove(part);
        }
    }
    resources
}

fn list<'a>(pod: &'a Fields, kind: &str) -> &'a [Value] {
    at(pod, &format!("spec.{kind}")).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn list_of<'a>(container: &'a Value, name: &str) -> &'a [Value] {
    container.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn name(container: &Value) -> &str {
    container.get("name").and_then(Value::as_str).unwrap_or_default()
}
