//! Protobuf as a real server speaks it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod any_bytes;
mod negotiation;
mod samples;
mod transcoding;
