//! The type packages.

pub mod quiet;
