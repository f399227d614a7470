//! Formats of texts that servers check, for texts that stand in the source.
//!
//! In: a format's name and a text. Out: whether the text has it. Formats that servers do not know, and those that hardly anybody writes a
//! default for (`isbn`, `creditcard`), are fine with any text.

use super::matching::finds;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Formats that are patterns.
const PATTERNS: [(&str, &str); 9] = [
    ("uuid", UUID),
    ("uuid3", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$"),
    ("uuid4", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"),
    ("uuid5", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"),
    (
        "mac",
        "(?i)^([0-9a-f]{2}([:-][0-9a-f]{2}){5}|[0-9a-f]{2}([:-][0-9a-f]{2}){7}|[0-9a-f]{4}([.][0-9a-f]{4}){2,3})$",
    ),
    ("hexcolor", "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"),
    ("byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$"),
    ("email", "^[^@<>\\s]+@[^@<>\\s]+$|<[^@<>]+@[^@<>]+>$"),
    ("hostname", "^[a-zA-Z0-9\\p{S}\\p{L}]([a-zA-Z0-9.\\-\\p{S}\\p{L}]{0,253}[a-zA-Z0-9\\p{S}\\p{L}])?$"),
];

const UUID: &str = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$";

/// Whether a text has a format.
pub(super) fn has(format: &str, text: &str) -> bool {
    let format = format.replace('-', "");
    match format.as_str() {
        "date" => is_date(text),
        "datetime" => is_moment(&text.to_uppercase()),
        "duration" => is_duration(text) || is_with_units(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "cidr" => is_cidr(text),
        "uri" => is_uri(text),
        name => {
            let pattern = PATTERNS.iter().find(|(known, _)| *known == name);
            pattern.is_none_or(|(_, pattern)| finds(pattern, text) != Some(false))
        }
    }
}

/// `3 days`, which servers take as well.
fn is_with_units(text: &str) -> bool {
    finds("[0-9]\\s*(ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)", text)
        != Some(false)
}

fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let most = match (address.parse::<Ipv4Addr>(), address.parse::<Ipv6Addr>()) {
        (Ok(_), _) => 32,
        (_, Ok(_)) => 128,
        _ => return false,
    };
    length.parse::<u8>().is_ok_and(|length| length <= most)
}

/// An absolute address, or a path from the root.
fn is_uri(text: &str) -> bool {
    finds("^(/|[a-zA-Z][a-zA-Z0-9+.-]*:)[^\\x00-\\x20]*$", text) != Some(false)
}

/// A duration as Go writes it.
pub(super) fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut is_any = false;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !number.contains(|letter: char| letter.is_ascii_digit()) || number.matches('.').count() > 1 {
            return false;
        }
        let units = ["ns", "us", "\u{b5}s", "\u{3bc}s", "ms", "s", "m", "h"];
        let end = after.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end).unwrap_or((after, ""));
        if !units.contains(&unit) {
            return false;
        }
        (rest, is_any) = (after, true);
    }
    is_any
}

/// A point in time as RFC 3339 has it.
pub(super) fn is_moment(text: &str) -> bool {
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

fn is_date(text: &str) -> bool {
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
