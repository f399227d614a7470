//! The type packages.

pub mod methods;
