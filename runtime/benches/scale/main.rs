//! Informers and stores with 100,000 pods of 3.6 KB, beside kube-runtime and beside what bounds them.
//!
//! `cargo bench -p runtime-scale -- [--runs N] [--objects N] [WORD...]` measures the cases whose name holds a word, or all.
//! Each run is a process of its own, and the feed they read from is another; the runs of all cases are interleaved, so that
//! a machine that drifts does so for all of them. What is printed is the best of the runs, since what disturbs a run only
//! ever adds to it, and behind it the ratio to kube-runtime and to the bound in the same table: 2 runs unless told
//! otherwise. `updates` and `sync` go over HTTP on loopback, the others are in memory. Figures of 100,000 objects need
//! 8 GB of memory.

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
mod reading;
mod writing;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut cases = network::cases();
    cases.extend(writing::cases());
    cases.extend(reading::cases());
    harness::main(&cases);
}
