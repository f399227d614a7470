//! The type packages.

pub mod coordination;
pub mod networking;
