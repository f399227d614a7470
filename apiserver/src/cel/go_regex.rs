//! Regular expressions in Go's syntax, compiled.
//!
//! In: an expression as Go reads it. Out: one of the `regex` crate with the same meaning, or Go's complaint. It caches nothing.

use kube_codegen_go_regex::{GoRegexError, read};
use regex::{Regex, RegexBuilder};

use super::deep_stack::on_deep_stack;

/// The most memory that one expression may take, in bytes.
const SIZE: usize = 64 << 20;
/// How deep it may be for the `regex` crate: deeper than for Go, which counts in another way.
const NESTS: u32 = 4000;
/// From which height on it is compiled on a stack of its own.
const DEEP: usize = 50;

/// Compiles an expression.
pub(crate) fn go_regex(pattern: &str) -> Result<Regex, GoRegexError> {
    let expression = read(pattern)?;
    let build = || RegexBuilder::new(expression.text()).size_limit(SIZE).nest_limit(NESTS).build();
    let built = match expression.height() {
        ..DEEP => Ok(build()),
        _ => on_deep_stack(build),
    };
    built.map_err(|why| GoRegexError::new(&why, pattern))?.map_err(|error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default();
        GoRegexError::new(last.trim_start_matches("error: "), pattern)
    })
}
