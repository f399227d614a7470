//! The type packages.

pub mod verbs;
