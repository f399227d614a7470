//! Moments as objects write them, and Go's words about texts that are none.
//!
//! In: a text. Out: the text that a real server stores: UTC, to the second or the microsecond.

use jiff::Timestamp;

const SECONDS: &str = "2006-01-02T15:04:05Z07:00";
const MICROSECONDS: &str = "2006-01-02T15:04:05.000000Z07:00";
const STEPS: [&str; 11] = ["2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"];

/// A moment to the second: fractions are dropped.
///
/// # Errors
///
/// When the text is no moment, in Go's words.
pub fn canonical_time(text: &str) -> Result<String, String> {
    let rest = after_seconds(text, SECONDS)?;
    let fraction =
        rest.strip_prefix(['.', ',']).filter(|tail| tail.starts_with(|digit: char| digit.is_ascii_digit()));
    let rest = fraction.map_or(rest, |tail| tail.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    zone(text, rest, SECONDS)?;
    let whole = text.get(..19).unwrap_or_default();
    Ok(moment(text, &format!("{whole}{rest}"))?.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// A moment to the microsecond: exactly six digits.
///
/// # Errors
///
/// When the text is no moment, in Go's words.
pub fn canonical_micro_time(text: &str) -> Result<String, String> {
    let rest = after_seconds(text, MICROSECONDS)?;
    let digits =
        rest.strip_prefix(['.', ',']).map_or(0, |tail| tail.bytes().take_while(u8::is_ascii_digit).count());
    if digits != 6 {
        return Err(cannot(text, MICROSECONDS, rest, ".000000"));
    }
    zone(text, rest.get(7..).unwrap_or_default(), MICROSECONDS)?;
    Ok(moment(text, text)?.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string())
}

fn cannot(text: &str, layout: &str, rest: &str, step: &str) -> String {
    format!("parsing time {text:?} as {layout:?}: cannot parse {rest:?} as {step:?}")
}

fn moment(text: &str, spelled: &str) -> Result<Timestamp, String> {
    spelled.parse().map_err(|_| {
        let number = |from: usize| {
            text.get(from..from + 2).and_then(|digits| digits.parse::<u8>().ok()).unwrap_or_default()
        };
        let part = match (number(5), number(11), number(14), number(17)) {
            (0 | 13.., ..) => "month",
            (_, 24.., ..) => "hour",
            (_, _, 60.., _) => "minute",
            (_, _, _, 60..) => "second",
            _ => "day",
        };
        format!("parsing time {text:?}: {part} out of range")
    })
}

/// What follows the seconds.
fn after_seconds<'a>(text: &'a str, layout: &str) -> Result<&'a str, String> {
    let mut rest = text;
    for step in STEPS {
        let fits = |piece: &str| match step.as_bytes() {
            [only] => piece.as_bytes() == [*only],
            _ => piece.bytes().all(|byte| byte.is_ascii_digit()),
        };
        let (Some(piece), Some(tail)) = (rest.get(..step.len()), rest.get(step.len()..)) else {
            return Err(cannot(text, layout, rest, step));
        };
        if !fits(piece) {
            return Err(cannot(text, layout, rest, step));
        }
        rest = tail;
    }
    Ok(rest)
}

fn zone(text: &str, rest: &str, layout: &str) -> Result<(), String> {
    let extra = |tail: &str| Err(format!("parsing time {text:?}: extra text: {tail:?}"));
    if let Some(tail) = rest.strip_prefix('Z') {
        return if tail.is_empty() { Ok(()) } else { extra(tail) };
    }
    let bytes = rest.as_bytes();
    let offset = matches!(bytes, [b'+' | b'-', a, b, b':', c, d, ..] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()));
    if !offset {
        return Err(cannot(text, layout, rest, "Z07:00"));
    }
    match rest.get(6..) {
        None | Some("") => Ok(()),
        Some(tail) => extra(tail),
    }
}
