//! The schema of a custom kind, as the documents show it.
//!
//! In: the `openAPIV3Schema` that a resource publishes, if any. Out: the text of a schema: with the type and object metadata of every kind
//! in it, the members in the order of a real server, and for v2 without what that version cannot say.

use serde_json::{Map, Value, json};

use super::custom::Edition;
use crate::registry::Resource;

const API_VERSION: &str = "APIVersion defines the versioned schema of this representation of an object. Servers should convert \
    recognized schemas to the latest internal value, and may reject unrecognized values. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const KIND: &str = "Kind is a string value representing the REST resource this object represents. Servers may infer this from the \
    endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const METADATA: &str = "Standard object's metadata. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
const EMBEDDED_API_VERSION: &str = "apiVersion defines the versioned schema of this representation of an object. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const EMBEDDED_KIND: &str = "kind is a string value representing the type of this object. In CamelCase. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

/// The members of a schema that are written before all others, in this order.
const ORDER: [&str; 27] = [
    "description",
    "type",
    "nullable",
    "format",
    "title",
    "default",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "enum",
    "maxProperties",
    "minProperties",
    "required",
    "items",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "properties",
];
/// What v2 cannot say.
const ONLY_V3: [&str; 6] = ["allOf", "oneOf", "anyOf", "not", "nullable", "default"];
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// The text of the schema of a kind.
pub(super) fn schema(resource: &Resource, edition: Edition) -> String {
    let mut schema = match resource.published.as_deref() {
        Some(Value::Object(schema)) if edition == Edition::V3 || !is_set(schema, PRESERVE) => {
            let mut schema = shown(schema, edition);
            schema.insert("type".into(), "object".into());
            let properties = schema.entry("properties").or_insert_with(|| json!({}));
            if let Value::Object(properties) = properties {
                add_type(properties, API_VERSION, KIND);
                properties.insert("metadata".into(), metadata(edition));
            }
            schema
        }
        _ => Map::from_iter([("type".to_owned(), "object".into())]),
    };
    let kind = json!([{"group": resource.group, "kind": resource.kind, "version": resource.version}]);
    schema.insert("x-kubernetes-group-version-kind".into(), kind);
    if let Some(fields) = selectable(resource) {
        schema.insert(SELECTABLE.into(), fields);
    }
    let mut out = String::new();
    write_schema(&schema, &mut out);
    match edition {
        Edition::V2 => out,
        // v3 says nothing that means something to HTML.
        Edition::V3 => out.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"),
    }
}

const SELECTABLE: &str = "x-kubernetes-selectable-fields";

/// What lists of the kind may be selected by; none where there is nothing.
fn selectable(resource: &Resource) -> Option<Value> {
    let paths = resource.custom.as_ref().map(|custom| &custom.form.selectable)?;
    let fields: Vec<Value> = paths.iter().map(|path| json!({ "fieldPath": path })).collect();
    (!fields.is_empty()).then(|| fields.into())
}

/// The schema of a list of a kind: the text of one that says nothing of selectable fields, with those of the kind.
pub(super) fn list_schema(resource: &Resource, text: String) -> String {
    match (selectable(resource), text.strip_suffix('}')) {
        (Some(fields), Some(open)) => format!("{open},\"{SELECTABLE}\":{fields}}}"),
        _ => text,
    }
}

fn is_set(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get(name) == Some(&Value::Bool(true))
}

fn add_type(properties: &mut Map<String, Value>, api_version: &str, kind: &str) {
    properties.insert("apiVersion".into(), json!({"description": api_version, "type": "string"}));
    properties.insert("kind".into(), json!({"description": kind, "type": "string"}));
}

fn metadata(edition: Edition) -> Value {
    const NAME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    match edition {
        Edition::V2 => json!({"description": METADATA, "$ref": format!("#/definitions/{NAME}")}),
        Edition::V3 => {
            json!({"description": METADATA, "allOf": [{"$ref": format!("#/components/schemas/{NAME}")}]})
        }
    }
}

/// A schema with everything below it, as an edition shows it.
fn shown(schema: &Map<String, Value>, edition: Edition) -> Map<String, Value> {
    let preserves = is_set(schema, PRESERVE);
    let opaque = edition == Edition::V2 && (preserves || is_set(schema, "nullable"));
    let mut out = Map::new();
    for (name, value) in schema {
        if edition == Edition::V2 && ONLY_V3.contains(&name.as_str())
            || opaque && ["items", "properties"].contains(&name.as_str())
            || *value == Value::Bool(false) && name.starts_with("x-kubernetes-")
        {
            continue;
        }
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                properties.iter().map(|(name, value)| (name.clone(), below(value, edition))).collect()
            }
            ("items" | "additionalProperties", value) => below(value, edition),
            (_, value) => value.clone(),
        };
        out.insert(name.clone(), value);
    }
    if is_set(schema, "x-kubernetes-int-or-string") && edition == Edition::V3 && !out.contains_key("anyOf") {
        out.insert("anyOf".into(), json!([{"type": "integer"}, {"type": "string"}]));
    }
    if is_set(schema, "x-kubernetes-embedded-resource") && !opaque {
        embed(&mut out, edition);
    }
    let untyped = match out.get("type").and_then(Value::as_str) {
        Some("array") => edition == Edition::V2 && !out.contains_key("items"),
        Some("object") => opaque && preserves,
        _ => false,
    };
    if untyped || edition == Edition::V2 && is_set(schema, "nullable") {
        out.remove("type");
    }
    out
}

fn below(value: &Value, edition: Edition) -> Value {
    match value {
        Value::Object(schema) => Value::Object(shown(schema, edition)),
        other => other.clone(),
    }
}

fn embed(schema: &mut Map<String, Value>, edition: Edition) {
    if let Value::Object(properties) = schema.entry("properties").or_insert_with(|| json!({})) {
        add_type(properties, EMBEDDED_API_VERSION, EMBEDDED_KIND);
        properties.insert("metadata".into(), metadata(edition));
    }
    if let Value::Array(required) = schema.entry("required").or_insert_with(|| json!([])) {
        for name in ["kind", "apiVersion"] {
            if !required.iter().any(|known| known == name) {
                required.push(name.into());
            }
        }
    }
}

fn write_schema(schema: &Map<String, Value>, out: &mut String) {
    let rank = |name: &str| ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len());
    let mut members: Vec<(&String, &Value)> = schema.iter().collect();
    members.sort_by_key(|(name, _)| rank(name));
    write_members(members, out, |name, value, out| match (name, value) {
        ("properties", Value::Object(properties)) => {
            write_members(properties.iter().collect(), out, |_, value, out| write_below(value, out));
        }
        ("items" | "additionalProperties" | "not", value) => write_below(value, out),
        ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
            for (index, schema) in schemas.iter().enumerate() {
                out.push(if index == 0 { '[' } else { ',' });
                write_below(schema, out);
            }
            out.push_str(if schemas.is_empty() { "[]" } else { "]" });
        }
        (_, value) => out.push_str(&value.to_string()),
    });
}

fn write_below(value: &Value, out: &mut String) {
    match value {
        Value::Object(schema) => write_schema(schema, out),
        other => out.push_str(&other.to_string()),
    }
}

fn write_members(
    members: Vec<(&String, &Value)>,
    out: &mut String,
    write: impl Fn(&str, &Value, &mut String),
) {
    out.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&Value::from(name.as_str()).to_string());
        out.push(':');
        write(name, value, out);
    }
    out.push('}');
}

/// A noun with what stands before it.
pub(super) fn with_article(noun: &str) -> String {
    match noun.chars().next() {
        _ if noun.ends_with('s') && !noun.ends_with("ss") => noun.to_owned(),
        Some(first) if "AEIOUaeiou".contains(first) => format!("an {noun}"),
        _ => format!("a {noun}"),
    }
}
