//! Numbers as Go prints them.

use serde_json::Number;

/// A number as `%v` prints it: whole ones without a point, those of a million and more and very small ones with an exponent.
pub(crate) fn go_float(number: f64) -> String {
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{number}")
}

/// A number of JSON as `%v` prints it.
pub(crate) fn go_number(number: &Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        (Some(integer), _) => integer.to_string(),
        (None, Some(float)) => go_float(float),
        (None, None) => number.to_string(),
    }
}
