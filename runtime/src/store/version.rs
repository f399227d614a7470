//! Resource versions: how far along a server's history something is.
//!
//! In: the text that servers send. Out: a small value, comparable where servers count. Never: a guess at the order
//! of versions that are no numbers.

use std::{fmt, sync::Arc};

/// The version of an object or of a list.
///
/// API servers count versions with one rising number; then two of them can be compared. A server may send something
/// else, which is carried along and compared for equality only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResourceVersion(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Number(u64),
    Opaque(Arc<str>),
}

impl ResourceVersion {
    /// The version as a number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        match self.0 {
            Repr::Number(number) => Some(number),
            Repr::Opaque(_) => None,
        }
    }

    /// Whether this version is known to come before `other`.
    #[must_use]
    pub fn is_before(&self, other: &Self) -> bool {
        matches!((self.number(), other.number()), (Some(this), Some(other)) if this < other)
    }
}

impl From<&str> for ResourceVersion {
    fn from(text: &str) -> Self {
        // Only what is written back the same way may be kept as a number.
        let canonical = text == "0" || !text.starts_with(['0', '+']);
        match text.parse() {
            Ok(number) if canonical => Self(Repr::Number(number)),
            _ => Self(Repr::Opaque(Arc::from(text))),
        }
    }
}

impl fmt::Display for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Number(number) => fmt::Display::fmt(number, f),
            Repr::Opaque(text) => f.pad(text),
        }
    }
}
