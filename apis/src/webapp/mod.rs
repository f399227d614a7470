//! The group `webapp.my.domain`, by version.

pub mod v1;
