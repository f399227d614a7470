//! The type packages.

pub mod multi;
