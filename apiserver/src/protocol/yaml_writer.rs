//! JSON values as YAML, as Go's writer of YAML has it: block form, keys in natural order, texts plain where nothing else could be read
//! from them, long ones folded.
//!
//! In: a value. Out: its text. It knows nothing of kinds.

use std::{cmp::Ordering, fmt::Write as _};

use serde_json::{Map, Value};

use super::{
    go_number::go_float,
    yaml_scalar::{Style, style},
};

/// How deep a new level stands.
const STEP: usize = 2;
/// Beyond this column a text goes on in the next line.
const WIDTH: usize = 80;

/// The text of a value.
pub(crate) fn to_yaml(value: &Value) -> String {
    let mut writer = Writer { out: String::new(), column: 0 };
    match value {
        Value::Object(members) if !members.is_empty() => writer.object(members, 0, Start::Line),
        Value::Array(items) if !items.is_empty() => writer.list(items, 0, Start::Line),
        scalar => {
            writer.flat(scalar, STEP);
            writer.put("\n");
        }
    }
    writer.out
}

/// Where the first member or item of a collection is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// At the beginning of a line.
    Line,
    /// Behind the dash of a list.
    Dash,
}

struct Writer {
    out: String,
    column: usize,
}

impl Writer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, rest)) => rest.chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn pad(&mut self, indent: usize) {
        self.put(&" ".repeat(indent));
    }

    fn line(&mut self, indent: usize) {
        self.put("\n");
        self.pad(indent);
    }

    fn object(&mut self, members: &Map<String, Value>, indent: usize, start: Start) {
        let mut members: Vec<(&String, &Value)> = members.iter().collect();
        members.sort_by(|(left, _), (right, _)| natural(left, right));
        for (index, (name, value)) in members.into_iter().enumerate() {
            if index > 0 || start == Start::Line {
                self.pad(indent);
            }
            self.key(name);
            self.put(":");
            match value {
                Value::Object(inner) if !inner.is_empty() => {
                    self.put("\n");
                    self.object(inner, indent + STEP, Start::Line);
                }
                Value::Array(items) if !items.is_empty() => {
                    self.put("\n");
                    self.list(items, indent, Start::Line);
                }
                scalar => {
                    self.put(" ");
                    self.flat(scalar, indent + STEP);
                    self.put("\n");
                }
            }
        }
    }

    fn list(&mut self, items: &[Value], indent: usize, start: Start) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 || start == Start::Line {
                self.pad(indent);
            }
            self.put("- ");
            match item {
                Value::Object(members) if !members.is_empty() => {
                    self.object(members, indent + STEP, Start::Dash);
                }
                Value::Array(inner) if !inner.is_empty() => self.list(inner, indent + STEP, Start::Dash),
                scalar => {
                    self.flat(scalar, indent + STEP);
                    self.put("\n");
                }
            }
        }
    }

    fn key(&mut self, name: &str) {
        match style(name) {
            Style::Plain => self.put(name),
            Style::Single => self.put(&format!("'{}'", name.replace('\'', "''"))),
            Style::Literal | Style::Double => {
                let text = escaped(name);
                self.put(&text);
            }
        }
    }

    /// A value without parts; `indent` is where its further lines begin.
    fn flat(&mut self, value: &Value, indent: usize) {
        match value {
            Value::String(text) => self.text(text, indent),
            Value::Number(number) => {
                let text = match number.as_f64().filter(|_| number.is_f64()) {
                    Some(float) => go_float(float),
                    None => number.to_string(),
                };
                self.put(&text);
            }
            Value::Object(_) => self.put("{}"),
            Value::Array(_) => self.put("[]"),
            other => self.put(&other.to_string()),
        }
    }

    fn text(&mut self, text: &str, indent: usize) {
        match style(text) {
            Style::Plain => self.folded(text, indent, ""),
            Style::Single => {
                self.put("'");
                self.folded(&text.replace('\'', "''"), indent, "'");
            }
            Style::Double => {
                let text = escaped(text);
                self.double(&text, indent);
            }
            Style::Literal => self.literal(text, indent),
        }
    }

    /// Appends a text in one or more lines; a single space beyond the width is the end of a line.
    fn folded(&mut self, text: &str, indent: usize, end: &str) {
        let letters: Vec<char> = text.chars().collect();
        let mut before = '\0';
        for (index, letter) in letters.iter().enumerate() {
            let next = letters.get(index + 1);
            let inside = index > 0 && next.is_some();
            if *letter == ' ' && before != ' ' && self.column > WIDTH && inside && next != Some(&' ') {
                self.line(indent);
            } else {
                if is_separator(before) && !is_separator(*letter) {
                    self.pad(indent);
                }
                self.put(letter.encode_utf8(&mut [0; 4]));
            }
            before = *letter;
        }
        self.put(end);
    }

    /// The same for a text in double quotes, where a space at the beginning of a line has to be marked.
    fn double(&mut self, text: &str, indent: usize) {
        let letters: Vec<char> = text.chars().collect();
        let mut before = '\0';
        for (index, letter) in letters.iter().enumerate() {
            let inside = index > 1 && index + 2 < letters.len();
            if *letter == ' ' && before != ' ' && self.column > WIDTH && inside {
                self.line(indent);
                if letters.get(index + 1) == Some(&' ') {
                    self.put("\\");
                }
            } else {
                self.put(letter.encode_utf8(&mut [0; 4]));
            }
            before = *letter;
        }
    }

    /// A text with line breaks, as it is.
    fn literal(&mut self, text: &str, indent: usize) {
        self.put("|");
        if text.starts_with([' ', '\n']) {
            self.put("2");
        }
        let body = match text.strip_suffix('\n') {
            None => {
                self.put("-");
                text
            }
            Some(body) if body.is_empty() || body.ends_with('\n') => {
                self.put("+");
                body
            }
            Some(body) => body,
        };
        for line in body.split('\n') {
            self.put("\n");
            let mut at_start = true;
            for letter in line.chars() {
                // Separators of lines and paragraphs are breaks to the writer, and stand where they are.
                if std::mem::replace(&mut at_start, is_separator(letter)) && !is_separator(letter) {
                    self.pad(indent);
                }
                self.put(letter.encode_utf8(&mut [0; 4]));
            }
        }
    }
}

/// Whether a letter ends a line to YAML and none to JSON.
fn is_separator(letter: char) -> bool {
    matches!(letter, '\u{2028}' | '\u{2029}')
}

/// A text in double quotes, with everything that cannot be printed written out.
fn escaped(text: &str) -> String {
    // Behind a byte order mark a real server's writer takes every letter for one.
    let is_marked = text.starts_with('\u{feff}');
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0' => out.push_str("\\0"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\x1b' => out.push_str("\\e"),
            '\u{85}' => out.push_str("\\N"),
            '\u{2028}' => out.push_str("\\L"),
            '\u{2029}' => out.push_str("\\P"),
            other if super::yaml_scalar::is_printable(other) && !is_marked => out.push(other),
            other => {
                let code = u32::from(other);
                // Writing into a text does not fail.
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02X}"),
                    0x100..=0xffff => write!(out, "\\u{code:04X}"),
                    _ => write!(out, "\\U{code:08X}"),
                };
            }
        }
    }
    out.push('"');
    out
}

/// The natural order of keys: numbers in them count as numbers, and letters come after everything else.
fn natural(left: &str, right: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let Some(at) = a.iter().zip(&b).position(|(left, right)| left != right) else {
        return a.len().cmp(&b.len());
    };
    let (Some(&x), Some(&y)) = (a.get(at), b.get(at)) else { return Ordering::Equal };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // A nought within a number counts as one of its digits.
    let within = (x == '0' || y == '0')
        && a.iter().take(at).rev().take_while(|letter| letter.is_ascii_digit()).any(|digit| *digit != '0');
    let run = |letters: &[char]| {
        let digits: Vec<u32> = letters.iter().skip(at).map_while(|letter| letter.to_digit(10)).collect();
        let start = u128::from(within);
        let number = digits
            .iter()
            .fold(start, |number, digit| number.saturating_mul(10).saturating_add(u128::from(*digit)));
        (number, digits.len())
    };
    run(&a).cmp(&run(&b)).then(x.cmp(&y))
}
