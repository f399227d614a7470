//! The `informer` module from outside, against the in-memory API server, through a network that fails as it is told to.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod faults;
mod handlers;
mod keys;
mod known;
mod lifetimes;
mod metadata;
mod model;
mod network;
mod objects;
mod rough;
mod rounds;
mod support;
mod syncing;
mod threads;
