//! The `leader_election` module from outside, over the in-memory API server and under paused time.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod crowd;
mod lease;
mod settings;
mod support;
