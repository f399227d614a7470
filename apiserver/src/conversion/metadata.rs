//! What a conversion may change of metadata: labels and annotations.
//!
//! In: an object before and after. Out: the object after with the metadata of the one before, or what is wrong with it.

use serde_json::Value;

use crate::protocol::{
    FieldError, Fields,
    names::{label_value_errors, qualified_name_errors},
};

fn text<'a>(object: &'a Fields, name: &str) -> &'a str {
    let metadata = object.get("metadata").and_then(|metadata| metadata.get(name));
    metadata.and_then(Value::as_str).unwrap_or_default()
}

/// What must not differ.
pub(super) fn check(before: &Fields, after: &Fields) -> Result<(), String> {
    let kind = |object: &Fields| object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    let same = |name: &str, left: &str, right: &str| match left == right {
        true => Ok(()),
        false => Err(format!("must have the same {name}: {left} != {right}")),
    };
    same("kind", &kind(before), &kind(after))?;
    for (field, name) in [("name", "name"), ("namespace", "namespace"), ("uid", "UID")] {
        same(name, text(before, field), text(after, field))?;
    }
    Ok(())
}

/// Gives an object the metadata that it had before, but for its labels and annotations.
pub(super) fn restore(before: &Fields, after: &mut Fields) -> Result<(), String> {
    let said = match after.remove("metadata") {
        None => return Err("missing metadata in converted object".to_owned()),
        Some(Value::Object(said)) => said,
        Some(other) => {
            return Err(format!("invalid metadata of type {} in converted object", go_type(&other)));
        }
    };
    let mut metadata = before.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    for name in ["labels", "annotations"] {
        let new = match said.get(name) {
            None | Some(Value::Null) => {
                metadata.remove(name);
                continue;
            }
            Some(Value::Object(new)) => new,
            Some(other) => {
                return Err(format!(
                    "invalid metadata.{name} of type {} in converted object",
                    go_type(other)
                ));
            }
        };
        for (key, value) in new {
            if !value.is_string() {
                let found = go_type(value);
                return Err(format!(
                    "metadata.{name}[{key}] must be a string, but is {found} in converted object"
                ));
            }
        }
        if metadata.get(name).and_then(Value::as_object) != Some(new) {
            checked(name, new)?;
        }
        metadata.insert(name.to_owned(), new.clone().into());
    }
    after.insert("metadata".to_owned(), metadata.into());
    Ok(())
}

fn checked(name: &str, members: &Fields) -> Result<(), String> {
    let labels = name == "labels";
    let field = if labels { "metadata.labels" } else { "metadata.annotation" };
    let mut errors = Vec::new();
    for (key, value) in members {
        let lower = if labels { key.clone() } else { key.to_lowercase() };
        errors.extend(qualified_name_errors(&lower).into_iter().map(|why| (key.as_str(), why)));
        let value = value.as_str().unwrap_or_default();
        if labels {
            errors.extend(label_value_errors(value).into_iter().map(|why| (value, why)));
        }
    }
    let told: Vec<String> = errors
        .into_iter()
        .map(|(value, why)| FieldError::invalid_text(field, value, why).to_string())
        .collect();
    match told.as_slice() {
        [] => Ok(()),
        [only] => Err(only.clone()),
        several => Err(format!("[{}]", several.join(", "))),
    }
}

/// A value's type as Go names what it has read of JSON.
fn go_type(value: &Value) -> &'static str {
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
