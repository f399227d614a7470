//! The `client` module from outside, against a server that says what it is told to.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod applies;
mod errors;
mod lines;
mod mock;
mod pages;
mod paths;
mod retries;
mod tuning;
mod verbs;
mod watches;
