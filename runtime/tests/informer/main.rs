//! The `informer` module from outside, against the in-memory API server, through a network that fails as it is told to.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod faults;
mod network;
mod support;
mod syncing;
