//! The type packages.

pub mod docs;
