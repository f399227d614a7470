//! Amounts with units, such as `100m` and `1Gi`.

use std::cmp::Ordering;

use super::{EvalError, Opaque, Result, Val};
use crate::cel::ops::{int, opaque, text};

/// An amount: a number times a power of ten. Of sums that need more than 38 digits the last are lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    value: i128,
    power: i32,
    /// A real server holds it in 64 bits; only of such amounts it tells the integer.
    small: bool,
}

/// The smallest part there is; what is less counts as one.
const SMALLEST: i32 = -9;
/// So many digits fit into 64 bits for sure.
const SAFE_DIGITS: usize = 18;
/// So many fit into our number.
const DIGITS: usize = 38;
const WRONG_FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/// What a unit multiplies with: a power of ten, or of two.
enum Unit {
    Ten(i32),
    Two(i32),
}

impl Unit {
    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "n" => Self::Ten(-9),
            "u" => Self::Ten(-6),
            "m" => Self::Ten(-3),
            "" => Self::Ten(0),
            "k" => Self::Ten(3),
            "M" => Self::Ten(6),
            "G" => Self::Ten(9),
            "T" => Self::Ten(12),
            "P" => Self::Ten(15),
            "E" => Self::Ten(18),
            "Ki" => Self::Two(10),
            "Mi" => Self::Two(20),
            "Gi" => Self::Two(30),
            "Ti" => Self::Two(40),
            "Pi" => Self::Two(50),
            "Ei" => Self::Two(60),
            exponent => Self::Ten(exponent.strip_prefix(['e', 'E'])?.parse().ok()?),
        })
    }
}

impl Quantity {
    fn read(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text).trim_start_matches('0');
        let span = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (whole, rest) = unsigned.split_at(span(unsigned));
        let (fraction, unit) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(span(rest)),
            None => ("", rest),
        };
        let unit = Unit::read(unit).filter(|_| !text.is_empty())?;
        let whole = if whole.is_empty() { "0" } else { whole };
        let digits = format!("{whole}{fraction}");
        let kept = digits.get(..DIGITS).unwrap_or(&digits);
        let lost = i32::try_from(digits.len() - kept.len()).unwrap_or(i32::MAX);
        let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
        let value: i128 = kept.parse().unwrap_or_default();
        let value = if text.starts_with('-') { -value } else { value };
        let exponent = match unit {
            Unit::Ten(exponent) => exponent,
            Unit::Two(exponent) => return Some(Self::binary(value, whole, lost - places, exponent)),
        };
        let power = exponent.saturating_sub(places).saturating_add(lost);
        let small = digits.len() <= SAFE_DIGITS && power >= SMALLEST;
        Some(Self { value, power, small }.rounded())
    }

    /// The amounts with binary units are never more than 64 bits hold.
    fn binary(value: i128, whole: &str, power: i32, exponent: i32) -> Self {
        let most = Self { value: i64::MAX.into(), power: 0, small: false };
        let spare = 14 - i32::try_from(whole.len()).unwrap_or(i32::MAX) - exponent * 3 / 10;
        let shifted = u32::try_from(exponent).ok().and_then(|exponent| value.checked_mul(1_i128 << exponent));
        let Some(value) = shifted else { return most };
        let read = Self { value, power, small: power == 0 && spare >= 0 }.rounded();
        if read.order(most) == Ordering::Greater { most } else { read }
    }

    fn rounded(mut self) -> Self {
        while self.power < SMALLEST && self.value != 0 && self.value.abs() != 1 {
            self.value = self.value / 10 + i128::from(self.value % 10 != 0) * self.value.signum();
            self.power += 1;
        }
        self.power = self.power.max(SMALLEST);
        self
    }

    /// Both in the same power of ten, where that is possible.
    fn aligned(self, other: Self) -> Option<(i128, i128, i32)> {
        let power = self.power.min(other.power);
        let scaled = |amount: Self| {
            if amount.value == 0 {
                return Some(0);
            }
            let factor = 10_i128.checked_pow(u32::try_from(amount.power.checked_sub(power)?).ok()?)?;
            amount.value.checked_mul(factor)
        };
        Some((scaled(self)?, scaled(other)?, power))
    }

    pub(super) fn order(self, other: Self) -> Ordering {
        match self.aligned(other) {
            Some((left, right, _)) => left.cmp(&right),
            // They are too far apart to be written beside each other.
            None if self.value.signum() != other.value.signum() => self.value.cmp(&other.value),
            None => {
                let size = |amount: Self| {
                    i64::from(amount.power)
                        + i64::from(amount.value.unsigned_abs().checked_ilog10().unwrap_or(0))
                };
                let order = size(self).cmp(&size(other));
                if self.value < 0 { order.reverse() } else { order }
            }
        }
    }

    fn plus(self, other: Self) -> Self {
        if let Some((left, right, power)) = self.aligned(other)
            && let Some(value) = left.checked_add(right)
        {
            let small = self.small && other.small && i64::try_from(value).is_ok();
            return Self { value, power, small };
        }
        let absolute = |amount: Self| Self { value: amount.value.abs(), ..amount };
        let larger = if absolute(self).order(absolute(other)) == Ordering::Less { other } else { self };
        Self { small: false, ..larger }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self { value: other.value.saturating_neg(), ..other })
    }

    /// The integer, where a real server can tell it.
    fn whole(self) -> Option<i64> {
        let factor = 10_i64.checked_pow(u32::try_from(self.power).ok()?);
        match (self.small, self.value) {
            (false, _) => None,
            (true, 0) => Some(0),
            (true, value) => i64::try_from(value).ok()?.checked_mul(factor?),
        }
    }

    fn float(self) -> f64 {
        let power = match self.power {
            power if power < -323 => 0.0,
            power if power > 308 => f64::INFINITY,
            power => format!("1e{power}").parse().unwrap_or(f64::INFINITY),
        };
        self.value as f64 * power
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}e{}", self.value, self.power)
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.order(*other) == Ordering::Equal
    }
}

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    match (function, args) {
        ("quantity", [value]) => Some(text(value).and_then(|text| {
            let amount = Quantity::read(text).ok_or_else(|| EvalError::new(WRONG_FORMAT))?;
            Ok(Val::opaque(Opaque::Quantity(amount)))
        })),
        ("isQuantity", [value]) => Some(text(value).map(|text| Val::Bool(Quantity::read(text).is_some()))),
        (_, [first, rest @ ..]) => match opaque(first) {
            Ok(Opaque::Quantity(amount)) => of_amount(function, *amount, rest),
            _ => None,
        },
        _ => None,
    }
}

fn of_amount<'v>(function: &str, amount: Quantity, rest: &[Val<'v>]) -> Option<Result<'v>> {
    let other = |value: &Val<'v>| match opaque(value) {
        Ok(Opaque::Quantity(other)) => Ok(*other),
        _ => int(value).map(|value| Quantity { value: value.into(), power: 0, small: true }),
    };
    let made = |amount| Val::opaque(Opaque::Quantity(amount));
    Some(match (function, rest) {
        ("isInteger", []) => Ok(Val::Bool(amount.whole().is_some())),
        ("asInteger", []) => {
            amount.whole().map(Val::Int).ok_or_else(|| EvalError::new("cannot convert value to integer"))
        }
        ("asApproximateFloat", []) => Ok(Val::Double(amount.float())),
        ("sign", []) => Ok(Val::Int(amount.value.signum() as i64)),
        ("add", [value]) => other(value).map(|other| made(amount.plus(other))),
        ("sub", [value]) => other(value).map(|other| made(amount.minus(other))),
        _ => return None,
    })
}
