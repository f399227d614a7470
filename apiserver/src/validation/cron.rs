//! Schedules of cron: whether a text is one, and what is said where it is none.

/// One field of a schedule.
struct Part {
    low: u32,
    high: u32,
    names: &'static [&'static str],
}

const PARTS: [Part; 5] = [
    Part { low: 0, high: 59, names: &[] },
    Part { low: 0, high: 23, names: &[] },
    Part { low: 1, high: 31, names: &[] },
    Part {
        low: 1,
        high: 12,
        names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    },
    Part { low: 0, high: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];
const WORDS: &[&str] = &["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// Checks a schedule.
///
/// # Errors
///
/// What a real server's parser says.
pub(super) fn parse(text: &str) -> Result<(), String> {
    let mut text = text;
    if text.starts_with("TZ=") || text.starts_with("CRON_TZ=") {
        text = text.split_once(' ').map_or("", |(_, rest)| rest.trim());
    }
    if text.starts_with('@') {
        return descriptor(text);
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() != PARTS.len() {
        return Err(format!("expected exactly 5 fields, found {}: [{}]", fields.len(), fields.join(" ")));
    }
    fields
        .iter()
        .zip(&PARTS)
        .try_for_each(|(field, part)| field.split(',').try_for_each(|range| self::range(range, part)))
}

fn descriptor(text: &str) -> Result<(), String> {
    if WORDS.contains(&text) {
        return Ok(());
    }
    match text.strip_prefix("@every ") {
        Some(duration) if is_duration(duration) => Ok(()),
        Some(duration) => {
            Err(format!("failed to parse duration {text}: time: invalid duration {duration:?}"))
        }
        None => Err(format!("unrecognized descriptor: {text}")),
    }
}

/// Whether a text is like `1h30m`.
fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut any = false;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let (number, tail) = rest.split_at(digits);
        if !number.bytes().any(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let units = ["ms", "us", "µs", "ns", "h", "m", "s"];
        let Some(tail) = units.iter().find_map(|unit| tail.strip_prefix(unit)) else { return false };
        any = true;
        rest = tail;
    }
    any
}

fn range(text: &str, part: &Part) -> Result<(), String> {
    let steps: Vec<&str> = text.split('/').collect();
    let ends: Vec<&str> = steps.first().copied().unwrap_or_default().split('-').collect();
    let first = ends.first().copied().unwrap_or_default();
    let (start, mut end) = if matches!(first, "*" | "?") {
        (part.low, part.high)
    } else {
        let start = number(first, part)?;
        match ends.as_slice() {
            [_] => (start, start),
            [_, last] => (start, number(last, part)?),
            _ => return Err(format!("too many hyphens: {text}")),
        }
    };
    let step = match steps.as_slice() {
        [_] => 1,
        [_, step] => {
            if ends.len() == 1 {
                end = part.high;
            }
            plain(step)?
        }
        _ => return Err(format!("too many slashes: {text}")),
    };
    if start < part.low {
        return Err(format!("beginning of range ({start}) below minimum ({}): {text}", part.low));
    }
    if end > part.high {
        return Err(format!("end of range ({end}) above maximum ({}): {text}", part.high));
    }
    if start > end {
        return Err(format!("beginning of range ({start}) beyond end of range ({end}): {text}"));
    }
    if step == 0 {
        return Err(format!("step of range should be a positive number: {text}"));
    }
    Ok(())
}

fn number(text: &str, part: &Part) -> Result<u32, String> {
    let lower = text.to_lowercase();
    let named = part.names.iter().zip(part.low..).find(|(name, _)| **name == lower);
    named.map_or_else(|| plain(text), |(_, number)| Ok(number))
}

fn plain(text: &str) -> Result<u32, String> {
    let number: i64 = text.parse().map_err(|_| {
        format!("failed to parse int from {text}: strconv.Atoi: parsing {text:?}: invalid syntax")
    })?;
    u32::try_from(number).map_err(|_| format!("negative number ({number}) not allowed: {text}"))
}
