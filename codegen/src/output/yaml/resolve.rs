//! What plain text would be read as: text that looks like something else needs quotes.

/// Words that old readers take for true, false or nothing.
const WORDS: [&str; 11] = ["", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// Whether a reader takes this plain text for text.
pub(super) fn is_text(text: &str) -> bool {
    !(is_word(text) || text == "<<" || is_number(text) || is_time(text) || is_sexagesimal(text))
}

/// One of the words in lower case, upper case or with a capital.
fn is_word(text: &str) -> bool {
    let mut letters = text.chars();
    let tail = letters.next().map_or("", |_| letters.as_str());
    let one_case =
        tail.chars().all(|letter| letter.is_lowercase()) || text.chars().all(|letter| letter.is_uppercase());
    (text == "~" || one_case) && WORDS.contains(&text.to_lowercase().as_str())
}

fn is_number(text: &str) -> bool {
    let plain = text.replace('_', "");
    let unsigned = plain.strip_prefix(['-', '+']).unwrap_or(&plain);
    let based = |prefix: &str, radix: u32| {
        unsigned.strip_prefix(prefix).is_some_and(|digits| u64::from_str_radix(digits, radix).is_ok())
    };
    let special = [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(&unsigned);
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return false;
    }
    special || is_decimal(unsigned) || based("0x", 16) || based("0b", 2) || based("0o", 8)
}

/// `12`, `1.5`, `.5`, `1e3`, `1.5e-3`.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(m, e)| (m, Some(e)));
    let digits = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
    let mantissa_is_number = match fraction {
        None => digits(whole),
        Some(fraction) => {
            (whole.is_empty() || digits(whole))
                && (digits(fraction) || (fraction.is_empty() && digits(whole)))
        }
    };
    let exponent_is_number =
        exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    mantissa_is_number && exponent_is_number
}

/// `2024-01-15`, also with a time of day behind it.
fn is_time(text: &str) -> bool {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    };
    let parts: Vec<&str> = date.split('-').collect();
    let number = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.chars().all(|letter| letter.is_ascii_digit())
    };
    let [year, month, day] = parts.as_slice() else { return false };
    let is_date = year.len() == 4 && number(year, 4) && number(month, 2) && number(day, 2);
    let is_time = |time: &str| {
        time.contains(':') && time.chars().all(|letter| letter.is_ascii_digit() || ":.+-Zz".contains(letter))
    };
    is_date && time.is_none_or(is_time)
}

/// `1:30`, a number to the base of 60 for old readers.
fn is_sexagesimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digit = |letter: char| letter.is_ascii_digit() || letter == '_';
    let mut parts = whole.split(':');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    let minute = |part: &&str| part.parse::<u8>().is_ok_and(|value| value < 60) && part.len() <= 2;
    first.starts_with(|letter: char| letter.is_ascii_digit())
        && first.chars().all(digit)
        && !rest.is_empty()
        && rest.iter().all(minute)
        && fraction.chars().all(digit)
}
