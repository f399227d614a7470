//! Values of markers as JSON.

use super::keyword::number;
use crate::model::MarkerValue;
use serde_json::Value;

/// A marker's value as JSON.
pub(super) fn json(value: &MarkerValue) -> Value {
    match value {
        MarkerValue::Bool(flag) => Value::Bool(*flag),
        MarkerValue::Integer(whole) => Value::from(*whole),
        MarkerValue::Float(value) => number(*value),
        MarkerValue::Text(text) => Value::from(text.as_str()),
        MarkerValue::List(items) => items.iter().map(json).collect(),
        MarkerValue::Map(entries) => entries.iter().map(|(key, value)| (key.clone(), json(value))).collect(),
    }
}

/// JSON with whole numbers in place of numbers like `1.0`.
pub(super) fn whole(value: Value) -> Value {
    match value {
        Value::Number(found) if found.is_f64() => found.as_f64().map_or(Value::Null, number),
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(entries) => entries.into_iter().map(|(key, value)| (key, whole(value))).collect(),
        other => other,
    }
}
