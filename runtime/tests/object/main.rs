//! The `object` module from outside.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod extract;
mod extract_property;
mod key;
mod setters;
mod type_meta;
mod types;
