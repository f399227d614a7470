//! The `controller` module from outside, over the in-memory API server and under paused time.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod cases;
mod create_or;
mod due;
mod filters;
mod finalizers;
mod owners;
mod runs;
mod sources;
mod spans;
mod stops;
mod support;
