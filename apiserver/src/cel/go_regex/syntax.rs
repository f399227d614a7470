//! The syntax of Go's regular expressions.
//!
//! In: an expression. Out: the first thing that is wrong with it, in Go's words and with the part that Go shows. It matches nothing.

use regex::Regex;

/// How deep groups may be inside each other.
const DEPTH: usize = 1000;
/// How often something may be repeated, repetitions inside it counted.
const TIMES: i64 = 1000;

type Checked<T> = Result<T, String>;

/// Something that can be repeated.
#[derive(Debug, Default)]
struct Part {
    /// How often it is repeated, where numbers say so.
    times: Option<i64>,
    below: Vec<Part>,
}

/// A group that is open.
#[derive(Debug, Default)]
struct Group {
    /// The alternatives before this one.
    before: Vec<Part>,
    here: Vec<Part>,
}

/// Checks an expression.
pub(super) fn check(pattern: &str) -> Checked<()> {
    let mut groups = Groups { pattern, outer: Vec::new(), inner: Group::default() };
    let (mut rest, mut last) = (pattern, "");
    while let Some(letter) = rest.chars().next() {
        let start = rest;
        let mut repetition = "";
        rest = match letter {
            '(' if rest.starts_with("(?") => groups.flags(rest)?,
            '(' => groups.open(tail(rest, 1))?,
            '|' => groups.alternative(tail(rest, 1)),
            ')' => groups.close(tail(rest, 1))?,
            '*' | '+' | '?' => {
                repetition = start;
                groups.repeat((start, tail(rest, 1)), last, None)?
            }
            '{' => match numbers(rest) {
                Some((least, most, after)) => {
                    repetition = start;
                    groups.repeat((start, after), last, Some((least, most)))?
                }
                None => groups.part(tail(rest, 1)),
            },
            '[' => groups.part(class(rest)?),
            '\\' => groups.escaped(rest)?,
            letter => groups.part(tail(rest, letter.len_utf8())),
        };
        last = repetition;
    }
    if groups.outer.is_empty() { Ok(()) } else { Err(wrong("missing closing )", pattern)) }
}

fn wrong(what: &str, shown: &str) -> String {
    format!("{what}: `{shown}`")
}

fn tail(text: &str, bytes: usize) -> &str {
    text.get(bytes..).unwrap_or_default()
}

/// What is before the rest of a text.
fn until<'a>(text: &'a str, rest: &str) -> &'a str {
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or(text)
}

/// The first letter and what follows it.
fn first(text: &str) -> Option<(char, &str)> {
    let letter = text.chars().next()?;
    Some((letter, tail(text, letter.len_utf8())))
}

struct Groups<'a> {
    pattern: &'a str,
    outer: Vec<Group>,
    inner: Group,
}

impl<'a> Groups<'a> {
    fn part(&mut self, rest: &'a str) -> &'a str {
        self.inner.here.push(Part::default());
        rest
    }

    fn open(&mut self, rest: &'a str) -> Checked<&'a str> {
        self.outer.push(std::mem::take(&mut self.inner));
        if self.outer.len() > DEPTH {
            return Err(wrong("expression nests too deeply", self.pattern));
        }
        Ok(rest)
    }

    fn alternative(&mut self, rest: &'a str) -> &'a str {
        let mut here = std::mem::take(&mut self.inner.here);
        self.inner.before.append(&mut here);
        rest
    }

    fn close(&mut self, rest: &'a str) -> Checked<&'a str> {
        let Some(outer) = self.outer.pop() else { return Err(wrong("unexpected )", self.pattern)) };
        let Group { mut before, mut here } = std::mem::replace(&mut self.inner, outer);
        before.append(&mut here);
        self.inner.here.push(Part { times: None, below: before });
        Ok(rest)
    }

    /// `(?P<name>`, `(?i)`, `(?i-s:` and the like.
    fn flags(&mut self, start: &'a str) -> Checked<&'a str> {
        for name in ["(?P<", "(?<"] {
            let Some(named) = start.strip_prefix(name) else { continue };
            if named.is_empty() {
                continue;
            }
            let Some((name, rest)) = named.split_once('>') else {
                return Err(wrong("invalid named capture", start));
            };
            if name.is_empty() || !name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
            {
                return Err(wrong("invalid named capture", until(start, rest)));
            }
            return self.open(rest);
        }
        let mut rest = tail(start, 2);
        let (mut negated, mut seen) = (false, false);
        while let Some((letter, after)) = first(rest) {
            rest = after;
            match letter {
                'i' | 'm' | 's' | 'U' => seen = true,
                '-' if !negated => (negated, seen) = (true, false),
                ':' if !negated || seen => return self.open(rest),
                ')' if !negated || seen => return Ok(rest),
                _ => break,
            }
        }
        Err(wrong("invalid or unsupported Perl syntax", until(start, rest)))
    }

    fn repeat(
        &mut self,
        (start, after): (&'a str, &'a str),
        last: &str,
        numbers: Option<(i64, i64)>,
    ) -> Checked<&'a str> {
        const SIZE: &str = "invalid repeat count";
        if let Some((least, most)) = numbers
            && (!(0..=TIMES).contains(&least) || most > TIMES || (most >= 0 && least > most))
        {
            return Err(wrong(SIZE, until(start, after)));
        }
        let after = after.strip_prefix('?').unwrap_or(after);
        if !last.is_empty() {
            return Err(wrong("invalid nested repetition operator", until(last, after)));
        }
        let Some(part) = self.inner.here.pop() else {
            return Err(wrong("missing argument to repetition operator", until(start, after)));
        };
        let times = numbers.map(|(least, most)| if most < 0 { least } else { most });
        let part = Part { times, below: vec![part] };
        if !part.is_valid(TIMES) {
            return Err(wrong(SIZE, until(start, after)));
        }
        self.inner.here.push(part);
        Ok(after)
    }

    fn escaped(&mut self, start: &'a str) -> Checked<&'a str> {
        let rest = tail(start, 2);
        match start.chars().nth(1) {
            Some('A' | 'b' | 'B' | 'z' | 'd' | 'D' | 's' | 'S' | 'w' | 'W') => Ok(self.part(rest)),
            Some('C') => Err(wrong("invalid escape sequence", "\\C")),
            Some('Q') => {
                let (quoted, rest) = rest.split_once("\\E").unwrap_or((rest, ""));
                self.inner.here.extend(quoted.chars().map(|_| Part::default()));
                Ok(rest)
            }
            Some('p' | 'P') => unicode(start).map(|rest| self.part(rest)),
            _ => escape(start).map(|rest| self.part(rest)),
        }
    }
}

impl Part {
    /// Whether it is repeated so often at most.
    fn is_valid(&self, most: i64) -> bool {
        let most = match self.times {
            Some(0) => return true,
            Some(times) if times > most => return false,
            Some(times) => most / times,
            None => most,
        };
        self.below.iter().all(|part| part.is_valid(most))
    }
}

/// `{2}`, `{2,}` or `{2,3}`: the least, the most (less than none where there is no bound, or a number is too large), and what follows.
fn numbers(text: &str) -> Option<(i64, i64, &str)> {
    let (least, rest) = number(text.strip_prefix('{')?)?;
    let Some(after) = rest.strip_prefix(',') else {
        return Some((least, least, rest.strip_prefix('}')?));
    };
    if let Some(rest) = after.strip_prefix('}') {
        return Some((least, -1, rest));
    }
    let (most, rest) = number(after)?;
    let least = if most < 0 { -1 } else { least };
    Some((least, most, rest.strip_prefix('}')?))
}

fn number(text: &str) -> Option<(i64, &str)> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = until(text, rest);
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().ok().filter(|number| *number < 100_000_000).unwrap_or(-1), rest))
}

/// What follows an escaped letter.
fn escape(start: &str) -> Checked<&str> {
    let Some((letter, mut rest)) = first(tail(start, 1)) else {
        return Err(wrong("trailing backslash at end of expression", ""));
    };
    let octal = |rest: &str| rest.starts_with(|letter: char| letter.is_digit(8));
    match letter {
        '0'..='7' if letter == '0' || octal(rest) => {
            for _ in 0..2 {
                if octal(rest) {
                    rest = tail(rest, 1);
                }
            }
            return Ok(rest);
        }
        'x' => return code(start, rest),
        'a' | 'f' | 'n' | 'r' | 't' | 'v' => return Ok(rest),
        letter if letter.is_ascii() && !letter.is_ascii_alphanumeric() => return Ok(rest),
        _ => {}
    }
    Err(wrong("invalid escape sequence", until(start, rest)))
}

/// What follows `\xff` or `\x{10ffff}`.
fn code<'a>(start: &'a str, rest: &'a str) -> Checked<&'a str> {
    let broken = |rest: &str| Err(wrong("invalid escape sequence", until(start, rest)));
    let Some((high, mut rest)) = first(rest) else { return broken(rest) };
    if high != '{' {
        let Some((low, after)) = first(rest) else { return broken(rest) };
        return if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() { Ok(after) } else { broken(after) };
    }
    let mut value = None;
    while let Some((letter, after)) = first(rest) {
        rest = after;
        match (letter.to_digit(16), value) {
            (Some(digit), before) => {
                let next = before.unwrap_or(0) * 16 + digit;
                if next > u32::from(char::MAX) {
                    break;
                }
                value = Some(next);
            }
            (None, Some(_)) if letter == '}' => return Ok(rest),
            _ => break,
        }
    }
    broken(rest)
}

/// What follows `\pN` or `\p{Greek}`.
fn unicode(start: &str) -> Checked<&str> {
    const RANGE: &str = "invalid character class range";
    let after = tail(start, 2);
    let (name, rest) = match after.strip_prefix('{') {
        Some(braced) => braced.split_once('}').ok_or_else(|| wrong(RANGE, start))?,
        None => {
            let rest = first(after).map_or("", |(_, rest)| rest);
            (until(after, rest), rest)
        }
    };
    let plain = name.strip_prefix('^').unwrap_or(name);
    let spelled = plain.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && plain.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if spelled && Regex::new(&format!("\\p{{{plain}}}")).is_ok() {
        return Ok(rest);
    }
    Err(wrong(RANGE, until(start, rest)))
}

/// What follows a class in brackets.
fn class(start: &str) -> Checked<&str> {
    const RANGE: &str = "invalid character class range";
    let mut rest = tail(start, 1);
    rest = rest.strip_prefix('^').unwrap_or(rest);
    let mut at_start = true;
    while at_start || !rest.starts_with(']') {
        at_start = false;
        if let Some(end) = rest.strip_prefix("[:").and_then(|named| named.find(":]")) {
            let (name, after) = (rest.get(2..end + 2).unwrap_or_default(), tail(rest, end + 4));
            if !NAMED.contains(&name.strip_prefix('^').unwrap_or(name)) {
                return Err(wrong(RANGE, until(rest, after)));
            }
            rest = after;
            continue;
        }
        match rest.strip_prefix('\\').and_then(|escaped| escaped.chars().next()) {
            Some('p' | 'P') => {
                rest = unicode(rest)?;
                continue;
            }
            Some('d' | 'D' | 's' | 'S' | 'w' | 'W') => {
                rest = tail(rest, 2);
                continue;
            }
            _ => {}
        }
        let (low, after) = member(rest, start)?;
        let range = after.strip_prefix('-').filter(|high| !high.is_empty() && !high.starts_with(']'));
        let Some(high) = range else {
            rest = after;
            continue;
        };
        let (high, after) = member(high, start)?;
        if high < low {
            return Err(wrong(RANGE, until(rest, after)));
        }
        rest = after;
    }
    Ok(tail(rest, 1))
}

/// A single letter of a class, with what follows it.
fn member<'a>(text: &'a str, whole: &str) -> Checked<(u32, &'a str)> {
    let Some((letter, rest)) = first(text) else { return Err(wrong("missing closing ]", whole)) };
    if letter != '\\' {
        return Ok((letter.into(), rest));
    }
    let rest = escape(text)?;
    Ok((value(until(tail(text, 1), rest)), rest))
}

/// What an escaped letter stands for.
fn value(escaped: &str) -> u32 {
    let number = |digits: &str, base| u32::from_str_radix(digits, base).unwrap_or_default();
    match escaped.chars().next() {
        Some('x') => number(escaped.trim_start_matches('x').trim_matches(['{', '}']), 16),
        Some('0'..='7') => number(escaped, 8),
        Some('a') => 7,
        Some('f') => 12,
        Some('n') => 10,
        Some('r') => 13,
        Some('t') => 9,
        Some('v') => 11,
        letter => letter.map_or(0, u32::from),
    }
}

const NAMED: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];
