//! A value without some of its fields and items.

use serde_json::{Map, Value};

use super::{Form, child, form, is_atomic, item_element, items};
use crate::{
    patch::fields::{FieldSet, PathElement},
    schema::TypeSchema,
};

/// The value without the fields and items of a set. What is left empty becomes null.
pub(crate) fn without(value: &Value, set: &FieldSet, schema: &TypeSchema) -> Value {
    let form = form(schema, Some(value));
    if form == Form::Scalar {
        return value.clone();
    }
    if is_atomic(schema, form) {
        return Value::Null;
    }
    match value {
        Value::Object(members) if form == Form::Map => cut_map(members, set, schema),
        Value::Array(list) if form == Form::List => cut_list(list, set, schema),
        _ => Value::Null,
    }
}

fn cut_map(members: &Map<String, Value>, set: &FieldSet, schema: &TypeSchema) -> Value {
    let mut out = Map::new();
    for (name, member) in members {
        let element = PathElement::field(name);
        if set.has_member(&element) {
            continue;
        }
        let member = match set.below(&element) {
            Some(below) => without(member, below, child(schema, name)),
            None => member.clone(),
        };
        out.insert(name.clone(), member);
    }
    if out.is_empty() { Value::Null } else { Value::Object(out) }
}

fn cut_list(list: &[Value], set: &FieldSet, schema: &TypeSchema) -> Value {
    let below_schema = items(schema);
    let mut out = Vec::new();
    for item in list {
        let Ok(element) = item_element(schema, item) else {
            out.push(item.clone());
            continue;
        };
        if set.has_member(&element) {
            continue;
        }
        out.push(match set.below(&element) {
            Some(below) => without(item, below, below_schema),
            None => item.clone(),
        });
    }
    if out.is_empty() { Value::Null } else { Value::Array(out) }
}
