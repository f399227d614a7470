//! One way through an expression, from its start to its end.
//!
//! In: Go's syntax. Out: Rust's, or Go's complaint, in the order in which Go would make it. It goes down no stack, however deep the expression.

use crate::class::{self, Escape, escape};
use crate::count::{REPEATS, count};
use crate::groups::{Groups, Kept, Node, Repeat};
use crate::{Expression, GoRegexError};

pub(crate) type Read<T> = Result<T, GoRegexError>;

/// What a text has before its end, which is `rest`.
pub(crate) fn until<'a>(text: &'a str, rest: &str) -> &'a str {
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or(text)
}

/// Reads an expression and writes it in Rust's syntax.
pub(crate) struct Reader<'a> {
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
    pub(crate) fn new(whole: &'a str) -> Self {
        Self {
            whole,
            rest: whole,
            out: String::with_capacity(whole.len() + 16),
            flags: String::new(),
            groups: Groups::default(),
            repeated: None,
        }
    }

    pub(crate) fn read(mut self) -> Read<Expression> {
        while let Some(letter) = self.rest.chars().next() {
            self.part(letter)?;
            self.keeps_limits()?;
        }
        if self.groups.are_open() {
            return Err(GoRegexError::new("missing closing )", self.whole));
        }
        self.groups.end();
        self.keeps_limits()?;
        Ok(Expression { text: self.out, height: self.groups.height() })
    }

    /// Reads what begins with this letter.
    fn part(&mut self, letter: char) -> Read<()> {
        let here = self.rest;
        let after = here.get(letter.len_utf8()..).unwrap_or_default();
        let before = self.repeated.take();
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
            '.' => {
                self.groups.push(Node::CLASS);
                self.pass(".", after);
            }
            '^' | '$' => {
                self.groups.push(Node::EMPTY);
                self.pass(until(here, after), after);
            }
            '[' => {
                let (class, after) = class::class(here)?;
                self.groups.push(Node::CLASS);
                self.pass(&class, after);
            }
            '*' => self.repeat(&Repeat::Star, after, before)?,
            '+' | '?' => self.repeat(&Repeat::Once, after, before)?,
            '{' => match count(here) {
                None => self.literal(letter, after),
                Some((count, after)) => {
                    if count.is_beyond() {
                        return Err(GoRegexError::new("invalid repeat count", until(here, after)));
                    }
                    self.repeat(&Repeat::Counted(count), after, before)?;
                }
            },
            '\\' => self.escaped(here)?,
            letter => self.literal(letter, after),
        }
        Ok(())
    }

    fn keeps_limits(&self) -> Read<()> {
        match self.groups.beyond() {
            Some(limit) => Err(GoRegexError::new(limit.words(), self.whole)),
            None => Ok(()),
        }
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
        self.groups.letter();
        self.pass(&regex_syntax::escape(letter.encode_utf8(&mut [0; 4])), after);
    }

    /// A group, or flags for what follows; the bracket has been read.
    fn open(&mut self, after: &'a str) -> Read<()> {
        let here = self.rest;
        let Some(flags) = after.strip_prefix('?') else {
            self.groups.open(Kept::Yes);
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
            self.groups.open(Kept::Yes);
            self.pass("(", after);
            return Ok(());
        }
        let (after, opens) = flags_end(here, flags)?;
        let text = until(here, after);
        if opens {
            self.groups.open(Kept::No);
            self.write(text);
        } else if text != "(?)" {
            self.flags.push_str(text);
        }
        self.rest = after;
        Ok(())
    }

    /// `*`, `+`, `?` or a count, up to `after`; `before` begins with the one right before it.
    fn repeat(&mut self, how: &Repeat, after: &'a str, before: Option<&'a str>) -> Read<()> {
        let here = self.rest;
        let sign = until(here, after);
        let (lazy, after) = match after.strip_prefix('?') {
            Some(after) => ("?", after),
            None => ("", after),
        };
        if let Some(before) = before {
            return Err(GoRegexError::new("invalid nested repetition operator", until(before, after)));
        }
        let Some(copies) = self.groups.repeat(how) else {
            return Err(GoRegexError::new("missing argument to repetition operator", until(here, after)));
        };
        self.keeps_limits()?;
        if matches!(how, Repeat::Counted(count) if count.is_plural()) && copies > REPEATS {
            return Err(GoRegexError::new("invalid repeat count", until(here, after)));
        }
        self.out.push_str(sign);
        self.out.push_str(lazy);
        self.rest = after;
        self.repeated = Some(here);
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
                let (text, node) = match found {
                    Escape::Letter(code) => (class::letter(code), Node::LETTER),
                    Escape::Class(class) => (format!("[{class}]"), Node::CLASS),
                };
                self.groups.push(node);
                self.pass(&text, after);
            }
        }
        Ok(())
    }

    fn assertion(&mut self, here: &'a str, flags: &str) {
        let (text, after) = here.split_at_checked(2).unwrap_or((here, ""));
        self.groups.push(Node::EMPTY);
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
