//! Amounts with units, such as `100m` or `1Gi`, in the form that a real server stores.
//!
//! In: a text. Out: its canonical text, or why it is no amount. Amounts beyond 38 digits are kept as sent.

use std::cmp::Ordering;

const WRONG_FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
const BINARY: [(&str, i32); 7] =
    [("", 0), ("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];
/// So many digits fit into 64 bits for sure.
const SAFE_DIGITS: usize = 18;
const SMALLEST: i32 = -9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Decimal,
    Exponent,
    Binary,
}

/// The parts of a text.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
}

/// The canonical text of an amount.
///
/// # Errors
///
/// When the text is no amount, with the reason a real server gives.
pub fn canonical_quantity(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Err(WRONG_FORMAT);
    }
    let parts = split(text)?;
    let (exponent, format) = interpret(parts.suffix).ok_or(WRONG_SUFFIX)?;
    let digits = format!("{}{}", parts.whole, parts.fraction);
    let places = i32::try_from(parts.fraction.len()).unwrap_or(i32::MAX);
    if is_kept(&parts, exponent, format, &digits) {
        return Ok(text.to_owned());
    }
    let Ok(value) = digits.parse::<i128>() else { return Ok(text.to_owned()) };
    Ok(Amount { value, negative: parts.negative, format }
        .canonical(exponent, places)
        .unwrap_or_else(|| text.to_owned()))
}

fn split(text: &str) -> Result<Parts<'_>, &'static str> {
    let negative = text.starts_with('-');
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let trimmed = unsigned.trim_start_matches('0');
    let (whole, rest) = trimmed.split_at(digits(trimmed));
    let (fraction, suffix) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(digits(rest)),
        None => ("", rest),
    };
    let tail = suffix.trim_start_matches(|letter| "eEinumkKMGTP".contains(letter));
    let tail = tail.strip_prefix(['-', '+']).unwrap_or(tail);
    if !tail.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(WRONG_FORMAT);
    }
    Ok(Parts { negative, whole: if whole.is_empty() { "0" } else { whole }, fraction, suffix })
}

fn interpret(suffix: &str) -> Option<(i32, Format)> {
    let find =
        |table: &[(&str, i32)]| table.iter().find(|(name, _)| *name == suffix).map(|(_, exponent)| *exponent);
    if let Some(exponent) = find(&DECIMAL) {
        return Some((exponent, Format::Decimal));
    }
    if let Some(exponent) = find(&BINARY) {
        return Some((exponent, Format::Binary));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    Some((exponent, Format::Exponent))
}

/// Whether a real server takes the text for canonical and keeps it.
fn is_kept(parts: &Parts<'_>, exponent: i32, format: Format, digits: &str) -> bool {
    let places = i32::try_from(parts.fraction.len()).unwrap_or(i32::MAX);
    if format == Format::Binary {
        let whole = parts.whole.parse::<i64>().unwrap_or_default();
        let safe = 14 - i32::try_from(parts.whole.len()).unwrap_or(i32::MAX) - exponent * 3 / 10;
        return parts.fraction.is_empty() && safe >= 0 && whole & 7 != 0;
    }
    let scale = exponent.saturating_sub(places);
    digits.len() <= SAFE_DIGITS
        && scale >= SMALLEST
        && scale % 3 == 0
        && !digits.ends_with("000")
        && !digits.starts_with('0')
}

struct Amount {
    /// Without its sign and its decimal point.
    value: i128,
    negative: bool,
    format: Format,
}

impl Amount {
    /// None where the amount has too many digits.
    fn canonical(self, exponent: i32, places: i32) -> Option<String> {
        if self.value == 0 {
            return Some("0".into());
        }
        let (mut value, mut scale, mut format) = (self.value, exponent.checked_sub(places)?, self.format);
        if format == Format::Binary {
            value = value
                .checked_shl(u32::try_from(exponent).ok()?)
                .filter(|shifted| shifted >> exponent == value)?;
            scale = -places;
        }
        while scale < SMALLEST {
            // What is less than one part is one, however small it is.
            if value == 1 {
                scale = SMALLEST;
                break;
            }
            value = value.div_euclid(10) + i128::from(value.rem_euclid(10) != 0);
            scale += 1;
        }
        while value % 10 == 0 {
            value /= 10;
            scale += 1;
        }
        let sign = if self.negative { "-" } else { "" };
        if format == Format::Binary {
            let whole =
                u32::try_from(scale).ok().and_then(|scale| value.checked_mul(10_i128.checked_pow(scale)?));
            match whole.map(|whole| whole.min(i128::from(i64::MAX))) {
                Some(whole) if whole.cmp(&1024) != Ordering::Less => return Some(binary(sign, whole)),
                _ => format = Format::Decimal,
            }
        }
        decimal(sign, value, scale, format)
    }
}

fn binary(sign: &str, mut whole: i128) -> String {
    let mut unit = 0;
    while whole % 1024 == 0 && unit + 1 < BINARY.len() {
        whole /= 1024;
        unit += 1;
    }
    let suffix = BINARY.get(unit).map_or("", |(suffix, _)| suffix);
    format!("{sign}{whole}{suffix}")
}

fn decimal(sign: &str, value: i128, scale: i32, format: Format) -> Option<String> {
    let down = scale.rem_euclid(3);
    let value = value.checked_mul(10_i128.pow(u32::try_from(down).ok()?))?;
    let scale = scale - down;
    if format == Format::Exponent {
        return Some(if scale == 0 { format!("{sign}{value}") } else { format!("{sign}{value}e{scale}") });
    }
    // Beyond the largest unit the number gets longer instead.
    let unit = scale.min(18);
    let value = value.checked_mul(10_i128.checked_pow(u32::try_from(scale - unit).ok()?)?)?;
    let suffix = DECIMAL.iter().find(|(_, exponent)| *exponent == unit).map_or("", |(suffix, _)| suffix);
    Some(format!("{sign}{value}{suffix}"))
}
