//! Times as Go writes them.

use std::{cmp::Ordering, fmt};

use jiff::{SignedDuration, Timestamp, civil::DateTime, tz::TimeZone};

/// A moment of the years 0 to 9999, and how far the clock that told it is from UTC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    utc: DateTime,
    /// In seconds.
    offset: i64,
}

impl Moment {
    /// Reads a moment as RFC 3339 has it, and with a comma before the fraction.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.is_ascii().then_some(text)?;
        let seconds = text.get(..19)?;
        let shape = seconds.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            10 => byte == b'T',
            13 | 16 => byte == b':',
            _ => byte.is_ascii_digit(),
        });
        let rest = text.get(19..)?;
        let zone = rest.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ','))?;
        let (fraction, zone) = rest.split_at(zone);
        let nanoseconds: i32 = match fraction.strip_prefix(['.', ',']) {
            Some("") => return None,
            Some(digits) if digits.contains(['.', ',']) => return None,
            Some(digits) => format!("{digits:0<9}").get(..9)?.parse().ok()?,
            None if fraction.is_empty() => 0,
            None => return None,
        };
        let second: u8 = seconds.get(17..)?.parse().ok()?;
        if !shape || second > 59 {
            return None;
        }
        let local: DateTime = seconds.parse().ok()?;
        let local = local.with().subsec_nanosecond(nanoseconds).build().ok()?;
        let offset = read_zone(zone)?;
        Some(Self { utc: local.checked_sub(SignedDuration::from_secs(offset)).ok()?, offset })
    }

    pub(crate) fn from_second(second: i64) -> Option<Self> {
        let utc = epoch().checked_add(SignedDuration::from_secs(second)).ok()?;
        Self { utc, offset: 0 }.in_range()
    }

    /// The moment where it is of the years that expressions can name.
    pub(crate) fn in_range(self) -> Option<Self> {
        (1..=9999).contains(&self.utc.year()).then_some(self)
    }

    /// The seconds since 1970.
    pub(crate) fn as_second(self) -> i64 {
        let since = self.utc.duration_since(epoch());
        since.as_secs() - i64::from(since.subsec_nanos() < 0)
    }

    pub(crate) fn shifted(self, nanoseconds: i64) -> Option<Self> {
        let utc = self.utc.checked_add(SignedDuration::from_nanos(nanoseconds)).ok()?;
        Self { utc, ..self }.in_range()
    }

    /// The nanoseconds since another moment.
    pub(crate) fn since(self, other: Self) -> Option<i64> {
        i64::try_from(self.utc.duration_since(other.utc).as_nanos()).ok()
    }

    /// What calendar and clock say in UTC.
    pub(crate) fn utc(self) -> DateTime {
        self.utc
    }

    /// What they say so many seconds from UTC.
    pub(crate) fn at(self, offset: i64) -> Option<DateTime> {
        self.utc.checked_add(SignedDuration::from_secs(offset)).ok()
    }

    /// What they say in a zone.
    pub(crate) fn within(self, zone: &TimeZone) -> Option<DateTime> {
        let nearest = Timestamp::from_second(self.as_second());
        let nearest = nearest.unwrap_or(if self.utc.year() > 0 { Timestamp::MAX } else { Timestamp::MIN });
        self.at(zone.to_offset(nearest).seconds().into())
    }
}

fn epoch() -> DateTime {
    DateTime::constant(1970, 1, 1, 0, 0, 0, 0)
}

/// `Z`, or hours and minutes.
fn read_zone(text: &str) -> Option<i64> {
    let (sign, rest) = match text.strip_prefix(['+', '-']) {
        None => return (text == "Z").then_some(0),
        Some(rest) => (if text.starts_with('-') { -1 } else { 1 }, rest),
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |text: &str, most: i64| {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<i64>().ok()).flatten().filter(|number| *number <= most)
    };
    Some(sign * (number(hours, 24)? * 3600 + number(minutes, 60)? * 60))
}

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.utc == other.utc
    }
}

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> Ordering {
        self.utc.cmp(&other.utc)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = self.at(self.offset).unwrap_or(self.utc);
        write!(f, "{:04}-{:02}-{:02}T", local.year(), local.month(), local.day())?;
        write!(f, "{:02}:{:02}:{:02}", local.hour(), local.minute(), local.second())?;
        if local.subsec_nanosecond() != 0 {
            let fraction = format!("{:09}", local.subsec_nanosecond());
            write!(f, ".{}", fraction.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
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
