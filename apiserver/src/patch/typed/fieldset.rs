//! The set of all fields that a value mentions: what an applied object owns.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Form, child, form, is_atomic, item_element, items};
use crate::{
    patch::fields::{FieldSet, Node, PathElement},
    schema::TypeSchema,
};

/// The fields of a value.
pub(crate) fn field_set(value: &Value, schema: &TypeSchema) -> FieldSet {
    walk(value, schema).below
}

/// What a value mentions.
#[derive(Default)]
struct Mentioned {
    itself: bool,
    below: FieldSet,
}

fn walk(value: &Value, schema: &TypeSchema) -> Mentioned {
    let form = form(schema, Some(value));
    if is_atomic(schema, form) {
        return Mentioned { itself: true, below: FieldSet::default() };
    }
    let below = match (form, value) {
        (Form::Map, Value::Object(members)) => walk_map(members, schema),
        (Form::List, Value::Array(list)) => walk_list(list, schema),
        _ => FieldSet::default(),
    };
    Mentioned { itself: false, below }
}

fn walk_map(members: &Map<String, Value>, schema: &TypeSchema) -> FieldSet {
    let node = |(name, member): (&String, &Value)| {
        let Mentioned { itself, below } = walk(member, child(schema, name));
        let empty = member.is_null() || member.as_object().is_some_and(Map::is_empty);
        let is_member = itself || empty || schema.field(name).is_none();
        Node { element: PathElement::field(name), is_member, below }
    };
    members.iter().map(node).collect()
}

fn walk_list(list: &[Value], schema: &TypeSchema) -> FieldSet {
    let elements: Vec<_> = list.iter().map(|item| item_element(schema, item).ok()).collect();
    let mut seen = BTreeSet::new();
    let mut repeated = BTreeSet::new();
    for element in elements.iter().flatten() {
        if !seen.insert(element) {
            repeated.insert(element);
        }
    }
    let below_schema = items(schema);
    let node = |(item, element): (&Value, &Option<PathElement>)| {
        let element = element.as_ref()?;
        let below = match repeated.contains(element) {
            true => FieldSet::default(),
            false => walk(item, below_schema).below,
        };
        Some(Node { element: element.clone(), is_member: true, below })
    };
    list.iter().zip(&elements).filter_map(node).collect()
}
