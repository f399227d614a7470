//! Schemas that are written out as JSON: `json_schema!({ .. })` in a function that schemars is told to ask.

use super::{Additional, ExternalDocs, Keyword, Rule, Schema};
use serde_json::Value;

/// The schema of a JSON document; `None` when it has something in it that definitions do not have. What kube drops is dropped.
pub(super) fn schema(value: &Value) -> Option<Schema> {
    let mut schema = Schema::default();
    for (name, value) in value.as_object()? {
        match name.as_str() {
            // What is null is not there.
            _ if value.is_null() => {}
            "description" => schema.description = value.as_str()?.to_owned(),
            "title" => schema.title = value.as_str()?.to_owned(),
            "properties" => {
                let members = value.as_object()?.iter();
                schema.properties = members
                    .map(|(name, member)| Some((name.clone(), self::schema(member)?)))
                    .collect::<Option<_>>()?;
            }
            "items" => schema.items = Some(Box::new(self::schema(value)?)),
            "additionalProperties" => {
                schema.additional = match value {
                    Value::Bool(true) => Some(Additional::Any),
                    Value::Bool(false) => None,
                    other => Some(Additional::Schema(Box::new(self::schema(other)?))),
                };
            }
            "required" => schema.required = texts(value)?.into_iter().collect(),
            "x-kubernetes-list-map-keys" => schema.list_map_keys = texts(value)?,
            "allOf" => schema.all_of = schemas(value)?,
            "anyOf" => schema.any_of = schemas(value)?,
            "oneOf" => schema.one_of = schemas(value)?,
            "not" => {
                // None of several alternatives is written in the same way.
                let several =
                    value.as_object().filter(|keys| keys.len() == 1).and_then(|keys| keys.get("anyOf"));
                schema.none_of = several.map_or_else(|| Some(vec![self::schema(value)?]), schemas)?;
            }
            "externalDocs" => {
                let docs = value.as_object()?;
                let text = |name: &str| match docs.get(name) {
                    None | Some(Value::Null) => Some(String::new()),
                    Some(text) => text.as_str().map(str::to_owned),
                };
                schema.external_docs =
                    Some(ExternalDocs { url: text("url")?, description: text("description")? });
            }
            "x-kubernetes-validations" => {
                schema.rules = value.as_array()?.iter().map(rule).collect::<Option<_>>()?;
            }
            "examples" | "deprecated" | "$schema" | "readOnly" | "writeOnly" => {}
            name if name.starts_with("x-") && !name.starts_with("x-kubernetes-") => {}
            "default" => schema.set(Keyword::Default, value.clone()),
            "example" => schema.example = Some(value.clone()),
            name => {
                let keyword = Keyword::ALL.into_iter().find(|keyword| keyword.name() == name)?;
                schema.set(keyword, value.clone());
            }
        }
    }
    Some(schema)
}

fn schemas(value: &Value) -> Option<Vec<Schema>> {
    value.as_array()?.iter().map(schema).collect()
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn rule(value: &Value) -> Option<Rule> {
    // What is empty is not there.
    let text = |name: &str| {
        value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    Some(Rule {
        rule: text("rule")?,
        message: text("message"),
        message_expression: text("messageExpression"),
        reason: text("reason"),
        field_path: text("fieldPath"),
        optional_old_self: value.get("optionalOldSelf").and_then(Value::as_bool),
        place: None,
    })
}
