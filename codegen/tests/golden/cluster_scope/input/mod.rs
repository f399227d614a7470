//! The type packages.

pub mod cluster;
