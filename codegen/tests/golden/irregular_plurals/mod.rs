//! Plurals that no rule gives, and one that is stated.

pub mod expected;
pub mod input;
