//! The pages (the README, the book, and the other texts at the root) keep their word.
//!
//! Every block of Rust stands in a file that is compiled and run, every command is run by a test or named here with the reason why not, every
//! link leads somewhere. What a page shows of a file is written anew by `UPDATE_EXPECT=1 cargo test -p workspace-tests --test book`.
//!
//! The line above a block says who looks after it; nobody sees it on the page:
//!
//! - `<!-- code: FILE:ANCHOR -->`: the block is what stands in FILE between `// ANCHOR: name` and `// ANCHOR_END: name`. Pieces of one name are
//!   put together.
//! - `<!-- test: FILE -->`: the test in FILE takes the block and does what it says.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod apiserver;
mod blocks;
mod code;
mod commands;
mod from_kube_rs;
mod generators;
mod informers;
mod links;
mod manifests;
mod names;
mod readme;
#[path = "../support/mod.rs"]
mod support;
mod testing;
mod webhooks;
