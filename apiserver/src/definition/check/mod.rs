//! Every fault of a definition, in the words and the order of a real server.
//!
//! In: a definition with its defaults, for updates also the stored one. Out: the faults.

mod conversion;
mod fitting;
mod names;
mod paths;
mod rules;
mod schema;
mod structural;
mod versions;
mod walk;

use serde_json::Value;

use super::approval;
use crate::protocol::{FieldError, Fields, names::dns_subdomain_errors};

/// The text at a path of members.
fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The members of a list.
fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Checks a definition besides its metadata.
pub(crate) fn check(object: &Fields, old: Option<&Fields>) -> Vec<FieldError> {
    let empty = Value::Null;
    let spec = object.get("spec").unwrap_or(&empty);
    let status = object.get("status").unwrap_or(&empty);
    let mut errors = Vec::new();
    if old.is_none() {
        let metadata = object.get("metadata").unwrap_or(&empty);
        let wanted =
            format!("{}.{}", text(spec.get("names").unwrap_or(&empty), "plural"), text(spec, "group"));
        for member in ["generateName", "name"] {
            let name = text(metadata, member);
            if !name.is_empty() && name != wanted {
                let why = "must be spec.names.plural+\".\"+spec.group";
                errors.push(FieldError::invalid_text(format!("metadata.{member}"), name, why));
            }
        }
    }
    check_spec(spec, &mut errors);
    if let Some(old) = old {
        check_fixed(spec, old, &mut errors);
    }
    names::check(status.get("acceptedNames").unwrap_or(&empty), "status.acceptedNames", &mut errors);
    versions::check_stored(status, spec, &mut errors);
    errors.extend(approval::check(object, old));
    if spec.get("preserveUnknownFields") == Some(&Value::Bool(true)) {
        errors.push(FieldError::invalid_printed(
            "spec.preserveUnknownFields",
            "true",
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
        ));
    }
    errors
}

/// Checks the status of a definition that only gets a new one.
pub(crate) fn check_status(object: &Fields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if let Some(names) = object.get("status").and_then(|status| status.get("acceptedNames")) {
        names::check(names, "status.acceptedNames", &mut errors);
    }
    errors
}

fn check_spec(spec: &Value, errors: &mut Vec<FieldError>) {
    let group = text(spec, "group");
    let broken = dns_subdomain_errors(group);
    if group.is_empty() {
        errors.push(FieldError::required("spec.group", ""));
    } else if !broken.is_empty() {
        errors.push(FieldError::invalid_text("spec.group", group, broken.join(",")));
    } else if !group.contains('.') {
        errors.push(FieldError::invalid_text(
            "spec.group",
            group,
            "should be a domain with at least one dot",
        ));
    }
    match text(spec, "scope") {
        "" => errors.push(FieldError::required("spec.scope", "")),
        "Cluster" | "Namespaced" => {}
        other => {
            errors.push(FieldError::not_supported("spec.scope", &other.into(), &["Cluster", "Namespaced"]));
        }
    }
    versions::check(spec, errors);
    let names = spec.get("names").unwrap_or(&Value::Null);
    for name in ["plural", "singular", "kind", "listKind"] {
        if text(names, name).is_empty() {
            errors.push(FieldError::required(format!("spec.names.{name}"), ""));
        }
    }
    names::check(names, "spec.names", errors);
    versions::check_shared(spec, errors);
    conversion::check(spec.get("conversion").unwrap_or(&Value::Null), errors);
}

/// What never changes, or not once the kind is served.
fn check_fixed(spec: &Value, old: &Fields, errors: &mut Vec<FieldError>) {
    let Some(old_spec) = old.get("spec") else { return };
    let established = super::is_true(old, "Established");
    let fixed: &[&str] = if established { &["/scope", "/names/kind"] } else { &[] };
    for path in fixed.iter().chain(&["/group", "/names/plural"]) {
        let (new, old) = (spec.pointer(path), old_spec.pointer(path));
        if new != old {
            let field = format!("spec{}", path.replace('/', "."));
            errors.push(FieldError::invalid(field, new.unwrap_or(&Value::Null), "field is immutable"));
        }
    }
}
