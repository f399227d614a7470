//! Kinds and fields in mixed case, with acronyms.

pub mod expected;
pub mod input;
