//! Custom resources: definitions and the objects of their kinds, asked for by requests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod absent;
mod ask;
mod compiled;
mod conversion;
mod costs;
mod definitions;
mod formats;
mod limits;
mod numbers;
mod patterns;
mod random;
mod ratcheting;
mod rules;
mod schemas;
mod serving;
