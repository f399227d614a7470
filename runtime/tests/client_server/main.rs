//! The client against the in-memory API server.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod applies;
mod failures;
mod lists;
mod objects;
mod types;
mod watches;
