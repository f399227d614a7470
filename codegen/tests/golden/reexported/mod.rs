//! Types of another crate.

pub mod expected;
pub mod input;
