//! Blocks: maps and lists, line by line.

use super::order::natural;
use super::scalar::{self, Spot};
use serde_json::{Map, Value};

/// Prints a value as a document.
pub(super) fn print(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Object(map) if !map.is_empty() => entries(map, 0, &mut out),
        Value::Array(items) if !items.is_empty() => list(items, 0, &mut out),
        _ => {
            out.push_str(&leaf(value, Spot { indent: 2, column: 0 }));
            out.push('\n');
        }
    }
    out
}

/// The entries of a map; the first one stands where the writer is.
fn entries(map: &Map<String, Value>, indent: usize, out: &mut String) {
    let mut keys: Vec<&String> = map.keys().collect();
    keys.sort_by(|left, right| natural(left, right));
    for (at, key) in keys.into_iter().enumerate() {
        if at > 0 {
            blanks(indent, out);
        }
        let written = scalar::key(key);
        out.push_str(&written);
        out.push(':');
        match map.get(key) {
            Some(Value::Object(inner)) if !inner.is_empty() => {
                out.push('\n');
                blanks(indent + 2, out);
                entries(inner, indent + 2, out);
            }
            Some(Value::Array(items)) if !items.is_empty() => {
                out.push('\n');
                blanks(indent, out);
                list(items, indent, out);
            }
            value => {
                let column = indent + written.chars().count() + 2;
                out.push(' ');
                out.push_str(&leaf(value.unwrap_or(&Value::Null), Spot { indent: indent + 2, column }));
                out.push('\n');
            }
        }
    }
}

/// The items of a list; the first one stands where the writer is.
fn list(items: &[Value], indent: usize, out: &mut String) {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            blanks(indent, out);
        }
        out.push_str("- ");
        match item {
            Value::Object(map) if !map.is_empty() => entries(map, indent + 2, out),
            Value::Array(inner) if !inner.is_empty() => list(inner, indent + 2, out),
            _ => {
                out.push_str(&leaf(item, Spot { indent: indent + 2, column: indent + 2 }));
                out.push('\n');
            }
        }
    }
}

fn blanks(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

fn leaf(value: &Value, spot: Spot) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => self::number(number),
        Value::String(text) => scalar::value(text, spot),
        Value::Array(_) => "[]".to_owned(),
        Value::Object(_) => "{}".to_owned(),
    }
}

/// A number; one with an exponent has a sign and two digits there, as Go writes it.
fn number(number: &serde_json::Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    let magnitude = float.abs();
    if float == 0.0 || (1e-4..1e21).contains(&magnitude) {
        return float.to_string();
    }
    let text = format!("{float:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}
