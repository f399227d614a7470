//! Kinds of which not every verb is served.

pub mod expected;
pub mod input;
