//! OpenAPI v2 documents as protobuf: the only form in which some commands of kubectl read them.
//!
//! In: the document in JSON. Out: the bytes of gnostic's `Document`. The messages come from `data/openapi-v2-messages.txt`; what is told
//! apart here is only which of several messages a value is.

mod yaml;

use std::{collections::HashMap, sync::LazyLock};

use serde_json::{Map, Value};

use super::{
    error::ProtobufError,
    wire::{BYTES, FIXED64, prefix_length, put_bytes, put_integer, put_key},
};

static TEXT: &str = include_str!("../../../../data/openapi-v2-messages.txt");
static MESSAGES: LazyLock<HashMap<&str, Vec<Field>>> = LazyLock::new(|| {
    let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
    let message = |line: &'static str| {
        let (name, fields) = line.split_once(' ')?;
        Some((name, fields.split(' ').filter_map(Field::read).collect()))
    };
    lines.filter_map(message).collect()
});

/// How messages begin that hold the members of an object as a list, each with its name.
const NAMED: &str = "Named";

/// One field.
#[derive(Clone, Copy, Debug)]
struct Field {
    name: &'static str,
    kind: &'static str,
    repeats: Repeats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeats {
    Once,
    Often,
}

impl Field {
    fn read(text: &'static str) -> Option<Self> {
        let (name, kind) = text.split_once(':')?;
        Some(match kind.strip_suffix('*') {
            Some(kind) => Self { name, kind, repeats: Repeats::Often },
            None => Self { name, kind, repeats: Repeats::Once },
        })
    }

    /// Of a list of named members: whether it holds the member with this name. None for other fields.
    fn holds(&self, member: &str) -> Option<bool> {
        if !self.kind.starts_with(NAMED) {
            return None;
        }
        let is_extension = member.starts_with("x-");
        Some(match self.name {
            "vendorExtension" => is_extension,
            "path" => member.starts_with('/'),
            "responseCode" => !is_extension,
            _ => true,
        })
    }
}

/// Writes an OpenAPI v2 document as protobuf.
///
/// # Errors
///
/// When the text is no JSON.
pub fn encode_openapi_v2(json: &[u8]) -> Result<Vec<u8>, ProtobufError> {
    let document: Value =
        serde_json::from_slice(json).map_err(|error| ProtobufError::Json(error.to_string()))?;
    let mut out = Vec::with_capacity(json.len());
    message("Document", &document, &mut out);
    Ok(out)
}

/// Appends the bytes of a message.
fn message(name: &str, value: &Value, out: &mut Vec<u8>) {
    let Some(fields) = MESSAGES.get(name) else { return };
    match (name, value) {
        ("Any", value) => put_bytes(out, 2, yaml::write(value).as_bytes()),
        ("TypeItem" | "StringArray" | "ItemsItem", Value::Array(_)) => whole(fields, 1, value, out),
        ("TypeItem" | "ItemsItem", value) => whole(fields, 1, &Value::Array(vec![value.clone()]), out),
        ("AdditionalPropertiesItem", Value::Bool(allowed)) => put_integer(out, 2, (*allowed).into()),
        (name, Value::Object(members)) => match choice(name, members) {
            Some(number) => whole(fields, number, value, out),
            None => object(fields, members, out),
        },
        _ => {}
    }
}

/// Of a message that is one of several: the number of the one that an object is.
fn choice(name: &str, members: &Map<String, Value>) -> Option<u32> {
    let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or_default();
    let refers = members.contains_key("$ref");
    Some(match name {
        "AdditionalPropertiesItem" => 1,
        "ParametersItem" | "ResponseValue" => 1 + u32::from(refers),
        "Parameter" => 1 + u32::from(text("in") != "body"),
        "NonBodyParameter" => match text("in") {
            "header" => 1,
            "formData" => 2,
            "query" => 3,
            _ => 4,
        },
        "SchemaItem" => 1 + u32::from(text("type") == "file"),
        "SecurityDefinitionsItem" => match (text("type"), text("flow")) {
            ("basic", _) => 1,
            ("apiKey", _) => 2,
            (_, "implicit") => 3,
            (_, "password") => 4,
            (_, "application") => 5,
            _ => 6,
        },
        _ => return None,
    })
}

/// Appends the field with a number, whose value is all of what is given.
fn whole(fields: &[Field], number: u32, value: &Value, out: &mut Vec<u8>) {
    let place = usize::try_from(number).unwrap_or_default().wrapping_sub(1);
    if let Some(field) = fields.get(place) {
        values(field, number, value, out);
    }
}

fn object(fields: &[Field], members: &Map<String, Value>, out: &mut Vec<u8>) {
    for (number, field) in (1..).zip(fields) {
        if field.repeats == Repeats::Often && field.kind.starts_with(NAMED) {
            for (name, value) in members.iter().filter(|(name, _)| field.holds(name) == Some(true)) {
                named(field, number, (name, value), out);
            }
        } else if let Some(value) = members.get(field.name) {
            values(field, number, value, out);
        }
    }
}

/// Appends a member with its name.
fn named(field: &Field, number: u32, (name, value): (&str, &Value), out: &mut Vec<u8>) {
    let value_field = MESSAGES.get(field.kind).and_then(|fields| fields.get(1));
    put_key(out, number, BYTES);
    let start = out.len();
    put_bytes(out, 1, name.as_bytes());
    if let Some(field) = value_field {
        one(field, 2, value, out);
    }
    prefix_length(out, start);
}

fn values(field: &Field, number: u32, value: &Value, out: &mut Vec<u8>) {
    match (field.repeats, value) {
        (Repeats::Often, Value::Array(items)) => items.iter().for_each(|item| one(field, number, item, out)),
        _ => one(field, number, value, out),
    }
}

/// Appends one value; those that say nothing are left out, except in lists.
fn one(field: &Field, number: u32, value: &Value, out: &mut Vec<u8>) {
    let listed = field.repeats == Repeats::Often;
    match field.kind {
        "s" => {
            let text = value.as_str().unwrap_or_default();
            if listed || !text.is_empty() {
                put_bytes(out, number, text.as_bytes());
            }
        }
        "b" if value.as_bool() == Some(true) => put_integer(out, number, 1),
        "i" => match value.as_i64() {
            Some(integer) if integer != 0 => put_integer(out, number, integer as u64),
            _ => {}
        },
        "d" => match value.as_f64() {
            Some(float) if float != 0.0 => {
                put_key(out, number, FIXED64);
                out.extend_from_slice(&float.to_le_bytes());
            }
            _ => {}
        },
        "b" => {}
        kind => {
            put_key(out, number, BYTES);
            let start = out.len();
            message(kind, value, out);
            prefix_length(out, start);
        }
    }
}
