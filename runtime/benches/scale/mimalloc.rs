//! The same with mimalloc.
//!
//! In: the cases. Out: their tables. Never: a case of its own.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints, or stops"
)]

mod bounds;
mod feed;
mod harness;
mod measure;
mod network;
mod queue;
mod reading;
mod report;
mod writing;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let cases = [network::cases(), writing::cases(), reading::cases(), queue::cases()].concat();
    harness::main(harness::Allocator::Mimalloc, &cases);
}
