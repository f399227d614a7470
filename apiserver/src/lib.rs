//! The in-memory API server.

pub mod patch;
pub mod schema;
