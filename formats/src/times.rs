//! Dates, times and lengths of time.

use super::engine::finds;

/// A length of time as Go writes it, or numbers with the names of units: `3 days`.
pub(super) fn is_length(text: &str) -> bool {
    is_duration(text) || has_units(text)
}

/// Whether numbers with units stand anywhere in a text; the numbers have to fit into 64 bits.
fn has_units(text: &str) -> bool {
    const SHORT: [&str; 12] = ["ns", "us", "\u{b5}s", "ms", "s", "m", "h", "hr", "d", "w", "wk", "min"];
    const LONG: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];
    let mut rest = text;
    let mut is_any = false;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        rest = rest.get(start..).unwrap_or_default();
        let behind = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let number = rest.strip_suffix(behind).unwrap_or_default();
        rest = behind.trim_start_matches(['\t', '\n', '\u{c}', '\r', ' ']);
        let behind =
            rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '\u{b5}');
        let unit = rest.strip_suffix(behind).unwrap_or_default().to_lowercase();
        if unit.is_empty() {
            continue;
        }
        if number.parse::<i64>().is_err() {
            return false;
        }
        is_any |= SHORT.contains(&unit.as_str()) || LONG.iter().any(|long| unit.starts_with(long));
        rest = behind;
    }
    is_any
}

/// A point in time of a value; there the letters may be small ones, and what stands behind a second `T` does not count.
pub(super) fn is_time(text: &str) -> bool {
    const CLOCK: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$";
    let text = text.to_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date) && finds(CLOCK, time) != Some(false)
}

/// A length of time as Go writes it: at most 2^63 nanoseconds.
pub fn is_duration(text: &str) -> bool {
    const MOST: u128 = 1 << 63;
    let (mut rest, most) = match text.strip_prefix('-') {
        Some(rest) => (rest, MOST),
        None => (text.strip_prefix('+').unwrap_or(text), MOST - 1),
    };
    if rest == "0" {
        return true;
    }
    let (mut is_any, mut sum) = (false, 0_u128);
    while !rest.is_empty() {
        let Some((length, behind)) = component(rest) else { return false };
        sum += length;
        if length > MOST || sum > MOST {
            return false;
        }
        (rest, is_any) = (behind, true);
    }
    is_any && sum <= most
}

/// A number with its unit, in nanoseconds, and what stands behind.
fn component(text: &str) -> Option<(u128, &str)> {
    const UNITS: [(&str, u128); 8] = [
        ("ns", 1),
        ("us", 1_000),
        ("\u{b5}s", 1_000),
        ("\u{3bc}s", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ];
    let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let (number, rest) = text.split_at_checked(text.find(|letter| !is_of_number(letter))?)?;
    let (unit, behind) = rest.split_at_checked(rest.find(is_of_number).unwrap_or(rest.len()))?;
    let (_, unit) = UNITS.iter().find(|(known, _)| *known == unit)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    // Digits that are too small to count are passed over.
    let digits = fraction.get(..fraction.len().min(18)).unwrap_or_default();
    let scale = 10_u128.pow(u32::try_from(digits.len()).ok()?);
    let part = digits.parse::<u128>().unwrap_or_default() * unit / scale;
    (whole <= 1 << 63).then_some((whole * unit + part, behind))
}

/// A point in time as RFC 3339 has it.
pub fn is_moment(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else { return false };
    let offset = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (time, offset) = time.split_at_checked(offset).unwrap_or((time, ""));
    let (clock, fraction) = time.split_once('.').map_or((time, None), |(clock, rest)| (clock, Some(rest)));
    let is_digits = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    let is_offset = offset == "Z"
        || offset
            .strip_prefix(['+', '-'])
            .is_some_and(|rest| matches!(numbers(rest, ':', &[2, 2]).as_deref(), Some([..=23, ..=59])));
    let is_clock = matches!(numbers(clock, ':', &[2, 2, 2]).as_deref(), Some([..=23, ..=59, ..=59]));
    is_date(date) && is_clock && is_offset && fraction.is_none_or(is_digits)
}

pub(super) fn is_date(text: &str) -> bool {
    match numbers(text, '-', &[4, 2, 2]).as_deref() {
        Some([year, month, day]) => (1..=days(*year, *month)).contains(day),
        _ => false,
    }
}

/// Numbers of so many digits.
fn numbers(text: &str, between: char, digits: &[usize]) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split(between).collect();
    let fits =
        parts.len() == digits.len() && parts.iter().zip(digits).all(|(part, digits)| part.len() == *digits);
    if !fits || !parts.iter().all(|part| part.chars().all(|letter| letter.is_ascii_digit())) {
        return None;
    }
    parts.iter().map(|part| part.parse().ok()).collect()
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    }
}
