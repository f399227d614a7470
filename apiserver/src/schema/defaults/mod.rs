//! Defaults of the built-in kinds: what a real server writes into fields that an object leaves out.
//!
//! In: a decoded object (see [`normalize`](super::normalize)) and its type. Out: the object with its defaults. One table by the type of the
//! part, since a pod's container and a template's container take the same defaults. What depends on more than the object (names from the
//! request, addresses, priorities) is not here.

mod apps;
mod batch;
mod core;
mod pod;
mod policies;
mod webhooks;

use serde_json::{Map, Value};

use super::{Field, TypeSchema};

type Object = Map<String, Value>;

/// Sets the defaults of an object of a built-in kind.
pub fn set_builtin_defaults(object: &mut Value, schema: &TypeSchema) {
    let Value::Object(members) = object else { return };
    for (name, member) in members.iter_mut().filter(|(_, member)| member.is_object() || member.is_array()) {
        if let Some(below) = schema.child(name).filter(|below| !below.is_deduced()) {
            descend(member, below);
        }
    }
    if schema.is_go_struct() {
        for (name, default) in schema.plain_defaults() {
            set(members, name, default.clone());
        }
        set_own(schema.name(), members);
    }
}

impl TypeSchema {
    /// The defaults of the fields, where they say something.
    fn plain_defaults(&self) -> &[(String, Value)] {
        self.node().defaults.get_or_init(|| {
            let plain = |(name, field): (&str, &Field)| {
                let default = field.default_value().filter(|default| is_plain(default))?;
                Some((name.to_owned(), default.clone()))
            };
            self.fields().filter_map(plain).collect()
        })
    }
}

fn descend(value: &mut Value, schema: &TypeSchema) {
    match value {
        Value::Object(_) if schema.values().is_some() => {
            let Some(below) = schema.values() else { return };
            for member in value.as_object_mut().into_iter().flat_map(Object::values_mut) {
                descend(member, below);
            }
        }
        Value::Object(_) => set_builtin_defaults(value, schema),
        Value::Array(items) => {
            let below = TypeSchema::or_deduced(schema.items());
            items.iter_mut().for_each(|item| descend(item, below));
        }
        _ => {}
    }
}

/// Defaults of the schema are taken where they say something: `""`, `0` and `{}` only tell that a field is always written.
fn is_plain(default: &Value) -> bool {
    match default {
        Value::String(text) => !text.is_empty(),
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) | Value::Null => false,
    }
}

fn set_own(name: &str, members: &mut Object) {
    let Some(short) = name.strip_prefix("io.k8s.api.") else { return webhooks::set_extension(name, members) };
    let Some((package, kind)) = short.rsplit_once('.') else { return };
    match package {
        "core.v1" => {
            core::set(kind, members);
            pod::set(kind, members);
        }
        "apps.v1" => apps::set(kind, members),
        "batch.v1" => batch::set(kind, members),
        "admissionregistration.v1" => webhooks::set(kind, members),
        _ => policies::set(package, kind, members),
    }
}

/// Sets a member that is absent, null or an empty text.
fn set(members: &mut Object, name: &str, value: impl Into<Value>) {
    let unset = members.get(name).is_none_or(|member| member.is_null() || member.as_str() == Some(""));
    if unset {
        members.insert(name.to_owned(), value.into());
    }
}

/// Sets a member that is absent or null; an empty text is a value here.
fn set_absent(members: &mut Object, name: &str, value: impl Into<Value>) {
    if !has(members, name) {
        members.insert(name.to_owned(), value.into());
    }
}

/// A member that is an object, made where it is absent.
fn object<'a>(members: &'a mut Object, name: &str) -> Option<&'a mut Object> {
    let member = members.entry(name).or_insert_with(|| Value::Object(Object::new()));
    if member.is_null() {
        *member = Value::Object(Object::new());
    }
    member.as_object_mut()
}

/// A member that is there and an object.
fn existing<'a>(members: &'a mut Object, name: &str) -> Option<&'a mut Object> {
    members.get_mut(name)?.as_object_mut()
}

fn text<'a>(members: &'a Object, name: &str) -> &'a str {
    members.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn has(members: &Object, name: &str) -> bool {
    members.get(name).is_some_and(|member| !member.is_null())
}

fn number(members: &Object, name: &str) -> i64 {
    members.get(name).and_then(Value::as_i64).unwrap_or_default()
}

/// The items of a list that are objects.
fn items<'a>(members: &'a mut Object, name: &str) -> impl Iterator<Item = &'a mut Object> {
    members.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}
