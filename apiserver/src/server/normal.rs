//! The form that a typed server gives to what it reads.
//!
//! In: an object as it was sent, and its type. Out: the same without what the type does not know, without nulls and empty lists that say
//! nothing, and with what is always there. It checks no rules.

use serde_json::{Map, Value};

use crate::schema::TypeSchema;

/// Brings a value of a built-in type into its form; the paths of unknown fields are added to `unknown`.
pub(super) fn normalise(value: &mut Value, schema: &TypeSchema, path: &str, unknown: &mut Vec<String>) {
    if schema.is_deduced() {
        return;
    }
    match value {
        Value::Object(members) if schema.values().is_some() => values(members, schema, path, unknown),
        Value::Object(members) => fields(members, schema, path, unknown),
        Value::Array(items) => {
            if let Some(below) = schema.items() {
                for (index, item) in items.iter_mut().enumerate() {
                    normalise(item, &below, &format!("{path}[{index}]"), unknown);
                }
            }
        }
        _ => {}
    }
}

fn values(members: &mut Map<String, Value>, schema: &TypeSchema, path: &str, unknown: &mut Vec<String>) {
    let Some(below) = schema.values() else { return };
    for (name, value) in members.iter_mut() {
        match value {
            Value::Null if below.scalar().is_some() => *value = "".into(),
            value => normalise(value, &below, &joined(path, name), unknown),
        }
    }
}

fn fields(members: &mut Map<String, Value>, schema: &TypeSchema, path: &str, unknown: &mut Vec<String>) {
    let open = schema.preserves_unknown_fields();
    members.retain(|name, value| {
        if schema.field(name).is_none() && !open {
            unknown.push(joined(path, name));
            return false;
        }
        !value.is_null()
    });
    for (name, value) in members.iter_mut() {
        if let Some(below) = schema.child(name) {
            normalise(value, &below, &joined(path, name), unknown);
        }
    }
    members.retain(|name, value| {
        let list_or_map =
            schema.child(name).is_some_and(|below| below.items().is_some() ^ below.values().is_some());
        !(list_or_map && is_empty(value))
    });
    for (name, field) in schema.fields() {
        if !members.contains_key(name)
            && let Some(zero) = field.zero(0)
        {
            members.insert(name.to_owned(), zero);
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
