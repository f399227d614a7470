//! Values: the text behind an `=`, read as the kind that is asked for.

use super::grammar::Fault;
use super::registry::Kind;
use crate::diagnostic::MarkerProblem;
use std::ops::Range;

/// How deep lists and maps may be nested.
const DEPTH_LIMIT: usize = 32;

/// A parsed value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `true`, `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Another number.
    Float(f64),
    /// Text, without its quotes.
    Text(String),
    /// `a;b`, `{a,b}`.
    List(Vec<Self>),
    /// `{key: value}`.
    Map(Vec<(String, Self)>),
}

/// Reads values from the text of a marker.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    /// The marker's name, for messages.
    pub(super) name: &'a str,
    /// The whole text of the marker.
    pub(super) text: &'a str,
    /// The byte to read next.
    pub(super) at: usize,
}

type Read<T> = Result<T, Fault>;

impl<'a> Reader<'a> {
    /// What is left.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Moves on when this comes next.
    pub(super) fn eat(&mut self, expected: char) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// The name of the argument that comes next.
    pub(super) fn upcoming_name(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(['=', ',']).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default().trim()
    }

    /// Moves to the comma behind the argument that the reader is in, past commas within quotes.
    pub(super) fn skip_argument(&mut self) {
        while let Some(letter) = self.peek() {
            let quoted = matches!(letter, '"' | '`').then(|| self.string().is_ok());
            match (letter, quoted) {
                (',', _) => return,
                (_, Some(true)) => {}
                // A quote that is never closed holds the rest.
                (_, Some(false)) => self.at = self.text.len(),
                _ => self.at += letter.len_utf8(),
            }
        }
    }

    /// A value of a kind.
    pub(super) fn value(&mut self, kind: &Kind) -> Read<Value> {
        self.skip_blanks();
        match kind {
            Kind::Raw => {
                let text = self.rest().trim().to_owned();
                self.at = self.text.len();
                Ok(Value::Text(text))
            }
            Kind::Text => self.string().map(Value::Text),
            Kind::Choice(choices) => self.choice(choices),
            Kind::Bool => self.parsed("true or false", |text| text.parse().ok().map(Value::Bool)),
            Kind::Integer => self.parsed("a whole number", |text| text.parse().ok().map(Value::Integer)),
            Kind::Number => self.parsed("a number", |text| {
                text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float)
            }),
            Kind::TextList => self.list(&Kind::Text, 0),
            Kind::AnyList => self.list(&Kind::Any, 0),
            Kind::Any => self.any_or_list(),
        }
    }

    fn choice(&mut self, choices: &[&str]) -> Read<Value> {
        let start = self.at;
        let text = self.string()?;
        if choices.contains(&text.as_str()) {
            return Ok(Value::Text(text));
        }
        let names: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
        Err(self.wrong(&format!("one of {}", names.join(", ")), &text, start..self.at))
    }

    fn parsed(&mut self, expected: &str, parse: impl Fn(&str) -> Option<Value>) -> Read<Value> {
        let start = self.at;
        let mut text = self.bare();
        if self.name.starts_with("k8s:") {
            // These tags may have a comment behind their value.
            text = text.split('#').next().unwrap_or(text).trim();
            self.at = self.text.len();
        }
        parse(text).ok_or_else(|| self.wrong(expected, text, start..self.at))
    }

    fn wrong(&self, expected: &str, found: &str, at: Range<usize>) -> Fault {
        let problem = MarkerProblem::WrongType {
            name: self.name.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
        };
        Fault::new(problem, at)
    }

    /// Text without quotes: up to `,`, `;` or `}`.
    fn bare(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find([',', ';', '}']).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default().trim()
    }

    fn string(&mut self) -> Read<String> {
        match self.peek() {
            Some('"') => self.quoted(),
            Some('`') => {
                let start = self.at;
                let body = self.rest().get(1..).unwrap_or_default();
                let Some(end) = body.find('`') else { return Err(self.not_closed('`', start)) };
                self.at += end + 2;
                Ok(body.get(..end).unwrap_or_default().to_owned())
            }
            _ => Ok(self.bare().to_owned()),
        }
    }

    fn not_closed(&self, quote: char, start: usize) -> Fault {
        Fault::new(MarkerProblem::NotClosed { name: self.name.to_owned(), quote }, start..self.text.len())
    }

    /// A text between `"`, with Go's escapes.
    fn quoted(&mut self) -> Read<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(letter) = self.peek() {
            let here = self.at;
            self.at += letter.len_utf8();
            match letter {
                '"' => return Ok(text),
                '\\' => match self.escape() {
                    Some(letter) => text.push(letter),
                    None => {
                        let end = self.at.max(here + 1);
                        let escape = self.text.get(here..end).unwrap_or("\\").to_owned();
                        let problem = MarkerProblem::BadEscape { name: self.name.to_owned(), escape };
                        return Err(Fault::new(problem, here..end));
                    }
                },
                _ => text.push(letter),
            }
        }
        Err(self.not_closed('"', start))
    }

    fn escape(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        let simple = match letter {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' | '\'' | '"' => letter,
            'x' => return self.code(2, 16),
            'u' => return self.code(4, 16),
            'U' => return self.code(8, 16),
            '0'..='7' => {
                self.at -= 1;
                return self.code(3, 8);
            }
            _ => return None,
        };
        Some(simple)
    }

    fn code(&mut self, digits: usize, radix: u32) -> Option<char> {
        let text = self.rest().get(..digits)?;
        let code = u32::from_str_radix(text, radix).ok()?;
        self.at += digits;
        char::from_u32(code)
    }

    /// `a;b`, or `{a,b}`.
    fn list(&mut self, item: &Kind, depth: usize) -> Read<Value> {
        self.skip_blanks();
        if self.peek() == Some('{') {
            return self.braced(item, depth);
        }
        let mut items = Vec::new();
        if self.peek().is_none_or(|next| next == ',') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.list_item(item, depth)?);
            if !self.eat(';') {
                return Ok(Value::List(items));
            }
        }
    }

    fn braced(&mut self, item: &Kind, depth: usize) -> Read<Value> {
        let start = self.at;
        if depth > DEPTH_LIMIT {
            return Err(self.not_closed('}', start));
        }
        self.eat('{');
        let mut items = Vec::new();
        if self.eat('}') {
            return Ok(Value::List(items));
        }
        // Items of any kind are all of the kind of the first.
        let mut kind = *item;
        loop {
            items.push(self.list_item(&kind, depth)?);
            if let (Kind::Any, [only]) = (item, items.as_slice()) {
                kind = like(only);
            }
            if self.eat('}') {
                return Ok(Value::List(items));
            }
            if !self.eat(',') && !self.eat(';') {
                return Err(self.not_closed('}', start));
            }
        }
    }

    fn list_item(&mut self, item: &Kind, depth: usize) -> Read<Value> {
        self.skip_blanks();
        match item {
            Kind::Any => self.any(depth + 1),
            _ => self.value(item),
        }
    }

    /// Any value; a list may go without braces.
    fn any_or_list(&mut self) -> Read<Value> {
        let first = self.any(0)?;
        if self.peek() != Some(';') {
            return Ok(first);
        }
        let item = like(&first);
        let mut items = vec![first];
        while self.eat(';') {
            items.push(self.list_item(&item, 0)?);
        }
        Ok(Value::List(items))
    }

    /// A value whose kind is guessed.
    fn any(&mut self, depth: usize) -> Read<Value> {
        self.skip_blanks();
        match self.peek() {
            Some('"' | '`') => self.string().map(Value::Text),
            Some('{') if depth <= DEPTH_LIMIT => {
                let mut map = self.clone();
                match map.map(depth) {
                    Some(value) => {
                        self.at = map.at;
                        Ok(value)
                    }
                    None => self.braced(&Kind::Any, depth),
                }
            }
            _ => Ok(guess(self.bare())),
        }
    }

    /// A map, if it reads like one.
    fn map(&mut self, depth: usize) -> Option<Value> {
        self.eat('{');
        let mut entries = Vec::new();
        if self.eat('}') {
            return Some(Value::Map(entries));
        }
        loop {
            entries.push(self.entry(depth)?);
            if self.eat('}') {
                return Some(Value::Map(entries));
            }
            if !self.eat(',') {
                return None;
            }
        }
    }

    fn entry(&mut self, depth: usize) -> Option<(String, Value)> {
        self.skip_blanks();
        let key = match self.peek()? {
            '"' | '`' => self.string().ok()?,
            _ => {
                let rest = self.rest();
                let end = rest.find([':', ',', ';', '{', '}'])?;
                self.at += end;
                rest.get(..end)?.trim().to_owned()
            }
        };
        if !self.eat(':') {
            return None;
        }
        Some((key, self.any(depth + 1).ok()?))
    }
}

/// The kind of the further items of a list that begins with this one.
fn like(first: &Value) -> Kind {
    if matches!(first, Value::Text(_)) { Kind::Text } else { Kind::Any }
}

fn guess(text: &str) -> Value {
    let number = text.strip_prefix('-').unwrap_or(text);
    // Digits behind a zero are a number only where they could be one to the base of eight.
    let leading_zero = number.len() > 1 && number.starts_with('0') && !number.starts_with("0.");
    let is_odd = leading_zero && !number.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
    let looks_numeric = number.starts_with(|first: char| first.is_ascii_digit() || first == '.') && !is_odd;
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ if looks_numeric => match (text.parse(), text.parse()) {
            (Ok(whole), _) => Value::Integer(whole),
            (_, Ok(number)) if f64::is_finite(number) => Value::Float(number),
            _ => Value::Text(text.to_owned()),
        },
        _ => Value::Text(text.to_owned()),
    }
}
