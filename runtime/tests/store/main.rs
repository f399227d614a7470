//! The `store` and `lister` modules from outside.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod indexes;
mod model;
mod reading;
mod support;
