//! An apply configuration without an owner: what mutating admission policies merge into objects.
//!
//! In: an object and a configuration of its kind. Out: the object with the configuration in it. Nothing becomes owned by anybody, and
//! nothing is removed.

use serde_json::Value;

use super::typed::{is_atomic_value, merge, validate};
use crate::schema::TypeSchema;

/// Merges a configuration into an object.
///
/// # Errors
///
/// When the configuration does not fit the kind, or sets what can only be set as a whole.
pub(crate) fn apply_configuration(
    object: &Value,
    change: &Value,
    schema: &TypeSchema,
) -> Result<Value, String> {
    validate(change, schema)
        .map_err(|why| format!("failed to convert patch object to typed object: {why}"))?;
    let mut atomics = Vec::new();
    find_atomics(change, schema, "", &mut atomics);
    if !atomics.is_empty() {
        return Err(format!(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {}",
            atomics.join(", ")
        ));
    }
    let Value::Object(members) = object else { return Ok(change.clone()) };
    merge(members, change, schema).map_err(|why| format!("failed to merge patch: {why}"))
}

/// The paths of everything in a value that is replaced as a whole.
fn find_atomics(value: &Value, schema: &TypeSchema, path: &str, found: &mut Vec<String>) {
    if schema.is_deduced() {
        return;
    }
    if is_atomic_value(schema, value) {
        found.push(path.to_owned());
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if let Some(field) = schema.field(name) {
                    find_atomics(member, field.schema(), &format!("{path}.{name}"), found);
                }
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.items() else { return };
            for (index, item) in items.iter().enumerate() {
                find_atomics(item, schema, &format!("{path}[{index}]"), found);
            }
        }
        _ => {}
    }
}
