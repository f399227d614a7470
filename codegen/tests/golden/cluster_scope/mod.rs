//! Kinds without namespaces.

pub mod expected;
pub mod input;
