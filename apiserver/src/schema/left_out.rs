//! `LeftOut`: what a client has sent and that is not kept.
//!
//! Empty lists and maps: an empty list of Go is one and not none, and what a real server says of an object shows it; nothing else tells
//! them from absent ones, so they are kept aside. Fields of features that are off by default (`data/gated-fields.txt`): they are read and
//! owned like others, and left out when the object is made ready to be stored.
//!
//! In: where they stood. Out: the object with them, or without.

use std::{collections::HashMap, sync::LazyLock};

use serde_json::{Map, Value};

use super::{TypeSchema, types::Shape};

static GATED: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("../../data/gated-fields.txt").lines().filter(|line| !line.starts_with('#'));
    let read = |line: &'static str| {
        let mut words = line.split(' ');
        let name = format!("io.k8s.api.{}.{}", words.next()?, words.next()?);
        Some((name, words.collect()))
    };
    lines.filter_map(read).collect()
});

/// The fields of a definition that belong to features that are off by default.
pub(super) fn gated(definition: &str) -> &'static [&'static str] {
    GATED.get(definition).map(Vec::as_slice).unwrap_or_default()
}

/// What an object has that is not kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut {
    empty: Vec<(Vec<Part>, Value)>,
    gated: Vec<Vec<Part>>,
}

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

    /// One more empty list or map.
    pub(super) fn push(&mut self, way: Vec<Part>, empty: Value) {
        self.empty.push((way, empty));
    }

    /// One more field of a feature that is off.
    pub(super) fn push_gated(&mut self, way: Vec<Part>) {
        self.gated.push(way);
    }

    /// Whether there are empty lists or maps.
    #[must_use]
    pub fn has_empty(&self) -> bool {
        !self.empty.is_empty()
    }

    /// Takes out the fields of features that are off.
    pub fn drop_gated(&self, object: &mut Map<String, Value>) {
        for way in &self.gated {
            if let [Part::Member(first), rest @ ..] = way.as_slice()
                && let Some(value) = object.get_mut(first)
            {
                take(value, rest);
            }
        }
    }

    /// Puts empty lists and maps where they stood, as far as there is still a place and nothing stands there.
    pub fn put_back(&self, object: &mut Map<String, Value>) {
        for (way, empty) in &self.empty {
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

/// What is left of a value when something has been taken out of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Something,
    /// Nothing that says anything: it goes as well.
    Nothing,
}

/// What is of no use without its members.
const HOLLOW: &[&str] = &["lifecycle"];

fn take(value: &mut Value, way: &[Part]) -> Rest {
    match (way, value) {
        ([Part::Member(last)], Value::Object(members)) => {
            members.remove(last);
            if members.is_empty() { Rest::Nothing } else { Rest::Something }
        }
        ([Part::Member(name), rest @ ..], Value::Object(members)) => {
            let below = members.get_mut(name).map(|value| take(value, rest));
            if below == Some(Rest::Nothing) && HOLLOW.contains(&name.as_str()) {
                members.remove(name);
            }
            Rest::Something
        }
        ([Part::Item(index), rest @ ..], Value::Array(items)) => {
            if let Some(value) = items.get_mut(*index) {
                take(value, rest);
            }
            Rest::Something
        }
        _ => Rest::Something,
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
