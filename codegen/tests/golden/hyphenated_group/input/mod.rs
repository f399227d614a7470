//! The type packages.

pub mod hyphen_group;
