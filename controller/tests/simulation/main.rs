//! The controllers in simulations: crashes, lost and late answers, stale caches, clocks that jump, replicas that overlap.
//!
//! `SIMULATION_SEEDS=17` runs one seed again, `SIMULATION_SEEDS=0..10000` many.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod ats;
mod my_resources;
mod replay;
mod replica;
