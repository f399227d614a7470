//! The type packages.

pub mod shapes;
