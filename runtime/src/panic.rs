//! The words of a panic.
//!
//! In: what a panic carries. Out: its text, where it is one.

use std::any::Any;

/// What a panic says.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let literal = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    literal
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}
