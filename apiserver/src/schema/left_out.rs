//! `LeftOut`: empty lists and maps that a client has sent and that are not kept.
//!
//! In: where they stood. Out: the object with them, as a real server sees it until it stores it: an empty list of Go is one and not none.
//! What it says of such an object shows them; nothing else tells them from absent ones, so they are kept aside.

use serde_json::{Map, Value};

use super::{TypeSchema, types::Shape};

/// The empty lists and maps of an object that its normal form leaves out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut(Vec<(Vec<Part>, Value)>);

/// One step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Member(String),
    Item(usize),
}

impl LeftOut {
    /// Whether a value is an empty list or map, rather than a struct.
    pub(super) fn is_possible(value: &Value, schema: &TypeSchema) -> bool {
        match (value, schema.shape()) {
            (Value::Array(items), Shape::List { .. }) => items.is_empty(),
            (Value::Object(members), Shape::Map { .. }) => members.is_empty(),
            _ => false,
        }
    }

    /// One more.
    pub(super) fn push(&mut self, way: Vec<Part>, empty: Value) {
        self.0.push((way, empty));
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts them where they stood, as far as there is still a place and nothing stands there.
    pub fn put_back(&self, object: &mut Map<String, Value>) {
        for (way, empty) in &self.0 {
            let Some((Part::Member(first), rest)) = way.split_first() else { continue };
            match rest {
                [] => fill(object, first, empty),
                rest => {
                    if let Some(value) = object.get_mut(first) {
                        put(value, rest, empty);
                    }
                }
            }
        }
    }
}

fn put(value: &mut Value, way: &[Part], empty: &Value) {
    match (way, value) {
        ([Part::Member(last)], Value::Object(members)) => fill(members, last, empty),
        ([Part::Member(name), rest @ ..], Value::Object(members)) => {
            if let Some(value) = members.get_mut(name) {
                put(value, rest, empty);
            }
        }
        ([Part::Item(index), rest @ ..], Value::Array(items)) => {
            if let Some(value) = items.get_mut(*index) {
                put(value, rest, empty);
            }
        }
        _ => {}
    }
}

fn fill(members: &mut Map<String, Value>, name: &str, empty: &Value) {
    if members.get(name).is_none_or(Value::is_null) {
        members.insert(name.to_owned(), empty.clone());
    }
}
