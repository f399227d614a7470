//! Numbers that may be percentages.

use serde_json::Value;

use super::{Findings, Spot};

/// A number that is not below nothing, or a percentage.
pub(crate) fn positive(out: &mut Findings, spot: &Spot<'_>) {
    match spot.value() {
        Value::String(text) if percentage(text).is_none() => {
            out.invalid(
                spot,
                "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for \
                 validation is '[0-9]+%')",
            );
        }
        _ => out.not_negative(spot),
    }
}

/// A percentage of the whole at most.
pub(crate) fn at_most_all(out: &mut Findings, spot: &Spot<'_>) {
    if percentage(spot.str()).is_some_and(|percentage| percentage > 100) {
        out.invalid(spot, "must not be greater than 100%");
    }
}

/// The number, of percentages too; of broken ones what stands there, or nothing.
pub(crate) fn amount(spot: &Spot<'_>) -> i64 {
    spot.int().or_else(|| percentage(spot.str())).or_else(|| spot.str().parse().ok()).unwrap_or_default()
}

fn percentage(text: &str) -> Option<i64> {
    let digits = text.strip_suffix('%')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
