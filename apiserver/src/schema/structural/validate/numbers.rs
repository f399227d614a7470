//! Bounds of numbers.

use serde_json::Number;

use super::{Outcome, Path, Structural, Walk, scalars::is_whole};
use crate::protocol::go_float;

/// The first number that is too large for an integer.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// A number as a real server decodes it.
#[derive(Clone, Copy)]
enum Decoded {
    Integer(i64),
    Float(f64),
}

impl Decoded {
    fn of(number: &Number) -> Self {
        match number.as_i64() {
            Some(integer) => Self::Integer(integer),
            None => Self::Float(number.as_f64().unwrap_or_default()),
        }
    }

    fn float(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }

    /// Whether a type and format can hold it.
    fn fits(self, kind: &str, format: &str) -> bool {
        let integer = match self {
            Self::Integer(integer) => Some(integer),
            Self::Float(float) if float == float.trunc() && (-LIMIT..LIMIT).contains(&float) => {
                Some(float as i64)
            }
            Self::Float(_) => None,
        };
        match (kind, format) {
            ("integer", "int32") => integer.is_some_and(|integer| i32::try_from(integer).is_ok()),
            ("integer", _) => integer.is_some(),
            (_, "float") => self.float().abs() <= f64::from(f32::MAX),
            _ => true,
        }
    }
}

/// One bound that a number is held against.
struct Bound {
    name: &'static str,
    limit: f64,
    breaks: fn(f64, f64) -> bool,
    breaks_whole: fn(i64, i64) -> bool,
    words: &'static str,
}

impl Walk<'_> {
    pub(super) fn number(self, number: &Number, schema: &Structural, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let value = Decoded::of(number);
        let kind = match schema.kind.as_str() {
            kind @ ("integer" | "number") if !self.wants_either(schema) => kind,
            _ => "",
        };
        let format = match (kind, self.format(schema)) {
            ("integer", format @ ("int32" | "int64")) | ("number", format @ ("float" | "double")) => format,
            _ => "",
        };
        let misfit = |value: Decoded, what: &str| {
            (!value.fits(kind, format)).then(|| {
                let format = if format.is_empty() {
                    "(default format)".into()
                } else {
                    format!("with format {format}")
                };
                self.plain(format!("{what} value must be of type {kind} {format} in {path}"))
            })
        };
        if let Some(error) = misfit(value, "Checked") {
            outcome.add(error);
        }
        let limits = &schema.limits;
        if let Some(factor) = limits.multiple_of {
            let odd = misfit(Decoded::Float(factor), "MultipleOf");
            let native = odd.is_none();
            outcome.merge(odd.into_iter().collect());
            let value = if native { value } else { Decoded::Float(value.float()) };
            if let Some((shown, why)) = not_multiple(value, factor, path) {
                outcome.add(self.invalid(path, shown, why));
            }
        }
        for bound in bounds(schema) {
            let odd = misfit(Decoded::Float(bound.limit), bound.name);
            let native = odd.is_none();
            outcome.merge(odd.into_iter().collect());
            let (broken, limit, shown) = match value {
                Decoded::Integer(value) if native => {
                    let limit = bound.limit as i64;
                    ((bound.breaks_whole)(value, limit), limit.to_string(), value.to_string())
                }
                value => (
                    (bound.breaks)(value.float(), bound.limit),
                    go_float(bound.limit),
                    go_float(value.float()),
                ),
            };
            if broken {
                let text = format!("{path} in body should be {} {limit}", bound.words);
                outcome.add(self.invalid(path, shown, text));
            }
        }
        outcome.count();
        outcome
    }
}

impl FromIterator<crate::protocol::FieldError> for Outcome {
    fn from_iter<T: IntoIterator<Item = crate::protocol::FieldError>>(errors: T) -> Self {
        let mut outcome = Self::default();
        for error in errors {
            outcome.add(error);
        }
        outcome
    }
}

/// The bounds of a schema, in the order in which they are told.
fn bounds(schema: &Structural) -> Vec<Bound> {
    let limits = &schema.limits;
    let mut bounds = Vec::new();
    if let Some(limit) = limits.minimum {
        let name = "Minimum boundary";
        bounds.push(if limits.exclusive_minimum {
            Bound {
                name,
                limit,
                breaks: |value, limit| value <= limit,
                breaks_whole: |value, limit| value <= limit,
                words: "greater than",
            }
        } else {
            Bound {
                name,
                limit,
                breaks: |value, limit| value < limit,
                breaks_whole: |value, limit| value < limit,
                words: "greater than or equal to",
            }
        });
    }
    if let Some(limit) = limits.maximum {
        let name = "Maximum boundary";
        bounds.push(if limits.exclusive_maximum {
            Bound {
                name,
                limit,
                breaks: |value, limit| value >= limit,
                breaks_whole: |value, limit| value >= limit,
                words: "less than",
            }
        } else {
            Bound {
                name,
                limit,
                breaks: |value, limit| value > limit,
                breaks_whole: |value, limit| value > limit,
                words: "less than or equal to",
            }
        });
    }
    bounds
}

/// Why a value is no multiple, behind the number that is shown; an integer is held against the whole part of the factor.
fn not_multiple(value: Decoded, factor: f64, path: &Path<'_>) -> Option<(String, String)> {
    let (positive, factor, shown, fits) = match value {
        Decoded::Integer(value) => {
            let factor = factor as i64;
            (factor > 0, factor.to_string(), value.to_string(), value.checked_rem(factor) == Some(0))
        }
        Decoded::Float(float) => {
            let quotient = if factor < 1.0 { 1.0 / factor * float } else { float / factor };
            (factor > 0.0, go_float(factor), go_float(float), is_whole(quotient))
        }
    };
    if !positive {
        let why = format!("factor MultipleOf declared for {path} must be positive: {factor}");
        return Some((factor, why));
    }
    (!fits).then(|| (shown, format!("{path} in body should be a multiple of {factor}")))
}
