//! `Spot`: one place in an object, with its path.
//!
//! In: an object. Out: the values in it, and where they stand. A path is put into words only when something is wrong there.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::{
    protocol::printed,
    schema::{self, TypeSchema, builtin},
};

/// One place in an object. Places that are not there hold null.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'a> {
    value: &'a Value,
    place: Place<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Place<'a> {
    Root,
    /// A member; its name may be a path with dots.
    Member(&'a Spot<'a>, &'a str),
    /// An item of the place itself.
    Index(&'a Spot<'a>, usize),
    /// An item of a member that is a list.
    Item(&'a Spot<'a>, &'a str, usize),
    /// The value under a key of a member that is a map.
    Key(&'a Spot<'a>, &'a str, &'a str),
}

impl<'a> Spot<'a> {
    /// The object as a whole.
    pub(crate) fn root(value: &'a Value) -> Self {
        Self { value, place: Place::Root }
    }

    /// What stands at a path below, such as `spec.type`.
    pub(crate) fn get<'s>(&'s self, path: &'s str) -> Spot<'s> {
        Spot { value: below(self.value, path), place: Place::Member(self, path) }
    }

    /// What stands at a path below, told under another name.
    pub(crate) fn alias<'s>(&'s self, path: &str, name: &'s str) -> Spot<'s> {
        Spot { value: below(self.value, path), place: Place::Member(self, name) }
    }

    /// The same value, as if it stood at `place`.
    pub(crate) fn moved<'s>(self, place: &Spot<'s>) -> Spot<'s>
    where
        'a: 's,
    {
        Spot { value: self.value, place: place.place }
    }

    /// The items of the list at a path below.
    pub(crate) fn items<'s>(&'s self, path: &'s str) -> impl Iterator<Item = Spot<'s>> + use<'s, 'a> {
        let items = below(self.value, path).as_array().into_iter().flatten();
        items.enumerate().map(move |(index, value)| Spot { value, place: Place::Item(self, path, index) })
    }

    /// The items of this list.
    pub(crate) fn each<'s>(&'s self) -> impl Iterator<Item = Spot<'s>> + use<'s, 'a> {
        let items = self.value.as_array().into_iter().flatten();
        items.enumerate().map(move |(index, value)| Spot { value, place: Place::Index(self, index) })
    }

    /// The values of the map at a path below, with their keys.
    pub(crate) fn entries<'s>(
        &'s self,
        path: &'s str,
    ) -> impl Iterator<Item = (&'s str, Spot<'s>)> + use<'s, 'a> {
        let members = below(self.value, path).as_object().into_iter().flatten();
        members.map(move |(key, value)| {
            (key.as_str(), Spot { value, place: Place::Key(self, path, key.as_str()) })
        })
    }

    /// The value under a key of the map at a path below.
    pub(crate) fn entry<'s>(&'s self, path: &'s str, key: &'s str) -> Spot<'s> {
        let value = below(self.value, path).get(key).unwrap_or(&Value::Null);
        Spot { value, place: Place::Key(self, path, key) }
    }

    /// The value itself.
    pub(crate) fn value(&self) -> &'a Value {
        self.value
    }

    /// Whether there is anything.
    pub(crate) fn is_set(&self) -> bool {
        !self.value.is_null()
    }

    /// Whether a member is there.
    pub(crate) fn has(&self, path: &str) -> bool {
        !below(self.value, path).is_null()
    }

    /// The text; everything else is empty.
    pub(crate) fn str(&self) -> &'a str {
        self.value.as_str().unwrap_or_default()
    }

    /// The text of a member.
    pub(crate) fn text(&self, path: &str) -> &'a str {
        below(self.value, path).as_str().unwrap_or_default()
    }

    /// The whole number, where it is one.
    pub(crate) fn int(&self) -> Option<i64> {
        self.value.as_i64()
    }

    /// The whole number of a member; nothing where it is absent.
    pub(crate) fn number(&self, path: &str) -> Option<i64> {
        below(self.value, path).as_i64()
    }

    /// Whether a member is true.
    pub(crate) fn is_true(&self, path: &str) -> bool {
        below(self.value, path) == &Value::Bool(true)
    }

    /// How many items or members a member has.
    pub(crate) fn count(&self, path: &str) -> usize {
        size(below(self.value, path))
    }

    /// Whether this is null, or a text, list or map without content.
    pub(crate) fn is_empty(&self) -> bool {
        match self.value {
            Value::String(text) => text.is_empty(),
            Value::Null => true,
            other => (other.is_array() || other.is_object()) && size(other) == 0,
        }
    }

    /// The members, where this is an object.
    pub(crate) fn members(&self) -> Option<&'a Map<String, Value>> {
        self.value.as_object()
    }

    /// The path in words, such as `spec.containers[0].name`.
    pub(crate) fn path(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// The value as it is written, with the members in the order of its type: so the declared rules of a real server show it.
    pub(crate) fn written(&self) -> String {
        let step = |schema: TypeSchema, part: &str| {
            let (name, index) = part.split_once('[').unwrap_or((part, ""));
            let below = schema.child(name)?.clone();
            if index.is_empty() { Some(below) } else { below.items().or_else(|| below.values()).cloned() }
        };
        let root = self.top();
        let text = |name: &str| root.get(name).and_then(Value::as_str).unwrap_or_default();
        let schema = builtin::object(text("apiVersion"), text("kind"));
        let schema = schema.and_then(|root| self.path().split('.').try_fold(root, step));
        schema.map_or_else(|| printed(self.value), |schema| schema::written(self.value, &schema))
    }

    /// The object that this is a place in.
    fn top(&self) -> &'a Value {
        match self.place {
            Place::Root => self.value,
            Place::Member(up, _) | Place::Index(up, _) | Place::Item(up, ..) | Place::Key(up, ..) => up.top(),
        }
    }

    fn write(&self, out: &mut String) {
        // Writing into a text does not fail.
        let (up, name) = match self.place {
            Place::Root => return,
            Place::Index(up, index) => {
                up.write(out);
                let _ = write!(out, "[{index}]");
                return;
            }
            Place::Member(up, name) | Place::Item(up, name, _) | Place::Key(up, name, _) => (up, name),
        };
        up.write(out);
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(name);
        match self.place {
            Place::Item(_, _, index) => {
                let _ = write!(out, "[{index}]");
            }
            Place::Key(_, _, key) => {
                let _ = write!(out, "[{key}]");
            }
            _ => {}
        }
    }
}

fn below<'v>(value: &'v Value, path: &str) -> &'v Value {
    let step = |value: &'v Value, name: &str| value.get(name).unwrap_or(&Value::Null);
    match path.split_once('.') {
        None => step(value, path),
        Some((first, rest)) => below(step(value, first), rest),
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    }
}
