//! Times as Go writes them.

use jiff::Timestamp;

/// A moment, as RFC 3339 has it.
pub(crate) fn moment(text: &str) -> Option<Timestamp> {
    let shape = text.len() >= 20 && text.as_bytes().get(10).is_some_and(|byte| matches!(byte, b'T' | b't'));
    if !shape {
        return None;
    }
    text.to_uppercase().parse().ok()
}
/// Go's way of writing a length of time, in nanoseconds.
pub(crate) fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: f64 = 0.0;
    let mut exact: i128 = 0;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, after) = rest.split_at(digits);
        let end = after.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit: i128 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
            return None;
        }
        exact += if whole.is_empty() { 0 } else { whole.parse::<i128>().ok()? } * unit;
        if !fraction.is_empty() {
            total += format!("0.{fraction}").parse::<f64>().ok()? * unit as f64;
        }
        rest = after;
    }
    let sum = exact + total as i128;
    i64::try_from(if negative { -sum } else { sum }).ok()
}
