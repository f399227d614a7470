//! The same tags in every order and place.

pub mod expected;
pub mod input;
