//! Regular expressions as Go reads them.
//!
//! In: Go's syntax (RE2). Out: an expression of the `regex` crate with the same meaning, or Go's complaint, which
//! `syntax` finds. It compiles; it caches nothing.

mod syntax;

use regex::{Regex, RegexBuilder};

/// The most memory that one expression may take, in bytes.
const SIZE: usize = 16 << 20;

/// Why an expression cannot be used, in Go's words as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error parsing regexp: {0}")]
pub(crate) struct GoRegexError(String);

/// Compiles an expression.
pub(crate) fn go_regex(pattern: &str) -> Result<Regex, GoRegexError> {
    syntax::check(pattern).map_err(GoRegexError)?;
    RegexBuilder::new(&translated(pattern)).size_limit(SIZE).build().map_err(|error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default();
        GoRegexError(format!("{}: `{pattern}`", last.trim_start_matches("error: ")))
    })
}

fn translated(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut letters = pattern.chars().peekable();
    let mut in_class = false;
    let mut first = false;
    while let Some(letter) = letters.next() {
        let was_first = std::mem::take(&mut first);
        match letter {
            '\\' => escape(&mut out, letters.next().unwrap_or('\\'), in_class, &mut letters),
            '[' if !in_class => {
                in_class = true;
                first = true;
                out.push('[');
                if letters.peek() == Some(&'^') {
                    letters.next();
                    out.push('^');
                }
            }
            '[' if letters.peek() == Some(&':') => {
                // A named class ends with its own bracket.
                out.push('[');
                let mut last = ' ';
                for letter in letters.by_ref() {
                    out.push(letter);
                    if last == ':' && letter == ']' {
                        break;
                    }
                    last = letter;
                }
            }
            ']' if in_class && was_first => out.push_str("\\]"),
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '[' | '&' | '~' if in_class => {
                out.push('\\');
                out.push(letter);
            }
            '-' if in_class && letters.peek() == Some(&'-') => out.push_str("\\-"),
            '(' if !in_class && letters.peek() == Some(&'?') => group(&mut out, &mut letters),
            '{' if !in_class && !is_repetition(&letters) => out.push_str("\\{"),
            '}' if !in_class && !closes_repetition(&out) => out.push_str("\\}"),
            letter => out.push(letter),
        }
    }
    out
}

/// The start of a group, without its name: Go takes names that the crate does not, and nobody asks for them.
fn group(out: &mut String, letters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let rest: String = letters.clone().collect();
    let name =
        rest.strip_prefix("?P<").or_else(|| rest.strip_prefix("?<")).and_then(|name| name.split_once('>'));
    if let Some((_, after)) = name {
        let skipped = rest.chars().count() - after.chars().count();
        letters.by_ref().take(skipped).for_each(drop);
    }
    out.push('(');
}

fn escape(
    out: &mut String,
    letter: char,
    in_class: bool,
    letters: &mut std::iter::Peekable<std::str::Chars<'_>>,
) {
    let class = match letter {
        'd' | 'D' => "0-9",
        'w' | 'W' => "0-9A-Za-z_",
        's' | 'S' => "\\t\\n\\x0C\\r ",
        'p' | 'P' if letters.peek() == Some(&'{') => {
            let mut name: String = letters.by_ref().take_while(|letter| *letter != '}').skip(1).collect();
            let negated = name.starts_with('^');
            if negated {
                name.remove(0);
            }
            let sign = if (letter == 'P') == negated { 'p' } else { 'P' };
            out.push_str(&format!("\\{sign}{{{name}}}"));
            return;
        }
        'Q' if !in_class => {
            let rest: String = letters.by_ref().collect();
            let (quoted, after) = rest.split_once("\\E").unwrap_or((&rest, ""));
            out.push_str(&regex::escape(quoted));
            out.push_str(&translated(after));
            return;
        }
        '0'..='7' => {
            let mut code = letter.to_digit(8).unwrap_or_default();
            while let Some(digit) = letters.peek().and_then(|next| next.to_digit(8)) {
                code = code * 8 + digit;
                letters.next();
            }
            out.push_str(&format!("\\x{{{code:x}}}"));
            return;
        }
        _ => {
            out.push('\\');
            out.push(letter);
            return;
        }
    };
    let negated = letter.is_ascii_uppercase();
    match (in_class, negated) {
        (true, false) => out.push_str(class),
        (_, true) => out.push_str(&format!("[^{class}]")),
        (false, false) => out.push_str(&format!("[{class}]")),
    }
}

/// Whether what follows `{` makes it a repetition: `2}`, `2,}` or `2,3}`.
fn is_repetition(letters: &std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let rest: String = letters.clone().take_while(|letter| *letter != '}').collect();
    let closed = letters.clone().any(|letter| letter == '}');
    let (low, high) = rest.split_once(',').unwrap_or((&rest, "0"));
    let digits = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
    closed && !low.is_empty() && digits(low) && digits(high)
}

/// Whether `}` ends something that was opened and not escaped.
fn closes_repetition(out: &str) -> bool {
    match out.rfind('{') {
        Some(at) => {
            let open = out.get(at..).unwrap_or_default();
            let escaped = out.get(..at).unwrap_or_default().ends_with('\\');
            !escaped && !open.contains('}')
        }
        None => false,
    }
}
