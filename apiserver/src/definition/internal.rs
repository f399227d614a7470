//! Parts of definitions in the form in which a real server prints them in errors: its own types, with every member.
//!
//! In: JSON as clients write it. Out: the text.

use serde_json::{Value, json};

/// The versions of a definition; `own` says which have a schema for themselves.
pub(super) fn versions(versions: Option<&Value>, own: impl Fn(&Value) -> bool) -> String {
    let Some(versions) = versions.and_then(Value::as_array) else { return "null".to_owned() };
    let print = |version: &Value| {
        let member = |name: &str, zero: &str| match version.get(name) {
            Some(value) => escaped(&value.to_string()),
            None => zero.to_owned(),
        };
        let schema = match version.pointer("/schema/openAPIV3Schema").filter(|_| own(version)) {
            Some(json) => format!("{{\"OpenAPIV3Schema\":{}}}", schema(json)),
            None => "null".to_owned(),
        };
        format!(
            "{{\"Name\":{},\"Served\":{},\"Storage\":{},\"Deprecated\":{},\"DeprecationWarning\":{},\"Schema\":{schema},\
             \"Subresources\":null,\"AdditionalPrinterColumns\":null,\"SelectableFields\":null}}",
            member("name", "\"\""),
            member("served", "false"),
            member("storage", "false"),
            member("deprecated", "false"),
            member("deprecationWarning", "null"),
        )
    };
    format!("[{}]", versions.iter().map(print).collect::<Vec<_>>().join(","))
}

/// One rule.
pub(super) fn rule(rule: &Value) -> String {
    let text = |name: &str| rule.get(name).cloned().unwrap_or_else(|| "".into());
    let optional = |name: &str| rule.get(name).cloned().unwrap_or_default();
    escaped(&format!(
        "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{},\"FieldPath\":{},\"OptionalOldSelf\":{}}}",
        text("rule"),
        text("message"),
        text("messageExpression"),
        optional("reason"),
        text("fieldPath"),
        optional("optionalOldSelf"),
    ))
}

/// How a member of a schema looks where it is not set.
enum Zero {
    Text,
    Flag,
    Null,
    Schema,
    Schemas,
    Properties,
    Additional,
    Items,
    Dependencies,
    Documents,
    Rules,
}

const MEMBERS: [(&str, &str, Zero); 44] = [
    ("ID", "id", Zero::Text),
    ("Schema", "$schema", Zero::Text),
    ("Ref", "$ref", Zero::Null),
    ("Description", "description", Zero::Text),
    ("Type", "type", Zero::Text),
    ("Nullable", "nullable", Zero::Flag),
    ("Format", "format", Zero::Text),
    ("Title", "title", Zero::Text),
    ("Default", "default", Zero::Null),
    ("Maximum", "maximum", Zero::Null),
    ("ExclusiveMaximum", "exclusiveMaximum", Zero::Flag),
    ("Minimum", "minimum", Zero::Null),
    ("ExclusiveMinimum", "exclusiveMinimum", Zero::Flag),
    ("MaxLength", "maxLength", Zero::Null),
    ("MinLength", "minLength", Zero::Null),
    ("Pattern", "pattern", Zero::Text),
    ("MaxItems", "maxItems", Zero::Null),
    ("MinItems", "minItems", Zero::Null),
    ("UniqueItems", "uniqueItems", Zero::Flag),
    ("MultipleOf", "multipleOf", Zero::Null),
    ("Enum", "enum", Zero::Null),
    ("MaxProperties", "maxProperties", Zero::Null),
    ("MinProperties", "minProperties", Zero::Null),
    ("Required", "required", Zero::Null),
    ("Items", "items", Zero::Items),
    ("AllOf", "allOf", Zero::Schemas),
    ("OneOf", "oneOf", Zero::Schemas),
    ("AnyOf", "anyOf", Zero::Schemas),
    ("Not", "not", Zero::Schema),
    ("Properties", "properties", Zero::Properties),
    ("AdditionalProperties", "additionalProperties", Zero::Additional),
    ("PatternProperties", "patternProperties", Zero::Properties),
    ("Dependencies", "dependencies", Zero::Dependencies),
    ("AdditionalItems", "additionalItems", Zero::Additional),
    ("Definitions", "definitions", Zero::Properties),
    ("ExternalDocs", "externalDocs", Zero::Documents),
    ("Example", "example", Zero::Null),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", Zero::Null),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", Zero::Flag),
    ("XIntOrString", "x-kubernetes-int-or-string", Zero::Flag),
    ("XListMapKeys", "x-kubernetes-list-map-keys", Zero::Null),
    ("XListType", "x-kubernetes-list-type", Zero::Null),
    ("XMapType", "x-kubernetes-map-type", Zero::Null),
    ("XValidations", "x-kubernetes-validations", Zero::Rules),
];

/// A schema.
pub(super) fn schema(json: &Value) -> String {
    let members = MEMBERS.iter();
    let members: Vec<String> = members
        .map(|(name, member, zero)| format!("\"{name}\":{}", printed(json.get(*member), zero)))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn printed(value: Option<&Value>, zero: &Zero) -> String {
    let Some(value) = value else {
        return match zero {
            Zero::Text => "\"\"".to_owned(),
            Zero::Flag => "false".to_owned(),
            _ => "null".to_owned(),
        };
    };
    let list = |print: fn(&Value) -> String| {
        let items: Vec<String> = value.as_array().into_iter().flatten().map(print).collect();
        format!("[{}]", items.join(","))
    };
    match zero {
        Zero::Schema => schema(value),
        Zero::Schemas => list(schema),
        Zero::Rules => list(rule),
        Zero::Properties => map(value, schema),
        Zero::Additional => match value {
            Value::Bool(allows) => format!("{{\"Allows\":{allows},\"Schema\":null}}"),
            value => format!("{{\"Allows\":true,\"Schema\":{}}}", schema(value)),
        },
        Zero::Items => items(value),
        Zero::Dependencies => map(value, |value| match value {
            Value::Array(_) => format!("{{\"Schema\":null,\"Property\":{}}}", escaped(&value.to_string())),
            Value::Object(_) => format!("{{\"Schema\":{},\"Property\":null}}", schema(value)),
            _ => "{\"Schema\":null,\"Property\":null}".to_owned(),
        }),
        Zero::Documents => {
            let text = |name: &str| value.get(name).cloned().unwrap_or_else(|| "".into());
            escaped(&format!("{{\"Description\":{},\"URL\":{}}}", text("description"), text("url")))
        }
        Zero::Text | Zero::Flag | Zero::Null => escaped(&value.to_string()),
    }
}

/// What stands in the place of items: a schema, a list of them, or neither.
pub(super) fn items(value: &Value) -> String {
    match value {
        Value::Object(_) => format!("{{\"Schema\":{},\"JSONSchemas\":null}}", schema(value)),
        Value::Array(schemas) => {
            let schemas: Vec<String> = schemas.iter().map(schema).collect();
            format!("{{\"Schema\":null,\"JSONSchemas\":[{}]}}", schemas.join(","))
        }
        _ => "{\"Schema\":null,\"JSONSchemas\":null}".to_owned(),
    }
}

fn map(value: &Value, print: impl Fn(&Value) -> String) -> String {
    let members = value.as_object().into_iter().flatten();
    let members: Vec<String> =
        members.map(|(name, value)| format!("{}:{}", json!(name), print(value))).collect();
    format!("{{{}}}", members.join(","))
}

/// JSON as Go writes it: with the signs of HTML escaped.
fn escaped(json: &str) -> String {
    json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}
