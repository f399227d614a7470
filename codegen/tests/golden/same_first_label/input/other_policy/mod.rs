//! A group.

pub mod v1;
