//! Objects inside objects: their apiVersion, kind and metadata.
//!
//! In: a value and its schema. Out: metadata in the form of all kinds, with what was unknown in it, and what is wrong with embedded
//! objects.

use serde_json::{Map, Value};

use super::{Additional, Path, Structural};
use crate::{
    protocol::{
        FieldError,
        names::{dns_1035_label_errors, label_value_errors, path_segment_errors, qualified_name_errors},
    },
    schema::{TypeSchema, builtin, normalize},
};

const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// Brings the metadata of a whole object into the form of all kinds, in place; what was unknown in it, by path.
///
/// # Errors
///
/// When it is no metadata, in the words of Go's decoder.
pub(crate) fn coerce_metadata(object: &mut Map<String, Value>, path: &str) -> Result<Vec<String>, String> {
    let Some(metadata) = object.remove("metadata") else { return Ok(Vec::new()) };
    if metadata.is_null() {
        object.insert("metadata".to_owned(), Value::Object(Map::new()));
        return Ok(Vec::new());
    }
    let schema = builtin::definition(OBJECT_META).unwrap_or_else(|| TypeSchema::deduced().clone());
    let normal = normalize(metadata, &schema)?;
    let value = if normal.value.is_null() { Value::Object(Map::new()) } else { normal.value };
    object.insert("metadata".to_owned(), value);
    let prefix = if path.is_empty() { "metadata".to_owned() } else { format!("{path}.metadata") };
    let unknown = normal.unknown.into_iter().filter_map(|text| {
        let field = text.strip_prefix("unknown field \"")?.strip_suffix('"')?;
        Some(format!("{prefix}.{field}"))
    });
    Ok(unknown.collect())
}

/// Brings the metadata of embedded objects into form, in place; what was unknown, by path.
///
/// # Errors
///
/// The first embedded object that cannot be one.
pub(crate) fn coerce_embedded(
    value: &mut Value,
    schema: &Structural,
    path: &Path<'_>,
    unknown: &mut Vec<String>,
) -> Result<(), FieldError> {
    match value {
        Value::Object(members) => {
            if schema.embedded {
                coerce_object(members, path, unknown)?;
            }
            for (name, member) in members {
                if let Some(below) = schema.properties.get(name) {
                    coerce_embedded(member, below, &path.member(name), unknown)?;
                } else if let Some(below) = schema.additional.as_ref().and_then(Additional::schema) {
                    coerce_embedded(member, below, &path.key(name), unknown)?;
                }
            }
        }
        Value::Array(items) => {
            if let Some(below) = schema.items.as_deref() {
                for (index, item) in items.iter_mut().enumerate() {
                    coerce_embedded(item, below, &path.index(index), unknown)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn coerce_object(
    members: &mut Map<String, Value>,
    path: &Path<'_>,
    unknown: &mut Vec<String>,
) -> Result<(), FieldError> {
    for name in ["apiVersion", "kind"] {
        if let Some(value) = members.get(name).filter(|value| !value.is_string()) {
            return Err(FieldError::invalid(path.member(name).field(), value, "must be a string"));
        }
    }
    let before = members.get("metadata").cloned();
    let found = coerce_metadata(members, &path.to_string()).map_err(|why| {
        FieldError::invalid(path.member("metadata").field(), &before.unwrap_or_default(), why)
    })?;
    unknown.extend(found);
    Ok(())
}

/// Checks the objects embedded in a value.
pub(crate) fn check_embedded(
    value: &Value,
    schema: &Structural,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    match value {
        Value::Object(members) => {
            if schema.embedded {
                check_object(members, path, errors);
            }
            for (name, member) in members {
                if let Some(below) = schema.properties.get(name) {
                    check_embedded(member, below, &path.member(name), errors);
                } else if let Some(below) = schema.additional.as_ref().and_then(Additional::schema) {
                    check_embedded(member, below, &path.key(name), errors);
                }
            }
        }
        Value::Array(items) => {
            if let Some(below) = schema.items.as_deref() {
                for (index, item) in items.iter().enumerate() {
                    check_embedded(item, below, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

fn check_object(members: &Map<String, Value>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    for name in ["apiVersion", "kind"] {
        if !members.contains_key(name) {
            errors.push(FieldError::required(path.member(name).field(), ""));
        }
    }
    for name in ["apiVersion", "kind"] {
        let field = path.member(name).field();
        match members.get(name) {
            None => {}
            Some(Value::String(text)) if text.is_empty() => {
                errors.push(FieldError::invalid_text(field, text, "must not be empty"));
            }
            Some(Value::String(text)) if name == "apiVersion" && text.matches('/').count() > 1 => {
                let why = format!("unexpected GroupVersion string: {text}");
                errors.push(FieldError::invalid_text(field, text, why));
            }
            Some(Value::String(_)) if name == "apiVersion" => {}
            Some(Value::String(text)) => {
                let broken = dns_1035_label_errors(&text.to_lowercase());
                if !broken.is_empty() {
                    let why =
                        format!("may have mixed case, but should otherwise match: {}", broken.join(","));
                    errors.push(FieldError::invalid_text(field, text, why));
                }
            }
            Some(other) => errors.push(FieldError::invalid(field, other, "must be a string")),
        }
    }
    if let Some(metadata) = members.get("metadata").and_then(Value::as_object) {
        check_metadata(metadata, &path.member("metadata").field(), errors);
    }
}

/// Checks the metadata of an embedded object, which may go without a name.
fn check_metadata(metadata: &Map<String, Value>, field: &str, errors: &mut Vec<FieldError>) {
    let text = |name: &str| metadata.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut add = |part: &str, value: &str, whys: Vec<String>| {
        errors.extend(
            whys.into_iter().map(|why| FieldError::invalid_text(format!("{field}.{part}"), value, why)),
        );
    };
    for name in ["generateName", "name"] {
        add(
            name,
            text(name),
            if text(name).is_empty() { Vec::new() } else { path_segment_errors(text(name)) },
        );
    }
    let members = |name: &str| metadata.get(name).and_then(Value::as_object).into_iter().flatten();
    for (key, value) in members("labels") {
        add("labels", key, qualified_name_errors(key));
        let value = value.as_str().unwrap_or_default();
        add("labels", value, label_value_errors(value));
    }
    for (key, _) in members("annotations") {
        add("annotations", key, qualified_name_errors(&key.to_lowercase()));
    }
    let owners = metadata.get("ownerReferences").and_then(Value::as_array);
    for (index, owner) in owners.into_iter().flatten().enumerate() {
        for name in ["apiVersion", "kind", "name", "uid"] {
            if owner.get(name).and_then(Value::as_str).unwrap_or_default().is_empty() {
                let field = format!("{field}.ownerReferences[{index}].{name}");
                errors.push(FieldError::required(field, "must not be empty"));
            }
        }
    }
    let finalizers = metadata.get("finalizers").and_then(Value::as_array);
    for name in finalizers.into_iter().flatten().filter_map(Value::as_str) {
        let whys = qualified_name_errors(name);
        errors.extend(
            whys.into_iter().map(|why| FieldError::invalid_text(format!("{field}.finalizers"), name, why)),
        );
    }
}
