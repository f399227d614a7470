//! Amounts with units, such as `100m` and `1Gi`.

use super::{EvalError, Opaque, Result, Val};
use crate::cel::ops::{int, opaque, text};

/// How many parts one has: amounts are kept in billionths, as a real server rounds them.
const PARTS: i128 = 1_000_000_000;

/// Reads an amount, in billionths.
fn parse(text: &str) -> Option<i128> {
    let digits = |letter: char| letter.is_ascii_digit() || letter == '.';
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = rest.find(|letter| !digits(letter)).unwrap_or(rest.len());
    let (number, unit) = rest.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let (base, power): (i128, i32) = match unit {
        "n" => (10, -9),
        "u" => (10, -6),
        "m" => (10, -3),
        "" => (10, 0),
        "k" => (10, 3),
        "M" => (10, 6),
        "G" => (10, 9),
        "T" => (10, 12),
        "P" => (10, 15),
        "E" => (10, 18),
        "Ki" => (1024, 1),
        "Mi" => (1024, 2),
        "Gi" => (1024, 3),
        "Ti" => (1024, 4),
        "Pi" => (1024, 5),
        "Ei" => (1024, 6),
        unit => (10, unit.strip_prefix(['e', 'E'])?.parse().ok()?),
    };
    let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = i32::try_from(fraction.len()).ok()?;
    let value = if base == 1024 {
        scaled(mantissa.checked_mul(1024_i128.checked_pow(u32::try_from(power).ok()?)?)?, 9 - scale)?
    } else {
        scaled(mantissa, 9 - scale + power)?
    };
    Some(if negative { -value } else { value })
}

/// A number times a power of ten; what is smaller than one part is rounded up.
fn scaled(number: i128, power: i32) -> Option<i128> {
    let factor = 10_i128.checked_pow(power.unsigned_abs())?;
    if power >= 0 {
        return number.checked_mul(factor);
    }
    Some(number / factor + i128::from(number % factor != 0))
}

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    match (function, args) {
        ("quantity", [value]) => Some(text(value).and_then(|text| {
            let amount = parse(text).ok_or_else(|| {
                EvalError::new(
                    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
                )
            })?;
            Ok(Val::opaque(Opaque::Quantity(amount)))
        })),
        ("isQuantity", [value]) => Some(text(value).map(|text| Val::Bool(parse(text).is_some()))),
        (_, [first, rest @ ..]) => match opaque(first) {
            Ok(Opaque::Quantity(amount)) => of_amount(function, *amount, rest),
            _ => None,
        },
        _ => None,
    }
}

fn of_amount<'v>(function: &str, amount: i128, rest: &[Val<'v>]) -> Option<Result<'v>> {
    let whole = || (amount % PARTS == 0).then(|| i64::try_from(amount / PARTS).ok()).flatten();
    let other = |value: &Val<'v>| match opaque(value) {
        Ok(Opaque::Quantity(other)) => Ok(*other),
        _ => int(value).map(|value| i128::from(value) * PARTS),
    };
    let made = |amount: Option<i128>| {
        amount
            .map(|amount| Val::opaque(Opaque::Quantity(amount)))
            .ok_or_else(|| EvalError::new("integer overflow"))
    };
    Some(match (function, rest) {
        ("isInteger", []) => Ok(Val::Bool(whole().is_some())),
        ("asInteger", []) => {
            whole().map(Val::Int).ok_or_else(|| EvalError::new("cannot convert value to integer"))
        }
        ("asApproximateFloat", []) => Ok(Val::Double(amount as f64 / PARTS as f64)),
        ("sign", []) => Ok(Val::Int(amount.signum() as i64)),
        ("add", [value]) => other(value).and_then(|other| made(amount.checked_add(other))),
        ("sub", [value]) => other(value).and_then(|other| made(amount.checked_sub(other))),
        _ => return None,
    })
}
