//! Two groups whose names begin with the same label; one of them says what it is called in code.

pub mod expected;
pub mod input;
