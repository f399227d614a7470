//! Steps of a scenario: what is sent, with the names of this run filled in.
//!
//! In: steps as they were written. Out: their bodies and queries. It sends nothing.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::ordered::Ordered;

/// A step with `{{name}}` replaced by what the name stands for.
pub(crate) fn fill(value: &Value, names: &HashMap<String, Value>) -> Value {
    match value {
        Value::String(text) => fill_text(text, names).into(),
        Value::Array(items) => items.iter().map(|item| fill(item, names)).collect(),
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, value)| (fill_text(name, names), fill(value, names))).collect(),
        ),
        other => other.clone(),
    }
}

fn fill_text(text: &str, names: &HashMap<String, Value>) -> String {
    let mut out = text.to_owned();
    for (name, value) in names {
        out = out.replace(&format!("{{{{{name}}}}}"), &plain(value));
    }
    out
}

/// A text as it is, anything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a step has this mark.
pub(crate) fn has(step: &Value, name: &str) -> bool {
    step.get(name).is_some_and(|mark| *mark == true)
}

/// Removes what a step wants hidden.
pub(crate) fn hide(step: &Value, value: &mut Ordered) {
    for path in step.get("hide").and_then(Value::as_array).into_iter().flatten() {
        let parts: Vec<&str> = path.as_str().unwrap().split('.').collect();
        value.remove(&parts);
    }
}

/// The body that a step sends.
pub(crate) fn content(step: &Value) -> Option<String> {
    if let Some(repeat) = step.get("repeat") {
        let text = |name: &str| repeat.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let times = usize::try_from(repeat["times"].as_u64().unwrap()).unwrap();
        return Some(text("before") + &text("text").repeat(times) + &text("after"));
    }
    match step.get("body")? {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

/// A path and its query.
pub(crate) fn uri(path: &str, query: Option<&Value>) -> String {
    match query.and_then(Value::as_object).filter(|query| !query.is_empty()) {
        Some(query) => format!("{path}?{}", encode(query)),
        None => path.to_owned(),
    }
}

fn encode(query: &Map<String, Value>) -> String {
    let mut pairs = Vec::new();
    for (name, value) in query {
        let values = match value {
            Value::Array(values) => values.clone(),
            other => vec![other.clone()],
        };
        pairs.extend(values.iter().map(|value| format!("{}={}", escape(name), escape(&plain(value)))));
    }
    pairs.join("&")
}

fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}
