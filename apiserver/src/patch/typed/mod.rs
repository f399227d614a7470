//! Values seen through their type: checked, turned into sets of fields, merged, compared, cut.
//!
//! In: values and their types. Out: what server-side apply reckons with. It knows nothing of managers.

mod compare;
mod cut;
mod fieldset;
mod merge;
mod validate;

use serde_json::{Map, Value};

pub(crate) use self::{
    compare::{Comparison, compare},
    cut::without,
    fieldset::field_set,
    merge::merge,
    validate::{check_fits, fits, go_type, go_value, validate},
};
use super::fields::{KeyValue, PathElement};
use crate::schema::{ListKind, MapKind, TypeSchema};

/// As what a value is walked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Map,
    List,
    Scalar,
}

/// The form of a value; what has no schema takes the form that the value has.
fn form(schema: &TypeSchema, value: Option<&Value>) -> Form {
    if schema.is_deduced() {
        return match value {
            Some(Value::Array(_)) => Form::List,
            Some(Value::Bool(_) | Value::Number(_) | Value::String(_)) => Form::Scalar,
            None | Some(Value::Null | Value::Object(_)) => Form::Map,
        };
    }
    match (schema.scalar(), schema.list_kind()) {
        (Some(_), _) => Form::Scalar,
        (None, Some(_)) => Form::List,
        (None, None) => Form::Map,
    }
}

fn child<'a>(schema: &'a TypeSchema, name: &str) -> &'a TypeSchema {
    TypeSchema::or_deduced(schema.child(name))
}

fn items(schema: &TypeSchema) -> &TypeSchema {
    TypeSchema::or_deduced(schema.items())
}

fn is_atomic(schema: &TypeSchema, form: Form) -> bool {
    match form {
        Form::Map => schema.map_kind() == Some(MapKind::Atomic),
        Form::List => schema.list_kind().is_none_or(|kind| *kind == ListKind::Atomic),
        Form::Scalar => true,
    }
}

fn as_map(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object)
}

fn as_list(value: Option<&Value>) -> Option<&Vec<Value>> {
    value.and_then(Value::as_array)
}

/// The path element of an item of a list that is not atomic.
fn item_element(schema: &TypeSchema, item: &Value) -> Result<PathElement, String> {
    match schema.list_kind() {
        Some(ListKind::Map { keys }) => keyed_element(schema, keys, item),
        Some(ListKind::Set) => match item {
            Value::Object(_) => Err("associative list without keys has an element that's a map type".into()),
            Value::Array(_) => Err("not supported: associative list with lists as elements".into()),
            Value::Null => Err("associative list without keys has an element that's an explicit null".into()),
            scalar => Ok(PathElement::Value(KeyValue(scalar.clone()))),
        },
        _ => Err("invalid indexing of non-associative list".into()),
    }
}

fn keyed_element(schema: &TypeSchema, keys: &[String], item: &Value) -> Result<PathElement, String> {
    let members = match item {
        Value::Object(members) => members,
        Value::Null => return Err("associative list with keys may not have a null element".into()),
        _ => return Err("associative list with keys may not have non-map elements".into()),
    };
    let item_schema = items(schema);
    let mut key = Vec::with_capacity(keys.len());
    for name in keys {
        let default = || item_schema.field(name).and_then(|field| field.default_value());
        if let Some(value) = members.get(name).or_else(default) {
            key.push((name.clone(), KeyValue(value.clone())));
        }
    }
    if key.is_empty() && !keys.is_empty() {
        let names: Vec<_> = keys.iter().map(|name| super::error::go_quote(name)).collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values for any key fields)",
            names.join(" ")
        ));
    }
    Ok(PathElement::keyed(key))
}

/// Whether a list or map is replaced as a whole.
pub(in crate::patch) fn is_atomic_value(schema: &TypeSchema, value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
        && matches!(form(schema, Some(value)), Form::Map | Form::List)
        && is_atomic(schema, form(schema, Some(value)))
}
