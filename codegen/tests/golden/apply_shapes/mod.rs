//! Fields of every shape that an apply configuration has to take.

pub mod expected;
pub mod input;
