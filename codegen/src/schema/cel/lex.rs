//! The lexer: text to tokens with their bytes.

use super::escapes;
use super::{Fault, What};
use std::ops::Range;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Ident(String),
    /// A whole number without its sign.
    Int(u64),
    Uint(u64),
    Double(f64),
    /// A text as it is meant.
    Text(String),
    Bytes(Vec<u8>),
    /// An operator or a bracket.
    Sign(&'static str),
}

/// The signs, longer ones first.
const SIGNS: [&str; 26] = [
    "&&", "||", "==", "!=", "<=", ">=", "[?", ".?", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ".",
    ",", "(", ")", "[", "]", "{", "}",
];

/// The tokens of a text.
pub(super) fn lex(text: &str) -> Result<Vec<(Token, Range<usize>)>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        if next.is_whitespace() {
            at += next.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some((token, length)) = quoted(rest, at)? {
            tokens.push((token, at..at + length));
            at += length;
        } else if next.is_ascii_digit() || (next == '.' && rest.get(1..2).is_some_and(is_digits)) {
            let (token, length) = number(rest);
            let token = token.ok_or_else(|| syntax(at..at + length, "this number is too large"))?;
            tokens.push((token, at..at + length));
            at += length;
        } else if next.is_ascii_alphabetic() || next == '_' || next == '`' {
            let length = identifier(rest);
            let name = rest.get(..length).unwrap_or_default().trim_matches('`').to_owned();
            tokens.push((Token::Ident(name), at..at + length));
            at += length;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push((Token::Sign(sign), at..at + sign.len()));
            at += sign.len();
        } else {
            return Err(syntax(at..at + next.len_utf8(), format!("`{next}` means nothing")));
        }
    }
    Ok(tokens)
}

pub(super) fn syntax(bytes: Range<usize>, reason: impl Into<String>) -> Fault {
    Fault { bytes, what: What::Syntax(reason.into()) }
}

fn is_digits(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_digit())
}

/// The length of a name, which may stand between backticks.
fn identifier(rest: &str) -> usize {
    if let Some(inner) = rest.strip_prefix('`') {
        return inner.find('`').map_or(rest.len(), |end| end + 2);
    }
    rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len())
}

/// A text or bytes: `'..'`, `"..."`, three quotes, with `r` and `b` before them.
fn quoted(rest: &str, at: usize) -> Result<Option<(Token, usize)>, Fault> {
    let prefix = rest.len() - rest.trim_start_matches(['r', 'R', 'b', 'B']).len();
    let (before, body) = rest.split_at_checked(prefix).unwrap_or(("", rest));
    let Some(quote) = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| body.starts_with(quote)) else {
        return Ok(None);
    };
    if prefix > 2 {
        return Ok(None);
    }
    let is_raw = before.contains(['r', 'R']);
    let inner = body.get(quote.len()..).unwrap_or_default();
    let mut letters = inner.char_indices();
    while let Some((end, letter)) = letters.next() {
        if letter == '\\' && !is_raw {
            letters.next();
        } else if inner.get(end..).is_some_and(|rest| rest.starts_with(quote)) {
            let value = inner.get(..end).unwrap_or_default();
            let length = prefix + 2 * quote.len() + end;
            let wrong = |escape: String| syntax(at..at + length, format!("`{escape}` is no escape"));
            let token = match (before.contains(['b', 'B']), is_raw) {
                (true, true) => Token::Bytes(value.as_bytes().to_vec()),
                (true, false) => Token::Bytes(escapes::bytes(value).map_err(wrong)?),
                (false, true) => Token::Text(value.to_owned()),
                (false, false) => Token::Text(escapes::text(value).map_err(wrong)?),
            };
            return Ok(Some((token, length)));
        }
    }
    Err(syntax(at..at + rest.len(), format!("a text is not closed with {quote}")))
}

/// A number and its length; no number when it is too large.
fn number(rest: &str) -> (Option<Token>, usize) {
    if let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        let digits = hex.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(hex.len());
        return whole(rest, 2 + digits, u64::from_str_radix(hex.get(..digits).unwrap_or_default(), 16).ok());
    }
    let run = |from: usize| {
        let rest = rest.get(from..).unwrap_or_default();
        rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len())
    };
    let digits = run(0);
    let mut end = digits;
    // `1.size()` is no fraction.
    if rest.get(end..).is_some_and(|rest| rest.starts_with('.')) && run(end + 1) > 0 {
        end += 1 + run(end + 1);
    }
    if rest.get(end..).is_some_and(|rest| rest.starts_with(['e', 'E'])) {
        let sign = usize::from(rest.get(end + 1..).is_some_and(|rest| rest.starts_with(['+', '-'])));
        if run(end + 1 + sign) > 0 {
            end += 1 + sign + run(end + 1 + sign);
        }
    }
    let read = rest.get(..end).unwrap_or_default();
    if end == digits {
        whole(rest, digits, read.parse().ok())
    } else {
        (read.parse().ok().filter(|value: &f64| value.is_finite()).map(Token::Double), end)
    }
}

fn whole(rest: &str, length: usize, value: Option<u64>) -> (Option<Token>, usize) {
    if rest.get(length..).is_some_and(|rest| rest.starts_with(['u', 'U'])) {
        return (value.map(Token::Uint), length + 1);
    }
    // The least number of all is written with a sign before it.
    (value.filter(|value| *value <= i64::MIN.unsigned_abs()).map(Token::Int), length)
}
