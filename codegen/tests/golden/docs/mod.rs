//! Documentation that means something else, or nothing, at another place.

pub mod expected;
pub mod input;
