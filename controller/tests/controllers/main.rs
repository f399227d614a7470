//! The controllers over the fake clientset.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod failures;
mod gaps;
mod lives;
mod recorder;
mod rig;
mod stops;
