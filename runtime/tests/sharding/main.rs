//! The `sharding` module from outside, over the in-memory API server and under paused time.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod assigning;
mod controllers;
mod deletions;
mod model;
mod support;
