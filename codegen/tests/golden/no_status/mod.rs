//! A kind whose status is not served apart, and one without any.

pub mod expected;
pub mod input;
