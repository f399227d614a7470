//! `Amount`: quantities to reckon with.
//!
//! In: texts such as `100m` or `1Gi`. Out: sums, differences and comparisons, and the text of a result. What is beyond billionths is
//! rounded up; what is beyond the range of 128 bits is not reckoned with.

use std::{cmp::Ordering, collections::BTreeMap};

use serde_json::{Map, Value};

use crate::schema::canonical_quantity;

const UNIT: i128 = 1_000_000_000;
const BINARY: [(&str, u32); 6] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];
const DECIMAL: [(&str, i32); 9] =
    [("n", -9), ("u", -6), ("m", -3), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// A quantity.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amount {
    nanos: i128,
    /// Whether it is told in powers of 1024.
    is_binary: bool,
}

/// Quantities by name.
pub(super) type Amounts = BTreeMap<String, Amount>;

impl Amount {
    pub(super) fn whole(number: i64) -> Self {
        Self { nanos: i128::from(number) * UNIT, is_binary: false }
    }

    /// Reads a quantity; what is none counts as nothing.
    pub(super) fn read(value: &Value) -> Self {
        match value {
            Value::Number(number) => number.as_i64().map(Self::whole).unwrap_or_default(),
            Value::String(text) => parse(text).unwrap_or_default(),
            _ => Self::default(),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let is_binary = if self.is_zero() { other.is_binary } else { self.is_binary };
        Self { nanos: self.nanos.saturating_add(other.nanos), is_binary }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        let is_binary = if self.is_zero() { other.is_binary } else { self.is_binary };
        Self { nanos: self.nanos.saturating_sub(other.nanos), is_binary }
    }

    /// The whole number of units, rounded up.
    pub(super) fn units(self) -> i128 {
        self.rounded_up().nanos / UNIT
    }

    /// The whole number of thousandths, rounded up.
    pub(super) fn thousandths(self) -> i128 {
        Self { nanos: self.nanos.saturating_mul(1_000), ..self }.units()
    }

    pub(super) fn is_zero(self) -> bool {
        self.nanos == 0
    }

    pub(super) fn is_negative(self) -> bool {
        self.nanos < 0
    }

    /// The same, rounded up to a whole number.
    pub(super) fn rounded_up(self) -> Self {
        let rest = self.nanos.rem_euclid(UNIT);
        let nanos = if rest == 0 { self.nanos } else { self.nanos - rest + UNIT };
        Self { nanos, ..self }
    }

    /// The quotient of two quantities.
    #[expect(clippy::cast_precision_loss, reason = "a ratio is told with six digits")]
    pub(super) fn ratio(self, other: Self) -> f64 {
        self.nanos as f64 / other.nanos as f64
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Amount {}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whole = self.nanos / UNIT;
        if self.is_binary && self.nanos % UNIT == 0 && whole.abs() >= 1024 {
            let unit = BINARY.iter().rev().find(|(_, shift)| whole % (1_i128 << shift) == 0);
            return match unit {
                Some((suffix, shift)) => write!(f, "{}{suffix}", whole >> shift),
                None => write!(f, "{whole}"),
            };
        }
        let text = format!("{}n", self.nanos);
        f.write_str(&canonical_quantity(&text).unwrap_or(text))
    }
}

fn parse(text: &str) -> Option<Amount> {
    let text = text.trim();
    let negative = text.starts_with('-');
    let text = text.trim_start_matches(['-', '+']);
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at_checked(digits)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let value: i128 = format!("0{whole}{fraction}").parse().ok()?;
    let places = i32::try_from(fraction.len()).ok()?;
    let (nanos, is_binary) = match BINARY.iter().find(|(name, _)| *name == suffix) {
        Some((_, shift)) => (scale(value.checked_mul(1_i128 << shift)?, 9 - places)?, true),
        None => {
            let exponent = match DECIMAL.iter().find(|(name, _)| *name == suffix) {
                Some((_, exponent)) => *exponent,
                None if suffix.is_empty() => 0,
                None => suffix.strip_prefix(['e', 'E'])?.parse().ok()?,
            };
            (scale(value, exponent.checked_add(9)?.checked_sub(places)?)?, false)
        }
    };
    Some(Amount { nanos: if negative { -nanos } else { nanos }, is_binary })
}

/// A value times a power of ten, rounded up.
fn scale(value: i128, exponent: i32) -> Option<i128> {
    let power = 10_i128.checked_pow(exponent.unsigned_abs())?;
    if exponent >= 0 {
        return value.checked_mul(power);
    }
    Some(value / power + i128::from(value % power != 0))
}

/// The quantities in a map of an object.
pub(super) fn amounts(value: Option<&Value>) -> Amounts {
    let members = value.and_then(Value::as_object).into_iter().flatten();
    members.map(|(name, value)| (name.clone(), Amount::read(value))).collect()
}

/// The same as a map of an object.
pub(super) fn to_value(amounts: &Amounts) -> Value {
    let members = amounts.iter().map(|(name, amount)| (name.clone(), Value::from(amount.to_string())));
    Value::Object(members.collect::<Map<_, _>>())
}

/// Adds quantities to quantities.
pub(super) fn add(sum: &mut Amounts, more: &Amounts) {
    for (name, amount) in more {
        let entry = sum.entry(name.clone()).or_default();
        *entry = entry.plus(*amount);
    }
}

/// Raises quantities to quantities.
pub(super) fn raise(to: &mut Amounts, more: &Amounts) {
    for (name, amount) in more {
        let entry = to.entry(name.clone()).or_insert(*amount);
        if *entry < *amount {
            *entry = *amount;
        }
    }
}
