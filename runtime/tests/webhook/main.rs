//! The `webhook` module from outside: over a server that asks, in this process and over TLS.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod admission;
mod conversion;
mod serving;
mod support;
