//! The group `apps`, by version.

pub mod v1;
