//! Type packages that are modules within a file.

pub mod expected;
pub mod input;
