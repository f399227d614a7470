//! Classes and escapes.
//!
//! In: an expression from `[` or `\` on. Out: the same in Rust's syntax, and what follows it. It knows nothing of what stands before.

use crate::GoRegexError;
use crate::reader::{Read, until};

/// The last letter before those that stand for halves of others, and the first one after them.
const HALVES: (u32, u32) = (0xD7FF, 0xE000);

/// What an escape stands for.
pub(crate) enum Escape {
    Letter(u32),
    /// What stands between the brackets of a class.
    Class(String),
}

/// A letter by its number, outside of classes. Halves of letters are found nowhere.
pub(crate) fn letter(code: u32) -> String {
    range(code, code).map_or_else(|| "[^\\x{0}-\\x{10FFFF}]".to_owned(), |range| format!("[{range}]"))
}

/// A range of letters as part of a class, without the halves of letters.
fn range(low: u32, high: u32) -> Option<String> {
    let is_half = |code: u32| code > HALVES.0 && code < HALVES.1;
    let low = if is_half(low) { HALVES.1 } else { low };
    let high = if is_half(high) { HALVES.0 } else { high };
    (low <= high).then(|| format!("\\x{{{low:x}}}-\\x{{{high:x}}}"))
}

/// A class, and what follows it.
pub(crate) fn class(here: &str) -> Read<(String, &str)> {
    let mut rest = here.strip_prefix('[').unwrap_or(here);
    let mut out = String::from("[");
    if let Some(after) = rest.strip_prefix('^') {
        out.push('^');
        rest = after;
    }
    let mut first = true;
    while first || !rest.starts_with(']') {
        first = false;
        if let Some((name, after)) = named(rest)? {
            out.push_str(name);
            rest = after;
            continue;
        }
        let item = rest;
        let (low, mut after) = match letter_of_class(rest, here)? {
            (Escape::Class(class), after) => {
                out.push_str(&class);
                rest = after;
                continue;
            }
            (Escape::Letter(code), after) => (code, after),
        };
        let mut high = low;
        if let Some(end) = after.strip_prefix('-')
            && !end.is_empty()
            && !end.starts_with(']')
        {
            (high, after) = end_of_range(end)?;
            if high < low {
                return Err(GoRegexError::new("invalid character class range", until(item, after)));
            }
        }
        out.push_str(&range(low, high).unwrap_or_default());
        rest = after;
    }
    out.push(']');
    Ok((out, rest.get(1..).unwrap_or_default()))
}

/// The last letter of a range. What stands for a class elsewhere stands for nothing here.
fn end_of_range(rest: &str) -> Read<(u32, &str)> {
    match rest.chars().next() {
        Some(letter) if letter != '\\' => {
            Ok((letter.into(), rest.get(letter.len_utf8()..).unwrap_or_default()))
        }
        _ => plain_escape(rest),
    }
}

/// A letter or escape within a class.
fn letter_of_class<'a>(rest: &'a str, class: &str) -> Read<(Escape, &'a str)> {
    match rest.chars().next() {
        None => Err(GoRegexError::new("missing closing ]", class)),
        Some('\\') => escape(rest),
        Some(letter) => {
            Ok((Escape::Letter(letter.into()), rest.get(letter.len_utf8()..).unwrap_or_default()))
        }
    }
}

/// `[:alpha:]` and its like.
fn named(rest: &str) -> Read<Option<(&str, &str)>> {
    let Some(end) = rest.strip_prefix("[:").and_then(|name| name.find(":]")) else { return Ok(None) };
    let (text, after) = rest.split_at_checked(end + 4).unwrap_or((rest, ""));
    let name = text.trim_start_matches("[:").trim_end_matches(":]");
    let known = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "word", "xdigit",
    ];
    if known.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Ok(Some((text, after)));
    }
    Err(GoRegexError::new("invalid character class range", text))
}

/// What an escape stands for, and what follows it.
pub(crate) fn escape(here: &str) -> Read<(Escape, &str)> {
    let letter = here.chars().nth(1);
    let after = here.get(2..).unwrap_or_default();
    let class = match letter {
        Some('d') => "0-9",
        Some('D') => "[^0-9]",
        Some('w') => "0-9A-Za-z_",
        Some('W') => "[^0-9A-Za-z_]",
        Some('s') => "\\t\\n\\x0C\\r ",
        Some('S') => "[^\\t\\n\\x0C\\r ]",
        Some('p' | 'P') => return unicode(here),
        _ => return plain_escape(here).map(|(code, after)| (Escape::Letter(code), after)),
    };
    Ok((Escape::Class(class.to_owned()), after))
}

/// `\pL`, `\p{Greek}`, `\P{^Lu}`.
fn unicode(here: &str) -> Read<(Escape, &str)> {
    let rest = here.get(2..).unwrap_or_default();
    let (name, after) = match rest.strip_prefix('{') {
        Some(braced) => {
            braced.split_once('}').ok_or_else(|| GoRegexError::new("invalid character class range", here))?
        }
        None => {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            rest.split_at_checked(length).unwrap_or((rest, ""))
        }
    };
    let negated = here.starts_with("\\P") != name.starts_with('^');
    let name = name.strip_prefix('^').unwrap_or(name);
    let is_word = !name.is_empty()
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_- ".contains(letter));
    let sort = ["gc", "sc"]
        .into_iter()
        .find(|sort| is_word && regex_syntax::parse(&format!("\\p{{{sort}={name}}}")).is_ok());
    let Some(sort) = sort else {
        return Err(GoRegexError::new("invalid character class range", until(here, after)));
    };
    let sign = if negated { 'P' } else { 'p' };
    Ok((Escape::Class(format!("\\{sign}{{{sort}={name}}}")), after))
}

/// An escape that stands for one letter.
fn plain_escape(here: &str) -> Read<(u32, &str)> {
    let mut letters = here.chars();
    letters.next();
    let Some(letter) = letters.next() else {
        return Err(GoRegexError::new("trailing backslash at end of expression", ""));
    };
    let after = letters.as_str();
    let found = match letter {
        '0'..='7' if letter == '0' || after.starts_with(|next: char| next.is_digit(8)) => {
            Some(octal(letter, after))
        }
        'x' => return hexadecimal(here, after),
        'a' => Some((7, after)),
        'f' => Some((12, after)),
        'n' => Some((10, after)),
        'r' => Some((13, after)),
        't' => Some((9, after)),
        'v' => Some((11, after)),
        _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => Some((letter.into(), after)),
        _ => None,
    };
    found.ok_or_else(|| GoRegexError::new("invalid escape sequence", until(here, after)))
}

/// Up to three digits, of which the first has been read.
fn octal(first: char, mut after: &str) -> (u32, &str) {
    let mut code = first.to_digit(8).unwrap_or_default();
    for _ in 0..2 {
        let Some(digit) = after.chars().next().and_then(|next| next.to_digit(8)) else { break };
        code = code * 8 + digit;
        after = after.get(1..).unwrap_or_default();
    }
    (code, after)
}

/// `\x41` or `\x{1F600}`; `after` begins behind the `x`.
fn hexadecimal<'a>(here: &'a str, after: &'a str) -> Read<(u32, &'a str)> {
    let invalid = |rest: &str| GoRegexError::new("invalid escape sequence", until(here, rest));
    let mut letters = after.chars();
    let first = letters.next().ok_or_else(|| invalid(after))?;
    if first != '{' {
        let low = letters.next();
        let digits = (first.to_digit(16), low.and_then(|low| low.to_digit(16)));
        return match digits {
            (Some(high), Some(low)) => Ok((high * 16 + low, letters.as_str())),
            _ => Err(invalid(letters.as_str())),
        };
    }
    let mut code = None;
    loop {
        let next = letters.next().ok_or_else(|| invalid(""))?;
        if let (Some(code), '}') = (code, next) {
            return Ok((code, letters.as_str()));
        }
        let digit = next.to_digit(16).ok_or_else(|| invalid(letters.as_str()))?;
        let longer = code.unwrap_or_default() * 16 + digit;
        if longer > u32::from(char::MAX) {
            return Err(invalid(letters.as_str()));
        }
        code = Some(longer);
    }
}
