//! The type packages.

pub mod family;
