//! From annotated source to the model.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod comments;
mod constants;
mod fields;
mod foreign;
mod globs;
mod hazards;
mod layouts;
mod names;
mod roots;
mod support;
mod tags;
