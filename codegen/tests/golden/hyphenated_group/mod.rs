//! A group with a hyphen in its name, which needs a name for code.

pub mod expected;
pub mod input;
