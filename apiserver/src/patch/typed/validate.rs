//! Whether a value fits its type, in the words that a real server uses for applied objects.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Form, form, is_atomic, item_element, items};
use crate::{
    patch::fields::PathElement,
    protocol::go_number,
    schema::{Scalar, TypeSchema},
};

/// One failure: a path and a text.
struct Failure {
    path: String,
    text: String,
    /// Whether all that is wrong is an item that is there twice.
    repeats: bool,
}

impl Failure {
    fn new(path: String, text: String) -> Self {
        Self { path, text, repeats: false }
    }
}

/// Checks a value.
///
/// # Errors
///
/// All failures in one text.
pub(crate) fn validate(value: &Value, schema: &TypeSchema) -> Result<(), String> {
    let mut failures = Vec::new();
    walk(value, schema, &mut failures);
    told(&failures)
}

fn told(failures: &[Failure]) -> Result<(), String> {
    let text = |failure: &Failure| match failure.path.as_str() {
        "" => failure.text.clone(),
        path => format!("{path}: {}", failure.text),
    };
    match failures {
        [] => Ok(()),
        [only] => Err(text(only)),
        many => Err(format!("errors:\n  {}", many.iter().map(text).collect::<Vec<_>>().join("\n  "))),
    }
}

/// Whether owners of an object can be told: its values are of their types, and items have their keys. Items that come twice do not matter.
/// Metadata is of one type whatever the kind, and decoding has seen to that.
pub(crate) fn fits(object: &Map<String, Value>, schema: &TypeSchema) -> bool {
    object.iter().filter(|(name, _)| *name != "metadata").all(|member| member_fits(member, schema))
}

/// The same, with what is wrong.
pub(crate) fn check_fits(object: &Map<String, Value>, schema: &TypeSchema) -> Result<(), String> {
    let mut failures = Vec::new();
    let own = object.iter().filter(|(name, _)| *name != "metadata");
    walk_map(own, schema, &mut failures);
    failures.retain(|failure| !failure.repeats);
    told(&failures)
}

fn member_fits((name, member): (&String, &Value), schema: &TypeSchema) -> bool {
    schema.child(name).is_some_and(|schema| value_fits(member, schema))
}

fn value_fits(value: &Value, schema: &TypeSchema) -> bool {
    match (form(schema, Some(value)), value) {
        (_, Value::Null) => true,
        (Form::Scalar, value) => scalar_failure(schema.scalar(), value).is_none(),
        (Form::Map, Value::Object(members)) => members.iter().all(|member| member_fits(member, schema)),
        (Form::List, Value::Array(list)) => {
            let below = items(schema);
            let keyed = !is_atomic(schema, Form::List);
            list.iter().all(|item| (!keyed || item_element(schema, item).is_ok()) && value_fits(item, below))
        }
        (Form::Map | Form::List, _) => false,
    }
}

fn walk(value: &Value, schema: &TypeSchema, failures: &mut Vec<Failure>) {
    let mut fail = |text: String| failures.push(Failure::new(String::new(), text));
    match (form(schema, Some(value)), value) {
        (_, Value::Null) => {}
        (Form::Scalar, value) => {
            if let Some(text) = scalar_failure(schema.scalar(), value) {
                fail(text);
            }
        }
        (Form::Map, Value::Object(members)) => walk_map(members, schema, failures),
        (Form::Map, other) => fail(format!("expected map, got &{{{}}}", go_value(other))),
        (Form::List, Value::Array(list)) => walk_list(list, schema, failures),
        (Form::List, other) => fail(format!("expected list, got &{{{}}}", go_value(other))),
    }
}

fn walk_map<'m>(
    members: impl IntoIterator<Item = (&'m String, &'m Value)>,
    schema: &TypeSchema,
    failures: &mut Vec<Failure>,
) {
    for (name, member) in members {
        let before = failures.len();
        match schema.child(name) {
            Some(schema) => walk(member, schema, failures),
            None => {
                failures.push(Failure::new(format!(".{name}"), "field not declared in schema".into()));
                // A real server looks no further in this object.
                return;
            }
        }
        prefix(failures, before, &PathElement::field(name));
    }
}

fn prefix(failures: &mut [Failure], from: usize, element: &PathElement) {
    for failure in failures.iter_mut().skip(from) {
        failure.path = format!("{element}{}", failure.path);
    }
}

fn walk_list(list: &[Value], schema: &TypeSchema, failures: &mut Vec<Failure>) {
    let mut seen = BTreeSet::new();
    let atomic = is_atomic(schema, Form::List);
    let below = items(schema);
    for (place, item) in list.iter().enumerate() {
        let element = if atomic {
            PathElement::Index(i64::try_from(place).unwrap_or(i64::MAX))
        } else {
            match item_element(schema, item) {
                Ok(element) => element,
                Err(text) => {
                    failures.push(Failure::new(String::new(), format!("element {place}: {text}")));
                    return;
                }
            }
        };
        if !atomic && !seen.insert(element.clone()) {
            let text = format!("duplicate entries for key {element}");
            failures.push(Failure { repeats: true, ..Failure::new(String::new(), text) });
        }
        let before = failures.len();
        walk(item, below, failures);
        prefix(failures, before, &element);
    }
}

fn scalar_failure(scalar: Option<Scalar>, value: &Value) -> Option<String> {
    let wanted = match scalar {
        Some(Scalar::Int32 | Scalar::Int64 | Scalar::Number) => {
            return (!value.is_number())
                .then(|| format!("expected numeric (int or float), got {}", go_type(value)));
        }
        Some(Scalar::Boolean) => {
            return (!value.is_boolean()).then(|| format!("expected boolean, got &{{{}}}", go_value(value)));
        }
        Some(Scalar::String | Scalar::Time | Scalar::MicroTime | Scalar::Bytes | Scalar::Duration) => {
            value.is_string()
        }
        Some(Scalar::IntOrString | Scalar::Quantity | Scalar::Untyped) | None => {
            !value.is_object() && !value.is_array()
        }
    };
    if wanted {
        return None;
    }
    Some(match scalar {
        Some(Scalar::IntOrString | Scalar::Quantity | Scalar::Untyped) | None => {
            format!("expected any scalar, got &{{{}}}", go_value(value))
        }
        _ => format!("expected string, got &value.valueUnstructured{{Value:{}}}", go_literal(value)),
    })
}

/// The Go type that a decoded value has.
pub(crate) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// A value as Go's `%v` prints it.
pub(crate) fn go_value(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".into(),
        Value::String(text) => text.clone(),
        Value::Array(list) => format!("[{}]", list.iter().map(go_value).collect::<Vec<_>>().join(" ")),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let member = |(name, value): &(&String, &Value)| format!("{name}:{}", go_value(value));
            format!("map[{}]", members.iter().map(member).collect::<Vec<_>>().join(" "))
        }
        Value::Number(number) => go_number(number),
        Value::Bool(flag) => flag.to_string(),
    }
}

/// A value as Go's `%#v` prints it.
fn go_literal(value: &Value) -> String {
    match value {
        Value::Null => "interface {}(nil)".into(),
        Value::String(text) => crate::patch::error::go_quote(text),
        Value::Array(list) => {
            format!("[]interface {{}}{{{}}}", list.iter().map(go_literal).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let member = |(name, value): &(&String, &Value)| {
                format!("{}:{}", crate::patch::error::go_quote(name), go_literal(value))
            };
            format!(
                "map[string]interface {{}}{{{}}}",
                members.iter().map(member).collect::<Vec<_>>().join(", ")
            )
        }
        other => other.to_string(),
    }
}
