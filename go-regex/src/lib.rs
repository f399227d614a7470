//! Regular expressions as Go reads them, for a server and for those who write what it reads.
//!
//! In: an expression in Go's syntax (RE2), as in the patterns of schemas. Out: an expression with the same meaning in the syntax of the `regex`
//! crate, or Go's complaint, in Go's words. It never compiles and never matches: whoever wants that gives the result to `regex`.
//!
//! Both syntaxes look alike and differ in what they mean: `\d`, `\w`, `\s` and `\b` are ASCII for Go, classes within classes are unknown there,
//! `\Q..\E` is known, and nothing may be repeated more than a thousand times, however the counts are nested.
//!
//! ```
//! use kube_codegen_go_regex::{GoRegexError, read};
//!
//! let expression = read(r"^\d+\Q.\E\d+$")?;
//! assert_eq!(expression.text(), r"^[0-9]+\.[0-9]+$");
//!
//! let refused = read("((a{1000}){1000}){1000}").unwrap_err();
//! assert_eq!(refused.to_string(), "error parsing regexp: invalid repeat count: `{1000}`");
//! # Ok::<(), GoRegexError>(())
//! ```

mod class;
mod count;
mod groups;
mod reader;

/// Why an expression cannot be used, in Go's words as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error parsing regexp: {what}: `{part}`")]
pub struct GoRegexError {
    what: String,
    part: String,
}

impl GoRegexError {
    /// An error about a part of an expression: for those who compile what was read, and find that it cannot be.
    #[must_use]
    pub fn new(what: &str, part: &str) -> Self {
        Self { what: what.to_owned(), part: part.to_owned() }
    }

    /// What is wrong.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The part of the expression that is at fault; the whole where it is about the whole.
    #[must_use]
    pub fn part(&self) -> &str {
        &self.part
    }
}

/// An expression that Go can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    height: usize,
}

impl Expression {
    /// The expression in the syntax of the `regex` crate.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How deep it is: parts in parts in parts. At most 1,000; what goes down a stack for each of them may want a large one.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }
}

/// Reads an expression.
///
/// # Errors
/// The first thing that Go finds wrong.
pub fn read(pattern: &str) -> Result<Expression, GoRegexError> {
    reader::Reader::new(pattern).read()
}
