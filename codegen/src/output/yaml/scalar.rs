//! Texts: which of the notations of YAML a text is written in, and its lines.

use super::resolve::is_text;

/// The column behind which a line is broken at the next blank.
const WIDTH: usize = 80;

/// The notations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Plain,
    Single,
    Double,
    Literal,
}

/// Where a text is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// The indent of its further lines.
    pub(super) indent: usize,
    /// The column at which it begins.
    pub(super) column: usize,
}

/// A key of a map; it stays on one line.
pub(super) fn key(text: &str) -> String {
    match notation(text) {
        Notation::Plain => text.to_owned(),
        Notation::Single => single(text, None),
        Notation::Double | Notation::Literal => double(text, None),
    }
}

/// A value.
pub(super) fn value(text: &str, spot: Spot) -> String {
    match notation(text) {
        Notation::Plain => folded(text, spot),
        Notation::Single => single(text, Some(spot)),
        Notation::Double => double(text, Some(spot)),
        Notation::Literal => literal(text, spot),
    }
}

/// What a text holds that stands against a notation.
fn notation(text: &str) -> Notation {
    if is_simple(text) {
        // The words that are no texts are short.
        return if text.len() > "false".len() || is_text(text) { Notation::Plain } else { Notation::Double };
    }
    let letters: Vec<char> = text.chars().collect();
    let is_break = |letter: &char| matches!(letter, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let breaks = letters.iter().any(is_break);
    let pairs = || letters.iter().zip(letters.iter().skip(1));
    let space_then_break = pairs().any(|(a, b)| *a == ' ' && is_break(b));
    let break_then_space = pairs().any(|(a, b)| is_break(a) && *b == ' ');
    let ends_in_space = letters.last() == Some(&' ');
    let begins_or_ends_blank = [letters.first(), letters.last()]
        .into_iter()
        .flatten()
        .any(|letter| *letter == ' ' || is_break(letter));
    let special = letters.iter().any(|letter| !is_break(letter) && !is_printable(*letter));
    let only_double = space_then_break || special;
    if text.contains('\n') {
        return if only_double || ends_in_space { Notation::Double } else { Notation::Literal };
    }
    if only_double || !is_text(text) {
        return Notation::Double;
    }
    if breaks || begins_or_ends_blank || has_indicators(&letters) {
        return if break_then_space { Notation::Double } else { Notation::Single };
    }
    Notation::Plain
}

/// Whether a text is one of those that most texts are: words of plain letters with nothing between them that could be syntax.
fn is_simple(text: &str) -> bool {
    let inner = |letter: u8| {
        letter.is_ascii_alphanumeric() || matches!(letter, b' ' | b'.' | b',' | b'_' | b'-' | b'/')
    };
    text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && !text.ends_with(' ')
        && text.bytes().all(inner)
}

fn is_printable(letter: char) -> bool {
    // Letters beyond the basic plane are escaped: Go's printer does so.
    matches!(letter, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
        && !matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Whether a letter of a text on one line would be read as syntax.
fn has_indicators(letters: &[char]) -> bool {
    let blank = |letter: Option<&char>| letter.is_none_or(|letter| letter.is_whitespace());
    let opening: String = letters.iter().take(3).collect();
    if opening == "---" || opening == "..." {
        return true;
    }
    letters.iter().enumerate().any(|(at, letter)| {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let next_is_blank = blank(letters.get(at + 1));
        match letter {
            '#' if at == 0 || blank(before) => true,
            ':' => next_is_blank,
            ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => {
                at == 0
            }
            '?' | '-' if at == 0 => next_is_blank,
            _ => false,
        }
    })
}

/// Breaks text at single blanks behind the width.
fn folded(text: &str, spot: Spot) -> String {
    // A byte is a column at most.
    if spot.column + text.len() <= WIDTH {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let mut column = spot.column;
    let mut spaces = false;
    for (at, letter) in letters.iter().enumerate() {
        let inside = at > 0 && at + 1 < letters.len();
        if *letter == ' ' {
            if inside && !spaces && column > WIDTH && letters.get(at + 1) != Some(&' ') {
                line_break(&mut out, spot.indent, &mut column);
            } else {
                out.push(' ');
                column += 1;
            }
            spaces = true;
        } else {
            out.push(*letter);
            column += 1;
            spaces = false;
        }
    }
    out
}

fn line_break(out: &mut String, indent: usize, column: &mut usize) {
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    *column = indent;
}

fn single(text: &str, spot: Option<Spot>) -> String {
    let doubled = text.replace('\'', "''");
    let inner = match spot {
        Some(spot) => folded(&doubled, Spot { column: spot.column + 1, ..spot }),
        None => doubled,
    };
    format!("'{inner}'")
}

fn double(text: &str, spot: Option<Spot>) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::from("\"");
    let mut column = spot.map_or(0, |spot| spot.column) + 1;
    let mut spaces = false;
    for (at, letter) in letters.iter().enumerate() {
        let inside = at > 0 && at + 1 < letters.len();
        match spot {
            Some(spot) if *letter == ' ' && inside && !spaces && column > WIDTH => {
                line_break(&mut out, spot.indent, &mut column);
                if letters.get(at + 1) == Some(&' ') {
                    out.push('\\');
                    column += 1;
                }
            }
            _ => {
                let escaped = escape(*letter);
                column += escaped.chars().count();
                out.push_str(&escaped);
            }
        }
        spaces = *letter == ' ';
    }
    out.push('"');
    out
}

fn escape(letter: char) -> String {
    match letter {
        '\0' => "\\0".to_owned(),
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        '\u{1b}' => "\\e".to_owned(),
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{85}' => "\\N".to_owned(),
        '\u{2028}' => "\\L".to_owned(),
        '\u{2029}' => "\\P".to_owned(),
        _ if is_printable(letter) => letter.to_string(),
        _ => match u32::from(letter) {
            code @ ..=0xff => format!("\\x{code:02X}"),
            code @ 0x100..=0xffff => format!("\\u{code:04X}"),
            code => format!("\\U{code:08X}"),
        },
    }
}

fn literal(text: &str, spot: Spot) -> String {
    let indented = text.starts_with([' ', '\n']);
    let hint = if indented { "2" } else { "" };
    let chomping = match text.strip_suffix('\n') {
        None => "-",
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => "+",
        Some(_) => "",
    };
    let mut out = format!("|{hint}{chomping}");
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(&" ".repeat(spot.indent));
            out.push_str(line);
        }
    }
    out
}
