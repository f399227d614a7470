//! The core group, by version.

pub mod v1;
