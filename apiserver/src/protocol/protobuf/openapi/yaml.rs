//! Values of any shape inside an OpenAPI document: they travel as YAML.
//!
//! In: a value. Out: its text in block form, indented as Go's writer does. Texts that could be taken for something else are quoted.

use serde_json::{Map, Value};

/// How deep a new level stands.
const STEP: usize = 4;

/// The text of a value.
pub(super) fn write(value: &Value) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

/// Appends a value that begins on a line of its own, or goes on in one that is begun.
fn block(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => object(members, indent, out),
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    pad(indent, out);
                }
                out.push_str("- ");
                block(item, indent + 2, out);
            }
        }
        scalar => {
            out.push_str(&flat(scalar));
            out.push('\n');
        }
    }
}

fn object(members: &Map<String, Value>, indent: usize, out: &mut String) {
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            pad(indent, out);
        }
        out.push_str(&text(name));
        out.push(':');
        let nested = match value {
            Value::Object(members) => !members.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => false,
        };
        if nested {
            // Deeper levels stand at multiples of the step.
            let deeper = (indent + STEP) / STEP * STEP;
            out.push('\n');
            pad(deeper, out);
            block(value, deeper, out);
        } else {
            out.push(' ');
            block(value, indent, out);
        }
    }
}

fn pad(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}

fn flat(value: &Value) -> String {
    match value {
        Value::String(value) => text(value),
        other => other.to_string(),
    }
}

/// A text: plain where nothing else could be read from it, in double quotes where something else would be, else in single ones.
fn text(value: &str) -> String {
    let words = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", ".nan", ".inf"];
    let number = value.parse::<f64>().is_ok()
        || value.bytes().all(|byte| byte.is_ascii_digit() || b"-:T.Z".contains(&byte));
    if value.is_empty() || number || words.contains(&value.to_ascii_lowercase().as_str()) {
        return Value::from(value).to_string();
    }
    if value.chars().any(char::is_control) {
        return Value::from(value).to_string();
    }
    let begins = value
        .starts_with(|first: char| first.is_alphanumeric() || ['/', '_', '.', '$', '('].contains(&first));
    let ends = value.ends_with([' ', ':']);
    if begins && !ends && !value.contains(": ") && !value.contains(" #") {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', "''"))
}
