//! The type packages.

pub mod derived;
