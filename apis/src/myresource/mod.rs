//! The group `trstringer.com`, by version.

pub mod v1;
