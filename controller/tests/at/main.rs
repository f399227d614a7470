//! The At controller: decisions, and whole stories over the fake.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod cases;
mod plan;
mod rig;
mod rights;
mod schedule;
mod stories;
mod stuck_pods;
