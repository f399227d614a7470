//! Compares an exchange with the recorded one.
//!
//! In: two exchanges in normal form. Out: what differs, and whether more than the words of a failure does.

use serde_json::{Map, Value};

/// The value without the words of failures.
pub(crate) fn shape(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(members) => {
            let mut out: Map<String, Value> =
                members.iter().map(|(name, value)| (name.clone(), shape(value))).collect();
            let is = |name: &str, wanted: &str| members.get(name).is_some_and(|value| value == wanted);
            if is("kind", "Status") && is("status", "Failure") {
                out.remove("message");
                let causes = out.get_mut("details").and_then(|details| details.get_mut("causes"));
                for cause in causes.and_then(Value::as_array_mut).into_iter().flatten() {
                    if let Some(cause) = cause.as_object_mut() {
                        cause.remove("message");
                    }
                }
            }
            out.into()
        }
        other => other.clone(),
    }
}

/// What differs, one line each.
pub(crate) fn differences(want: &Value, got: &Value) -> Vec<String> {
    let mut out = Vec::new();
    compare(want, got, "", &mut out);
    out
}

fn compare(want: &Value, got: &Value, path: &str, out: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(a), Value::Object(b)) => {
            for (name, value) in a {
                match b.get(name) {
                    Some(other) => compare(value, other, &format!("{path}.{name}"), out),
                    None => out.push(format!("{path}.{name}: missing, want {}", cut(value))),
                }
            }
            for (name, value) in b.iter().filter(|(name, _)| !a.contains_key(*name)) {
                out.push(format!("{path}.{name}: unexpected {}", cut(value)));
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                out.push(format!("{path}: want {} items, got {}", a.len(), b.len()));
            }
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(a, b, &format!("{path}[{index}]"), out);
            }
        }
        (want, got) if want == got => {}
        (want, got) => out.push(format!("{path}: want {}\n          got {}", cut(want), cut(got))),
    }
}

fn cut(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(1200) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
