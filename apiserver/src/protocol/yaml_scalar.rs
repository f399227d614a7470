//! How a text is written in YAML: as it is, or in which quotes.
//!
//! In: a text. Out: its style, by what a reader would take it for, and by the letters in it.

/// The ways to write a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    /// Line by line, as it is.
    Literal,
}

/// How a text is written.
pub(super) fn style(text: &str) -> Style {
    let traits = Traits::of(text);
    if text.contains('\n') {
        return if traits.block { Style::Literal } else { Style::Double };
    }
    if is_other(text) {
        return Style::Double;
    }
    if traits.plain {
        Style::Plain
    } else if traits.single {
        Style::Single
    } else {
        Style::Double
    }
}

/// What the letters of a text allow.
struct Traits {
    plain: bool,
    single: bool,
    block: bool,
}

impl Traits {
    fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let blank = |letter: Option<&char>| letter.is_none_or(|letter| matches!(letter, ' ' | '\t'));
        let space = |letter: Option<&char>| letter == Some(&' ');
        let line = |letter: Option<&char>| letter.is_some_and(|letter| is_break(*letter));
        let mut marked = text.starts_with("---") || text.starts_with("...");
        let (mut special, mut broken, mut space_first, mut break_first) = (false, false, false, false);
        for (index, letter) in letters.iter().enumerate() {
            let (before, after) =
                (index.checked_sub(1).and_then(|at| letters.get(at)), letters.get(index + 1));
            marked |= match letter {
                '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@'
                | '`'
                    if index == 0 =>
                {
                    true
                }
                '?' | '-' if index == 0 => blank(after) || line(after),
                ':' => blank(after) || line(after),
                '#' => blank(before) || line(before),
                _ => false,
            };
            special |= !is_printable(*letter);
            broken |= is_break(*letter);
            break_first |= *letter == ' ' && line(before);
            space_first |= is_break(*letter) && space(before);
        }
        let (first, last) = (letters.first(), letters.last());
        let edges = space(first) || line(first) || space(last) || line(last);
        let bad = special || space_first;
        Self {
            plain: !(marked || edges || broken || break_first || bad),
            single: !(break_first || bad),
            block: !(space(last) || bad || text.is_empty()),
        }
    }
}

fn is_break(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a letter may stand in YAML as it is.
pub(super) fn is_printable(letter: char) -> bool {
    matches!(letter, '\n' | ' '..='~' | '\u{a0}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Whether a reader would take a plain text for something else than a text.
fn is_other(text: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "yes", "true", "on", "n", "no", "false", "off", "null"];
    let lower = text.to_ascii_lowercase();
    let first_upper = |text: &str| {
        let mut letters = text.chars();
        letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
            && letters.all(|letter| letter.is_ascii_lowercase())
    };
    let usual = text == lower || text == text.to_ascii_uppercase() || first_upper(text);
    if text.is_empty() || text == "~" || (usual && WORDS.contains(&lower.as_str())) {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let special = |of: &str, forms: [&str; 3]| forms.contains(&of);
    if special(text, [".nan", ".NaN", ".NAN"]) || special(unsigned, [".inf", ".Inf", ".INF"]) {
        return true;
    }
    match text.bytes().next() {
        Some(b'.') => text.parse::<f64>().is_ok(),
        Some(b'+' | b'-' | b'0'..=b'9') => is_number(text) || is_time(text) || is_of_sixties(text),
        _ => false,
    }
}

fn is_number(text: &str) -> bool {
    let plain: String = text.chars().filter(|letter| *letter != '_').collect();
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    let based =
        [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)].iter().any(|(prefix, base)| {
            unsigned.strip_prefix(prefix).is_some_and(|digits| {
                u64::from_str_radix(digits, *base).is_ok() && !digits.starts_with(['+', '-'])
            })
        });
    based || is_decimal(unsigned)
}

fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let power = exponent.map(|power| power.strip_prefix(['+', '-']).unwrap_or(power));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && power.is_none_or(|power| !power.is_empty() && digits(power))
}

/// A day, or a moment.
fn is_time(text: &str) -> bool {
    let number = |part: &str, most: usize| {
        !part.is_empty() && part.len() <= most && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (day, clock) = match text.find(['T', 't', ' ']) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at..)),
        None => (text, None),
    };
    let parts: Vec<&str> = day.split('-').collect();
    let [year, month, date] = parts.as_slice() else { return false };
    if !(year.len() == 4 && number(year, 4) && number(month, 2) && number(date, 2)) {
        return false;
    }
    let Some(clock) = clock else { return true };
    let zoned = clock.starts_with(['T', 't']);
    let clock = clock.trim_start_matches(['T', 't', ' ']);
    let end = clock.find(['Z', '+', '-']).unwrap_or(clock.len());
    if zoned != (end < clock.len()) {
        return false;
    }
    let parts: Vec<&str> = clock.get(..end).unwrap_or_default().split(':').collect();
    let [hours, minutes, seconds] = parts.as_slice() else { return false };
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    number(hours, 2) && number(minutes, 2) && number(seconds, 2) && number(fraction, 9)
}

/// A number to the base of sixty, such as `1:30`, which older readers know.
fn is_of_sixties(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or_default();
    let whole = first.starts_with(|digit: char| digit.is_ascii_digit())
        && first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let rest: Vec<&str> = parts.collect();
    let last = rest.len().saturating_sub(1);
    let sixty = |(index, part): (usize, &&str)| {
        let part = if index == last { part.split('.').next().unwrap_or_default() } else { part };
        let tens = part.len() < 2 || part.starts_with(['0', '1', '2', '3', '4', '5']);
        matches!(part.len(), 1 | 2) && tens && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    whole && !rest.is_empty() && rest.iter().enumerate().all(sixty)
}
