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
            Kind::Json => self.json(),
            Kind::Text => self.string().map(Value::Text),
            Kind::Choice(choices) => self.choice(choices),
            Kind::Bool => self.parsed("true or false", |text| text.parse().ok().map(Value::Bool)),
            Kind::Integer => self.parsed("a whole number", |text| {
                let text = Some(text).filter(|text| !text.starts_with('+'))?;
                text.parse().ok().map(Value::Integer)
            }),
            Kind::Number => self.parsed("a number", |text| {
                text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float)
            }),
            Kind::TextList => self.list(&Kind::Text, 0),
            Kind::AnyList => self.list(&Kind::Any, 0),
            Kind::Any => self.any_or_list(),
        }
    }

    /// The rest as JSON, or a reference to a constant, which stays as it is.
    fn json(&mut self) -> Read<Value> {
        let start = self.at;
        let text = self.rest().trim().to_owned();
        self.at = self.text.len();
        match serde_json::from_str::<serde_json::Value>(&text) {
            Err(error) if !text.starts_with("ref(") => {
                let problem =
                    MarkerProblem::NotJson { name: self.name.to_owned(), reason: error.to_string() };
                Err(Fault::new(problem, start..start + text.len()))
            }
            _ => Ok(Value::Text(text)),
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
        let text = if self.name.starts_with("k8s:") {
            // All that follows is the value of these tags, but for a comment behind it.
            let rest = self.rest();
            self.at = self.text.len();
            rest.split('#').next().unwrap_or(rest).trim()
        } else {
            self.bare()?
        };
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

    /// Text without quotes: up to `,`, `;` or `}`, but for those within quotes in its midst, as in `x="a,b"`.
    fn bare(&mut self) -> Read<&'a str> {
        let start = self.at;
        while let Some(letter) = self.peek() {
            match letter {
                ',' | ';' | '}' => break,
                '"' | '`' => self.skip_quoted(letter)?,
                _ => self.at += letter.len_utf8(),
            }
        }
        Ok(self.text.get(start..self.at).unwrap_or_default().trim())
    }

    /// Moves behind a text in quotes, whatever is in it.
    fn skip_quoted(&mut self, quote: char) -> Read<()> {
        let start = self.at;
        self.at += quote.len_utf8();
        while let Some(letter) = self.peek() {
            self.at += letter.len_utf8();
            match letter {
                '\\' if quote == '"' => self.at += self.peek().map_or(0, char::len_utf8),
                _ if letter == quote => return Ok(()),
                _ => {}
            }
        }
        Err(self.not_closed(quote, start))
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
            _ => Ok(self.bare()?.to_owned()),
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
            '\\' | '"' => letter,
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
            return self.braced(Items::Each(*item), depth);
        }
        let mut items = Vec::new();
        while self.peek().is_some_and(|next| next != ',') {
            items.push(self.item(Items::Each(*item), depth)?);
            if !self.eat(';') {
                break;
            }
            self.skip_blanks();
        }
        Ok(Value::List(items))
    }

    /// `{a,b}`; a comma behind the last item does not matter.
    fn braced(&mut self, mut kind: Items, depth: usize) -> Read<Value> {
        let start = self.at;
        if depth > DEPTH_LIMIT {
            return Err(self.not_closed('}', start));
        }
        self.eat('{');
        let mut items = Vec::new();
        while !self.eat('}') {
            let item = self.item(kind, depth)?;
            kind = kind.after(&item);
            items.push(item);
            if self.eat('}') {
                break;
            }
            if !self.eat(',') {
                return Err(self.not_closed('}', start));
            }
        }
        Ok(Value::List(items))
    }

    fn item(&mut self, kind: Items, depth: usize) -> Read<Value> {
        self.skip_blanks();
        let start = self.at;
        let (expected, fits): (&str, fn(&Value) -> bool) = match kind {
            Items::Each(Kind::Any) | Items::Guessed => return self.any(depth + 1),
            Items::Each(item) => return self.value(&item),
            Items::Texts => return self.string().map(Value::Text),
            Items::Numbers => ("a number, as the items before,", |value| {
                matches!(value, Value::Integer(_) | Value::Float(_))
            }),
            Items::Bools => ("true or false, as the items before,", |value| matches!(value, Value::Bool(_))),
        };
        let item = self.any(depth + 1)?;
        if fits(&item) {
            return Ok(item);
        }
        let found = self.text.get(start..self.at).unwrap_or_default().trim().to_owned();
        Err(self.wrong(expected, &found, start..self.at))
    }

    /// Any value; a list may go without braces.
    fn any_or_list(&mut self) -> Read<Value> {
        let first = self.any(0)?;
        self.skip_blanks();
        if self.peek() != Some(';') {
            return Ok(first);
        }
        let kind = Items::Guessed.after(&first);
        let mut items = vec![first];
        while self.eat(';') {
            self.skip_blanks();
            if self.peek().is_none_or(|next| matches!(next, ',' | '}')) {
                break;
            }
            items.push(self.item(kind, 0)?);
        }
        Ok(Value::List(items))
    }

    /// A value whose kind is guessed.
    fn any(&mut self, depth: usize) -> Read<Value> {
        self.skip_blanks();
        match self.peek() {
            Some('"' | '`') => self.string().map(Value::Text),
            Some('{') if depth > DEPTH_LIMIT => Err(self.not_closed('}', self.at)),
            Some('{') if self.is_map() => self.map(depth),
            Some('{') => self.braced(Items::Guessed, depth),
            _ => {
                let start = self.at;
                let text = self.bare()?;
                guess(text).ok_or_else(|| self.wrong("a number of 64 bits", text, start..start + text.len()))
            }
        }
    }

    /// Whether the brace here opens a map: it is empty, or a key and a colon follow.
    fn is_map(&self) -> bool {
        let mut ahead = self.clone();
        ahead.eat('{');
        ahead.eat('}') || (ahead.key().is_ok_and(|key| !key.is_empty()) && ahead.eat(':'))
    }

    /// `{key: value, key: value}`; a comma behind the last entry does not matter.
    fn map(&mut self, depth: usize) -> Read<Value> {
        let start = self.at;
        self.eat('{');
        let mut entries = Vec::new();
        while !self.eat('}') {
            let key = self.key()?;
            if !self.eat(':') {
                let found = self.rest().trim().to_owned();
                return Err(self.wrong("a key with a colon behind it", &found, self.at..self.text.len()));
            }
            entries.push((key, self.any(depth + 1)?));
            if self.eat('}') {
                break;
            }
            if !self.eat(',') {
                return Err(self.not_closed('}', start));
            }
        }
        Ok(Value::Map(entries))
    }

    fn key(&mut self) -> Read<String> {
        self.skip_blanks();
        if matches!(self.peek(), Some('"' | '`')) {
            return self.string();
        }
        let rest = self.rest();
        let end = rest.find([':', ',', ';', '{', '}']).unwrap_or(rest.len());
        self.at += end;
        Ok(rest.get(..end).unwrap_or_default().trim().to_owned())
    }
}

/// What the items of a list are. Where that is guessed, the first one says it for all.
#[derive(Clone, Copy)]
enum Items {
    Each(Kind),
    Guessed,
    Texts,
    Numbers,
    Bools,
}

impl Items {
    fn after(self, first: &Value) -> Self {
        match (self, first) {
            (Self::Guessed, Value::Text(_)) => Self::Texts,
            (Self::Guessed, Value::Integer(_) | Value::Float(_)) => Self::Numbers,
            (Self::Guessed, Value::Bool(_)) => Self::Bools,
            (kind, _) => kind,
        }
    }
}

/// The value that bare text is; none of a whole number that is too large.
fn guess(text: &str) -> Option<Value> {
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ if is_whole(text) => text.parse().ok().map(Value::Integer),
        _ => Some(number(text).unwrap_or_else(|| Value::Text(text.to_owned()))),
    }
}

/// Whether a text is a whole number. Digits behind a zero are one only where they could be octal ones.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_octal = digits.len() == 1 || !digits.starts_with('0') || !digits.contains(['8', '9']);
    !digits.is_empty() && is_octal && digits.chars().all(|letter| letter.is_ascii_digit())
}

/// A number with a fraction or an exponent as Go writes them: `-1.5`, `.5`, `1.`, `1e3`; one without a fraction is whole.
fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.chars().all(|letter| letter.is_ascii_digit()) {
        return None;
    }
    let (mantissa, exponent) = digits
        .split_once(['e', 'E'])
        .map_or((digits, None), |(mantissa, exponent)| (mantissa, Some(exponent)));
    let numeric = |part: &str| part.chars().all(|letter| letter.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_mantissa = numeric(whole) && numeric(fraction) && !(whole.is_empty() && fraction.is_empty());
    let is_exponent = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !exponent.is_empty() && numeric(exponent)
    });
    let number: f64 =
        text.parse().ok().filter(|number: &f64| is_mantissa && is_exponent && number.is_finite())?;
    // Written out, such numbers have no exponent, and so the text of one that is whole is that of an integer.
    let whole = format!("{number:.0}").parse().ok().filter(|_| number.fract() == 0.0 && number.abs() < 1e15);
    Some(whole.map_or(Value::Float(number), Value::Integer))
}
