//! `Pattern`: a regular expression as Go reads it.
//!
//! In: Go's syntax. Out: an expression of the `regex` crate with the same meaning: `\d`, `\w` and `\s` are ASCII, and what only Rust knows
//! inside brackets is plain text.

use regex::Regex;

/// A regular expression.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    text: String,
    compiled: Result<Regex, String>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Pattern {
    /// Compiles an expression; one that is broken matches nothing and says why.
    pub(crate) fn new(text: &str) -> Self {
        let compiled = crate::cel::go_regex(text).map_err(|error| error.to_string());
        Self { text: text.to_owned(), compiled }
    }

    /// The expression as it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong with the expression.
    pub(crate) fn error(&self) -> Option<&str> {
        self.compiled.as_ref().err().map(String::as_str)
    }

    /// Whether it is found in a text.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.compiled.as_ref().is_ok_and(|pattern| pattern.is_match(text))
    }
}
