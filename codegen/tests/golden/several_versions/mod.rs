//! Three versions of one group.

pub mod expected;
pub mod input;
