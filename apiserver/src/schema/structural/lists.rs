//! Uniqueness in lists of type set and map.
//!
//! In: a value and its schema. Out: the items that come twice, each told once.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Additional, Path, Structural};
use crate::protocol::FieldError;

/// Checks all lists in a value.
pub(crate) fn check_lists(value: &Value, schema: &Structural, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match value {
        Value::Object(members) => {
            if let Some(below) = schema.additional.as_ref().and_then(Additional::schema) {
                for (name, member) in members {
                    check_lists(member, below, &path.key(name), errors);
                }
            }
            for (name, member) in members {
                if let Some(below) = schema.properties.get(name) {
                    check_lists(member, below, &path.member(name), errors);
                }
            }
        }
        Value::Array(items) => {
            match schema.list_type.as_deref() {
                Some("set") => {
                    for index in repeated(items.iter().map(Value::to_string)) {
                        let item = items.get(index).unwrap_or(&Value::Null);
                        errors.push(FieldError::duplicate(path.index(index).field(), item));
                    }
                }
                Some("map") => check_keys(items, schema, path, errors),
                _ => {}
            }
            if let Some(below) = schema.items.as_deref() {
                for (index, item) in items.iter().enumerate() {
                    check_lists(item, below, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

fn check_keys(items: &[Value], schema: &Structural, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let odd = items.iter().enumerate().find(|(_, item)| !item.is_object() && !item.is_null());
    if let Some((index, item)) = odd {
        let field = path.index(index).field();
        errors.push(FieldError::invalid(field, item, "must be an object for an array of list-type map"));
        return;
    }
    let key = |item: &Value| -> Value {
        let member = |name: &String| Some((name.clone(), item.get(name)?.clone()));
        Value::Object(schema.list_map_keys.iter().filter_map(member).collect::<Map<_, _>>())
    };
    let keys: Vec<Value> = items.iter().map(key).collect();
    for index in repeated(keys.iter().map(Value::to_string)) {
        let key = keys.get(index).unwrap_or(&Value::Null);
        errors.push(FieldError::duplicate(path.index(index).field(), key));
    }
}

/// Where something comes for the second time.
fn repeated(texts: impl Iterator<Item = String>) -> Vec<usize> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, text) in texts.enumerate() {
        let times = seen.entry(text).or_default();
        *times += 1;
        if *times == 2 {
            found.push(index);
        }
    }
    found
}
