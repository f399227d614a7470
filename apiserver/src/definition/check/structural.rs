//! Whether a schema is structural: every node has a type, and junctors only check values.
//!
//! In: the JSON of a schema. Out: the faults, sorted by their text as a real server sorts them.

use serde_json::{Value, json};

use super::{list, text};
use crate::{protocol::FieldError, schema::structural::Pattern};

/// Which node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

/// Members that keep a schema from being read at all, unless they are empty.
const UNSUPPORTED: [(&str, &str); 7] = [
    ("id", "id"),
    ("$schema", "schema"),
    ("$ref", "$ref"),
    ("patternProperties", "patternProperties"),
    ("dependencies", "dependencies"),
    ("additionalItems", "additionalItems"),
    ("definitions", "definitions"),
];

/// Why a schema cannot be read as a structural one.
pub(super) fn unsupported(json: &Value) -> Option<String> {
    for (member, name) in UNSUPPORTED {
        // An empty schema for further items is one.
        let is_set = |value: &Value| match member {
            "additionalItems" => !value.is_null(),
            _ => !is_zero(value),
        };
        if json.get(member).is_some_and(is_set) {
            return Some(format!("OpenAPIV3Schema '{name}' is not supported"));
        }
    }
    if json.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(false)) {
        return Some(
            "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined".to_owned(),
        );
    }
    if !list(json, "items").is_empty() {
        return Some("OpenAPIV3Schema 'items' must be a schema, but is an array".to_owned());
    }
    below(json).find_map(unsupported)
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Every schema right below one.
fn below(json: &Value) -> impl Iterator<Item = &Value> {
    let single = ["not", "items", "additionalProperties"].into_iter().filter_map(|name| json.get(name));
    let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|name| list(json, name));
    let properties = json.get("properties").and_then(Value::as_object).into_iter().flatten();
    single.chain(lists).chain(properties.map(|(_, schema)| schema)).filter(|schema| schema.is_object())
}

/// Checks a schema.
pub(super) fn check(json: &Value, field: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    invariants(json, Level::Root, field, &mut errors);
    completeness(json, Some(json), (field, field), &mut errors);
    errors.sort_by_key(FieldError::to_string);
    errors
}

/// The schema of items; what is no schema says nothing of them.
fn items(json: &Value) -> Option<&Value> {
    json.get("items").filter(|items| items.is_object())
}

fn flag(json: &Value, name: &str) -> bool {
    json.get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn invariants(json: &Value, level: Level, field: &str, errors: &mut Vec<FieldError>) {
    let kind = text(json, "type");
    if kind == "array" && items(json).is_none() {
        errors.push(FieldError::required(format!("{field}.items"), "must be specified"));
    }
    if let Some(items) = items(json) {
        invariants(items, Level::Item, &format!("{field}.items"), errors);
    }
    for (name, property) in json.get("properties").and_then(Value::as_object).into_iter().flatten() {
        invariants(property, Level::Field, &format!("{field}.properties[{name}]"), errors);
    }
    if let Some(additional) = json.get("additionalProperties") {
        let field = format!("{field}.additionalProperties");
        if level == Level::Root {
            errors.push(FieldError::forbidden(field.clone(), "must not be used at the root"));
        }
        if additional.is_object() {
            invariants(additional, Level::Field, &field, errors);
        }
    }
    let embedded = flag(json, "x-kubernetes-embedded-resource");
    let preserve = flag(json, "x-kubernetes-preserve-unknown-fields");
    let mixed = flag(json, "x-kubernetes-int-or-string");
    for (name, set) in
        [("x-kubernetes-preserve-unknown-fields", preserve), ("x-kubernetes-embedded-resource", embedded)]
    {
        if mixed && set {
            let why = "must be false if x-kubernetes-int-or-string is true";
            errors.push(FieldError::invalid_printed(format!("{field}.{name}"), "true", why));
        }
    }
    let skips = Skips {
        any_of: is_int_or_string(json),
        first_all_of: list(json, "allOf").first().is_some_and(is_int_or_string),
    };
    value_validation(json, skips, field, errors);
    check_kind(json, level, field, errors);
    let whole = level == Level::Root || embedded;
    check_members(json, (level, whole), field, errors);
    if embedded && !preserve && json.get("properties").is_none_or(is_zero) {
        let why = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
        errors.push(FieldError::required(format!("{field}.properties"), why));
    }
}

fn check_kind(json: &Value, level: Level, field: &str, errors: &mut Vec<FieldError>) {
    let kind = text(json, "type");
    let embedded = flag(json, "x-kubernetes-embedded-resource");
    let untyped =
        flag(json, "x-kubernetes-int-or-string") || flag(json, "x-kubernetes-preserve-unknown-fields");
    let place = format!("{field}.type");
    if embedded && kind != "object" {
        let why = "must be object if x-kubernetes-embedded-resource is true";
        errors.push(match kind {
            "" => FieldError::required(place, why),
            kind => FieldError::invalid_text(place, kind, why),
        });
    } else if kind.is_empty() && !untyped {
        let why = match level {
            Level::Root => "must not be empty at the root",
            Level::Item => "must not be empty for specified array items",
            Level::Field => "must not be empty for specified object fields",
        };
        errors.push(FieldError::required(place, why));
    }
    if embedded && json.get("additionalProperties").is_some() {
        let why = "must not be used if x-kubernetes-embedded-resource is set";
        errors.push(FieldError::forbidden(format!("{field}.additionalProperties"), why));
    }
    if level == Level::Root && !kind.is_empty() && kind != "object" {
        errors.push(FieldError::invalid_text(format!("{field}.type"), kind, "must be object at the root"));
    }
}

fn check_members(json: &Value, (level, whole): (Level, bool), field: &str, errors: &mut Vec<FieldError>) {
    let Some(properties) = json.get("properties") else { return };
    for name in ["kind", "apiVersion"] {
        if let Some(property) = properties.get(name).filter(|_| whole)
            && text(property, "type") != "string"
        {
            let place = format!("{field}.properties[{name}].type");
            errors.push(FieldError::invalid_text(place, text(property, "type"), "must be string"));
        }
    }
    let Some(metadata) = properties.get("metadata") else { return };
    let place = format!("{field}.properties[metadata]");
    if whole && text(metadata, "type") != "object" {
        errors.push(FieldError::invalid_text(
            format!("{place}.type"),
            text(metadata, "type"),
            "must be object",
        ));
    }
    let plain = metadata.as_object().into_iter().flatten().all(|(name, value)| match name.as_str() {
        "type" | "default" | "$ref" => true,
        "properties" => value.as_object().is_some_and(|members| {
            members.keys().all(|name| ["name", "generateName"].contains(&name.as_str()))
        }),
        // Of others an empty list is as good as none; of `required` and the extensions it is one.
        "enum" | "allOf" | "anyOf" | "oneOf" | "patternProperties" | "dependencies" | "definitions" => {
            is_zero(value)
        }
        "items" => !value.is_object(),
        _ => false,
    });
    if level == Level::Root && !plain {
        let why = "must not specify anything other than name and generateName, but metadata is implicitly specified";
        errors.push(FieldError::forbidden(place, why));
    }
}

/// The two ways of saying "integer or string" in which types may be named.
#[derive(Clone, Copy, Debug, Default)]
struct Skips {
    any_of: bool,
    first_all_of: bool,
}

fn is_int_or_string(json: &Value) -> bool {
    json.get("anyOf") == Some(&json!([{"type": "integer"}, {"type": "string"}]))
}

fn value_validation(json: &Value, skips: Skips, field: &str, errors: &mut Vec<FieldError>) {
    if !skips.any_of {
        for (index, schema) in list(json, "anyOf").iter().enumerate() {
            nested(schema, Skips::default(), &format!("{field}.anyOf[{index}]"), errors);
        }
    }
    for (index, schema) in list(json, "allOf").iter().enumerate() {
        let skips = Skips { any_of: skips.first_all_of && index == 0, first_all_of: false };
        nested(schema, skips, &format!("{field}.allOf[{index}]"), errors);
    }
    for (index, schema) in list(json, "oneOf").iter().enumerate() {
        nested(schema, Skips::default(), &format!("{field}.oneOf[{index}]"), errors);
    }
    if let Some(not) = json.get("not") {
        nested(not, Skips::default(), &format!("{field}.not"), errors);
    }
    let pattern = text(json, "pattern");
    if !pattern.is_empty()
        && let Some(error) = Pattern::new(pattern).error()
    {
        let why = format!("must be a valid regular expression, but isn't: {error}");
        errors.push(FieldError::invalid_text(format!("{field}.pattern"), pattern, why));
    }
}

fn nested(json: &Value, skips: Skips, field: &str, errors: &mut Vec<FieldError>) {
    const FORBIDDEN: [(&str, &str); 11] = [
        ("default", "must be undefined to be structural"),
        ("title", "must be empty to be structural"),
        ("description", "must be empty to be structural"),
        ("nullable", "must be false to be structural"),
        ("x-kubernetes-preserve-unknown-fields", "must be false to be structural"),
        ("x-kubernetes-embedded-resource", "must be false to be structural"),
        ("x-kubernetes-int-or-string", "must be false to be structural"),
        ("x-kubernetes-list-map-keys", "must be empty to be structural"),
        ("x-kubernetes-list-type", "must be undefined to be structural"),
        ("x-kubernetes-map-type", "must be undefined to be structural"),
        ("x-kubernetes-validations", "must be empty to be structural"),
    ];
    value_validation(json, skips, field, errors);
    if let Some(items) = items(json) {
        nested(items, Skips::default(), &format!("{field}.items"), errors);
    }
    let properties = json.get("properties");
    for (name, schema) in properties.and_then(Value::as_object).into_iter().flatten() {
        nested(schema, Skips::default(), &format!("{field}.properties[{name}]"), errors);
    }
    if !text(json, "type").is_empty() {
        errors.push(FieldError::forbidden(format!("{field}.type"), "must be empty to be structural"));
    }
    if json.get("additionalProperties").is_some_and(|additional| *additional != Value::Bool(false)) {
        let why = "must be undefined to be structural";
        errors.push(FieldError::forbidden(format!("{field}.additionalProperties"), why));
    }
    for (name, why) in FORBIDDEN {
        let is_set = |value: &Value| match name {
            "default" | "x-kubernetes-list-type" | "x-kubernetes-map-type" => !value.is_null(),
            _ => !is_zero(value) && *value != Value::Bool(false),
        };
        if json.get(name).is_some_and(is_set) {
            errors.push(FieldError::forbidden(format!("{field}.{name}"), why));
        }
    }
    if properties.is_some_and(|properties| properties.get("metadata").is_some()) {
        let why = "must not be specified in a nested context";
        errors.push(FieldError::forbidden(format!("{field}.properties[metadata]"), why));
    }
}

/// Whatever a junctor speaks of must be there in the structure. `fields` are the places in the structure and in the junctor.
fn completeness(json: &Value, node: Option<&Value>, fields: (&str, &str), errors: &mut Vec<FieldError>) {
    let (place, said) = fields;
    if let Some(not) = json.get("not") {
        nested_completeness(not, node, (place, &format!("{said}.not")), errors);
    }
    for name in ["allOf", "anyOf", "oneOf"] {
        for (index, schema) in list(json, name).iter().enumerate() {
            nested_completeness(schema, node, (place, &format!("{said}.{name}[{index}]")), errors);
        }
    }
}

fn nested_completeness(
    json: &Value,
    node: Option<&Value>,
    fields: (&str, &str),
    errors: &mut Vec<FieldError>,
) {
    let (place, said) = fields;
    let Some(node) = node else {
        errors.push(FieldError::required(place, format!("because it is defined in {said}")));
        return;
    };
    completeness(json, Some(node), fields, errors);
    if let Some(below) = items(json) {
        let (place, said) = (format!("{place}.items"), format!("{said}.items"));
        nested_completeness(below, items(node), (&place, &said), errors);
    }
    for (name, schema) in json.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let (place, said) = (format!("{place}.properties[{name}]"), format!("{said}.properties[{name}]"));
        let found = node.get("properties").and_then(|properties| properties.get(name));
        nested_completeness(schema, found, (&place, &said), errors);
    }
}
