//! Types, texts and enumerations.

use serde_json::Value;

use super::{Outcome, Path, Structural, Walk};
use crate::protocol::{FieldError, FieldErrorClass, go_number, printed, quoted};

/// The type and format of a value, as validation infers them.
fn inferred(value: &Value) -> (&'static str, &'static str) {
    match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::Number(number) if number.is_i64() => ("integer", "int64"),
        Value::Number(_) => ("number", "float64"),
        Value::String(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
    }
}

/// Whether a number with a fraction part has none to speak of, for its size.
pub(super) fn is_whole(number: f64) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    if !number.is_finite() || number.abs() > LARGEST {
        return false;
    }
    let nearest = number.round();
    number == nearest || (number - nearest).abs() < 1e-9 * nearest.abs()
}

impl Walk<'_> {
    pub(super) fn kind(self, value: &Value, schema: &Structural, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let types: &[&str] = match (self.wants_either(schema), schema.kind.as_str()) {
            (true, _) => &["integer", "string"],
            (false, "") => &[],
            (false, kind) => &[kind],
        };
        let joined = types.join(",");
        let has = |wanted: &str| types.contains(&wanted);
        if value.is_null() {
            if !types.is_empty() && !schema.nullable {
                outcome.add(self.wrong_type(path, &joined, "null"));
            } else {
                outcome.count();
            }
            return outcome;
        }
        let (kind, format) = inferred(value);
        let wanted_format = self.format(schema);
        let whole = matches!(value, Value::Number(number)
            if !number.is_i64() && number.as_f64().is_some_and(is_whole) && has("integer"));
        let fits = has(kind) || whole || (kind == "integer" && has("number"));
        let texts = matches!(value, Value::String(_) | Value::Array(_));
        if !texts && !wanted_format.is_empty() && !fits && format != wanted_format {
            outcome.add(self.wrong_type(path, wanted_format, format));
            return outcome;
        }
        let by_format = !has("number") && !has("integer") && !wanted_format.is_empty() && texts;
        if by_format || fits {
            outcome.count();
            return outcome;
        }
        outcome.add(self.wrong_type(path, &joined, kind));
        outcome
    }

    pub(super) fn text(self, text: &str, schema: &Structural, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let limits = &schema.limits;
        let length = || i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        if let Some(most) = limits.max_length.filter(|most| length() > *most) {
            outcome.add_as(
                format!("{path} in body should be at most {most} chars long"),
                FieldError {
                    field: self.field(path),
                    class: FieldErrorClass::TooLong,
                    value: String::new(),
                    detail: format!(
                        "may not be more than {most} {}",
                        if most == 1 { "byte" } else { "bytes" }
                    ),
                },
            );
        } else if let Some(least) = limits.min_length.filter(|least| length() < *least) {
            let why = format!("{path} in body should be at least {least} chars long");
            outcome.add(self.invalid(path, quoted(text), why));
        } else if let Some(pattern) = schema.pattern.as_ref().filter(|pattern| !pattern.matches(text)) {
            let why = match pattern.error() {
                Some(error) => format!(
                    "{path} in body should match '{}, but pattern is invalid: {error}'",
                    pattern.text()
                ),
                None => format!("{path} in body should match '{}'", pattern.text()),
            };
            outcome.add(self.invalid(path, quoted(text), why));
        }
        outcome
    }

    pub(super) fn enumerated(self, value: &Value, schema: &Structural, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        if schema.enums.is_empty() || schema.enums.iter().any(|known| same(value, known)) {
            return outcome;
        }
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => go_number(number),
            other => other.to_string(),
        };
        let list: Vec<String> = schema.enums.iter().map(text).collect();
        let shown: Vec<String> = list.iter().map(|value| quoted(value)).collect();
        outcome.add_as(
            format!("{path} in body should be one of [{}]", list.join(" ")),
            FieldError {
                field: self.field(path),
                class: FieldErrorClass::NotSupported,
                value: printed(value),
                detail: format!("supported values: {}", shown.join(", ")),
            },
        );
        outcome
    }
}

/// Whether a value is an enumerated one; numbers are taken as the type of that one.
fn same(value: &Value, known: &Value) -> bool {
    match (value, known) {
        (Value::Null, _) => false,
        (Value::Number(value), Value::Number(known)) => match (value.as_f64(), known.as_i64()) {
            (Some(value), Some(known)) if !value.is_nan() => value.trunc() == known as f64,
            (value, None) => value == known.as_f64(),
            _ => false,
        },
        (value, known) => value == known,
    }
}
