//! `Amount`: an amount with a unit, as a number that can be compared and added.
//!
//! In: a text such as `100m` or `1Gi`. Out: a number of billionths. The text itself is put in order by
//! [`canonical_quantity`](super::canonical_quantity).

/// An amount, in billionths; smaller parts are rounded up, as a real server does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i128);

const BILLION: i128 = 1_000_000_000;
const SUFFIXES: &[(&str, i128, i128)] = &[
    ("n", 1, BILLION),
    ("u", 1, 1_000_000),
    ("m", 1, 1_000),
    ("", 1, 1),
    ("k", 1_000, 1),
    ("M", 1_000_000, 1),
    ("G", 1_000_000_000, 1),
    ("T", 1_000_000_000_000, 1),
    ("P", 1_000_000_000_000_000, 1),
    ("E", 1_000_000_000_000_000_000, 1),
    ("Ki", 1 << 10, 1),
    ("Mi", 1 << 20, 1),
    ("Gi", 1 << 30, 1),
    ("Ti", 1 << 40, 1),
    ("Pi", 1 << 50, 1),
    ("Ei", 1 << 60, 1),
];

impl Amount {
    /// Reads a text; nothing where it is no amount, or one beyond all bounds.
    pub fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let length = unsigned.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let (digits, suffix) = unsigned.split_at(length);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
            return None;
        }
        let (times, parts) = scale(suffix)?;
        let value: i128 = format!("0{whole}{fraction}").parse().ok()?;
        let places = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let top = value.checked_mul(BILLION)?.checked_mul(times)?;
        let bottom = places.checked_mul(parts)?;
        let nanos = top / bottom + i128::from(top % bottom != 0);
        Some(Self(if text.starts_with('-') { -nanos } else { nanos }))
    }

    /// Whether it is below nothing.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether it is a whole number.
    pub fn is_whole(self) -> bool {
        self.0 % BILLION == 0
    }

    /// The whole number, rounded up.
    pub fn whole(self) -> i128 {
        self.0.div_euclid(BILLION) + i128::from(self.0.rem_euclid(BILLION) != 0)
    }

    /// As a floating number, for proportions.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / BILLION as f64
    }

    /// Whether it is so many times another, once at least.
    pub fn is_multiple_of(self, other: &Self) -> bool {
        other.0 != 0 && self.0 % other.0 == 0
    }

    /// The sum; the largest amount where there is none.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

fn scale(suffix: &str) -> Option<(i128, i128)> {
    if let Some((_, times, parts)) = SUFFIXES.iter().find(|(name, ..)| *name == suffix) {
        return Some((*times, *parts));
    }
    let exponent: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    let power = 10_i128.checked_pow(exponent.unsigned_abs())?;
    Some(if exponent < 0 { (1, power) } else { (power, 1) })
}
