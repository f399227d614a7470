//! Regular expressions as Go reads them.
//!
//! In: Go's syntax (RE2). Out: an expression of the `regex` crate with the same meaning, or Go's complaint, in the order in which Go would
//! make it. It compiles; it caches nothing.

mod class;
mod count;
mod groups;

use regex::{Regex, RegexBuilder};

use super::deep_stack::on_deep_stack;

use class::{Escape, escape};
use count::{Count, REPEATS, count};
use groups::{Groups, Node};

/// The most memory that one expression may take, in bytes.
const SIZE: usize = 64 << 20;
/// How deep it may be for the `regex` crate: deeper than for Go, which counts in another way.
const NESTS: u32 = 4000;
/// From which height on it is compiled on a stack of its own.
const DEEP: usize = 50;

/// Why an expression cannot be used, in Go's words as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error parsing regexp: {0}")]
pub(crate) struct GoRegexError(String);

impl GoRegexError {
    fn new(what: &str, part: &str) -> Self {
        Self(format!("{what}: `{part}`"))
    }
}

type Read<T> = Result<T, GoRegexError>;

/// Compiles an expression.
pub(crate) fn go_regex(pattern: &str) -> Read<Regex> {
    let Translated { text, height } = Reader::new(pattern).read()?;
    let build = || RegexBuilder::new(&text).size_limit(SIZE).nest_limit(NESTS).build();
    let built = match height {
        ..DEEP => Ok(build()),
        _ => on_deep_stack(build),
    };
    built.map_err(|why| GoRegexError::new(&why, pattern))?.map_err(|error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default();
        GoRegexError::new(last.trim_start_matches("error: "), pattern)
    })
}

/// An expression as the `regex` crate wants it.
struct Translated {
    text: String,
    height: usize,
}

/// What a text has before its end, which is `rest`.
fn until<'a>(text: &'a str, rest: &str) -> &'a str {
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or(text)
}

/// Reads an expression and writes it as the `regex` crate wants it.
struct Reader<'a> {
    whole: &'a str,
    rest: &'a str,
    out: String,
    /// Flags for what follows. Go lets a repetition after them be one of what stands before them.
    flags: String,
    groups: Groups,
    /// From the repetition that was read last to the end, if nothing came after it.
    repeated: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn new(whole: &'a str) -> Self {
        Self {
            whole,
            rest: whole,
            out: String::with_capacity(whole.len() + 16),
            flags: String::new(),
            groups: Groups::default(),
            repeated: None,
        }
    }

    fn read(mut self) -> Read<Translated> {
        while let Some(letter) = self.rest.chars().next() {
            let here = self.rest;
            let after = here.get(letter.len_utf8()..).unwrap_or_default();
            let mut repeated = None;
            match letter {
                '(' => self.open(after)?,
                ')' => {
                    if !self.groups.close() {
                        return Err(GoRegexError::new("unexpected )", self.whole));
                    }
                    self.pass(")", after);
                }
                '|' => {
                    self.groups.alternative();
                    self.pass("|", after);
                }
                '^' | '$' | '.' => {
                    self.groups.push(Node::LEAF);
                    self.pass(until(here, after), after);
                }
                '[' => {
                    let (class, after) = class::class(here)?;
                    self.groups.push(Node::LEAF);
                    self.pass(&class, after);
                }
                '*' | '+' | '?' => {
                    self.repeat(until(here, after), after, None)?;
                    repeated = Some(here);
                }
                '{' => match count(here) {
                    None => self.literal(letter, after),
                    Some((count, after)) => {
                        let shown = until(here, after);
                        if count.is_beyond() {
                            return Err(GoRegexError::new("invalid repeat count", shown));
                        }
                        self.repeat(shown, after, Some(&count))?;
                        repeated = Some(here);
                    }
                },
                '\\' => self.escaped(here)?,
                letter => self.literal(letter, after),
            }
            self.repeated = repeated;
            if self.groups.is_too_deep() {
                return Err(GoRegexError::new("expression nests too deeply", self.whole));
            }
        }
        if self.groups.are_open() {
            return Err(GoRegexError::new("missing closing )", self.whole));
        }
        Ok(Translated { text: self.out, height: self.groups.height() })
    }

    /// Writes something and goes on after it.
    fn pass(&mut self, text: &str, after: &'a str) {
        self.write(text);
        self.rest = after;
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(&std::mem::take(&mut self.flags));
        self.out.push_str(text);
    }

    fn literal(&mut self, letter: char, after: &'a str) {
        self.groups.push(Node::LEAF);
        self.pass(&regex::escape(letter.encode_utf8(&mut [0; 4])), after);
    }

    /// A group, or flags for what follows; the bracket has been read.
    fn open(&mut self, after: &'a str) -> Read<()> {
        let here = self.rest;
        let Some(flags) = after.strip_prefix('?') else {
            self.groups.open(groups::Kept::Yes);
            self.pass("(", after);
            return Ok(());
        };
        let named = flags.strip_prefix("P<").or_else(|| flags.strip_prefix('<'));
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            let Some((name, after)) = named.split_once('>') else {
                return Err(GoRegexError::new("invalid named capture", here));
            };
            if name.is_empty() || !name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
            {
                return Err(GoRegexError::new("invalid named capture", until(here, after)));
            }
            // Nobody asks for groups by name, and names of the `regex` crate begin with a letter.
            self.groups.open(groups::Kept::Yes);
            self.pass("(", after);
            return Ok(());
        }
        let (after, opens) = flags_end(here, flags)?;
        let text = until(here, after);
        if opens {
            self.groups.open(groups::Kept::No);
            self.write(text);
        } else if text != "(?)" {
            self.flags.push_str(text);
        }
        self.rest = after;
        Ok(())
    }

    /// `*`, `+`, `?` or a count.
    fn repeat(&mut self, sign: &str, after: &'a str, count: Option<&Count>) -> Read<()> {
        let (lazy, after) = match after.strip_prefix('?') {
            Some(after) => ("?", after),
            None => ("", after),
        };
        if let Some(before) = self.repeated {
            return Err(GoRegexError::new("invalid nested repetition operator", until(before, after)));
        }
        let times = count.map_or(1, |count| if count.most < 0 { count.least } else { count.most });
        let Some(copies) = self.groups.repeat(times.unsigned_abs(), count.is_some()) else {
            return Err(GoRegexError::new(
                "missing argument to repetition operator",
                until(self.rest, after),
            ));
        };
        if count.is_some_and(|count| count.least >= 2 || count.most >= 2) && copies > REPEATS {
            return Err(GoRegexError::new("invalid repeat count", until(self.rest, after)));
        }
        self.out.push_str(sign);
        self.out.push_str(lazy);
        self.rest = after;
        Ok(())
    }

    fn escaped(&mut self, here: &'a str) -> Read<()> {
        match here.as_bytes().get(1) {
            Some(b'A' | b'z') => self.assertion(here, ""),
            // What is a letter of a word, Go says of ASCII alone.
            Some(b'b' | b'B') => self.assertion(here, "-u"),
            Some(b'C') => return Err(GoRegexError::new("invalid escape sequence", "\\C")),
            Some(b'Q') => {
                let quoted = here.get(2..).unwrap_or_default();
                let (quoted, after) = quoted.split_once("\\E").unwrap_or((quoted, ""));
                for letter in quoted.chars() {
                    self.literal(letter, after);
                }
                self.rest = after;
            }
            _ => {
                let (found, after) = escape(here)?;
                let text = match found {
                    Escape::Letter(code) => class::letter(code),
                    Escape::Class(class) => format!("[{class}]"),
                };
                self.groups.push(Node::LEAF);
                self.pass(&text, after);
            }
        }
        Ok(())
    }

    fn assertion(&mut self, here: &'a str, flags: &str) {
        let (text, after) = here.split_at_checked(2).unwrap_or((here, ""));
        self.groups.push(Node::LEAF);
        self.pass(&format!("(?{flags}:{text})"), after);
    }
}

/// What follows the flags of a group, and whether a group begins there.
fn flags_end<'a>(here: &'a str, flags: &'a str) -> Read<(&'a str, bool)> {
    let (mut negated, mut seen) = (false, false);
    let mut letters = flags.chars();
    for letter in letters.by_ref() {
        match letter {
            'i' | 'm' | 's' | 'U' => seen = true,
            '-' if !negated => (negated, seen) = (true, false),
            ':' | ')' if seen || !negated => return Ok((letters.as_str(), letter == ':')),
            _ => break,
        }
    }
    Err(GoRegexError::new("invalid or unsupported Perl syntax", until(here, letters.as_str())))
}
