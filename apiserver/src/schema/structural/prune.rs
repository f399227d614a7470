//! Pruning: members that no schema names are dropped.
//!
//! In: a value and its schema. Out: the value without them, and where they were, sorted.

use serde_json::Value;

use super::{Path, Structural};

/// The members of a whole object that its schema need not name.
const OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Which object a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Root,
    Below,
}

/// Drops what the schema does not name from a whole object, or from a value below one where `schema` says so itself.
pub(crate) fn prune(value: &mut Value, schema: &Structural, root: Option<&str>) -> Vec<String> {
    let mut unknown = Vec::new();
    let place = if root.is_some() { Place::Root } else { Place::Below };
    walk(value, Some(schema), (place, &Path::Root("")), &mut unknown);
    unknown.sort();
    unknown
}

fn walk(
    value: &mut Value,
    schema: Option<&Structural>,
    (place, path): (Place, &Path<'_>),
    unknown: &mut Vec<String>,
) {
    if let Some(schema) = schema.filter(|schema| schema.preserve) {
        keep(value, schema, (place, path), unknown);
        return;
    }
    match value {
        Value::Object(members) => members.retain(|name, member| {
            let whole = place == Place::Root || schema.is_some_and(|schema| schema.embedded);
            if whole && OBJECT.contains(&name.as_str()) {
                return true;
            }
            let below = path.member(name);
            if let Some(property) = schema.and_then(|schema| schema.properties.get(name)) {
                walk(member, Some(property), (Place::Below, &below), unknown);
                return true;
            }
            if let Some(additional) = schema.and_then(|schema| schema.additional.as_ref()) {
                walk(member, additional.schema(), (Place::Below, &below), unknown);
                return true;
            }
            unknown.push(below.to_string());
            false
        }),
        Value::Array(items) => {
            let below = schema.and_then(|schema| schema.items.as_deref());
            for (index, item) in items.iter_mut().enumerate() {
                walk(item, below, (Place::Below, &path.index(index)), unknown);
            }
        }
        _ => {}
    }
}

/// Nothing is dropped here, but named members are looked into.
fn keep(
    value: &mut Value,
    schema: &Structural,
    (place, path): (Place, &Path<'_>),
    unknown: &mut Vec<String>,
) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let whole = place == Place::Root || schema.embedded;
                if whole && OBJECT.contains(&name.as_str()) {
                    continue;
                }
                let below = path.member(name);
                if let Some(property) = schema.properties.get(name) {
                    walk(member, Some(property), (Place::Below, &below), unknown);
                } else if let Some(additional) = &schema.additional {
                    walk(member, additional.schema(), (Place::Below, &below), unknown);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                if let Some(below) = schema.items.as_deref() {
                    keep(item, below, (Place::Below, &path.index(index)), unknown);
                }
            }
        }
        _ => {}
    }
}
