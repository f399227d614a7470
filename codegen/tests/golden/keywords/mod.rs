//! Names that mean something to Rust or to the generated code.

pub mod expected;
pub mod input;
