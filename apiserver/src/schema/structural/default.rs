//! Defaults of custom kinds.
//!
//! In: a value and its schema. Out: the value with the schema's defaults in the objects that are there; nulls that say nothing are
//! dropped first.

use serde_json::Value;

use super::{Additional, Structural};

fn is_empty_null(value: &Value, schema: Option<&Structural>) -> bool {
    value.is_null() && schema.is_some_and(|schema| !schema.nullable)
}

/// Drops nulls of members that are not nullable and have no default.
pub(crate) fn drop_nulls(value: &mut Value, schema: Option<&Structural>) {
    match value {
        Value::Object(members) => members.retain(|name, member| {
            let below = schema.and_then(|schema| schema.member(name));
            if is_empty_null(member, below) && below.is_some_and(|below| below.default.is_none()) {
                return false;
            }
            drop_nulls(member, below);
            true
        }),
        Value::Array(items) => {
            let below = schema.and_then(|schema| schema.items.as_deref());
            for item in items {
                drop_nulls(item, below);
            }
        }
        _ => {}
    }
}

/// Sets the defaults of everything that is missing in the objects that are there.
pub(crate) fn set_defaults(value: &mut Value, schema: &Structural) {
    match value {
        Value::Object(members) => {
            for (name, property) in &schema.properties {
                let Some(default) = &property.default else { continue };
                if members.get(name).is_none_or(|member| is_empty_null(member, Some(property))) {
                    members.insert(name.clone(), default.clone());
                }
            }
            for (name, member) in members {
                if let Some(property) = schema.properties.get(name) {
                    set_defaults(member, property);
                } else if let Some(below) = schema.additional.as_ref().and_then(Additional::schema) {
                    set_item(member, below);
                }
            }
        }
        Value::Array(items) => {
            if let Some(below) = schema.items.as_deref() {
                for item in items {
                    set_item(item, below);
                }
            }
        }
        _ => {}
    }
}

fn set_item(item: &mut Value, schema: &Structural) {
    if is_empty_null(item, Some(schema)) {
        *item = schema.default.clone().unwrap_or_default();
    }
    set_defaults(item, schema);
}
