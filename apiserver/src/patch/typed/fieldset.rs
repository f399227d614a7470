//! The set of all fields that a value mentions: what an applied object owns.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Form, child, form, is_atomic, item_element, items};
use crate::{
    patch::fields::{FieldSet, PathElement},
    schema::TypeSchema,
};

/// The fields of a value.
pub(crate) fn field_set(value: &Value, schema: &TypeSchema) -> FieldSet {
    let mut walker = Walker { path: Vec::new(), set: FieldSet::default() };
    walker.walk(value, schema);
    walker.set
}

struct Walker {
    path: Vec<PathElement>,
    set: FieldSet,
}

impl Walker {
    fn walk(&mut self, value: &Value, schema: &TypeSchema) {
        let form = form(schema, Some(value));
        if is_atomic(schema, form) {
            self.set.insert(&self.path);
            return;
        }
        match (form, value) {
            (Form::Map, Value::Object(members)) => self.walk_map(members, schema),
            (Form::List, Value::Array(list)) => self.walk_list(list, schema),
            _ => {}
        }
    }

    fn walk_map(&mut self, members: &Map<String, Value>, schema: &TypeSchema) {
        for (name, member) in members {
            self.path.push(PathElement::field(name));
            self.walk(member, &child(schema, name));
            let empty = member.is_null() || member.as_object().is_some_and(Map::is_empty);
            if empty || schema.field(name).is_none() {
                self.set.insert(&self.path);
            }
            self.path.pop();
        }
    }

    fn walk_list(&mut self, list: &[Value], schema: &TypeSchema) {
        let elements: Vec<_> = list.iter().map(|item| item_element(schema, item).ok()).collect();
        let mut seen = BTreeSet::new();
        let mut repeated = BTreeSet::new();
        for element in elements.iter().flatten() {
            if !seen.insert(element) {
                repeated.insert(element);
            }
        }
        let below = items(schema);
        for (item, element) in list.iter().zip(&elements) {
            let Some(element) = element else { continue };
            self.path.push(element.clone());
            if !repeated.contains(element) {
                self.walk(item, &below);
            }
            self.set.insert(&self.path);
            self.path.pop();
        }
    }
}
