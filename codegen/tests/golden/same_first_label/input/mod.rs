//! The type packages.

pub mod other_policy;
pub mod policy;
