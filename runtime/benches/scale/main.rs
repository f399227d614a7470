//! Informers and stores with 100,000 pods of 3.6 KB, beside kube-runtime and beside what bounds them.
//!
//! `cargo bench -p runtime-scale -- [--runs N] [--objects N] [WORD...]` measures the cases whose name holds a word, or all.
//! Each run is a process of its own, and the feed they read from is another; the runs of all cases are interleaved, so that
//! a machine that drifts does so for all of them. What is printed is the best of the runs, since what disturbs a run only
//! ever adds to it, and behind it the ratio to kube-runtime and to the bound in the same table: 2 runs unless told
//! otherwise. `--goals` measures once, and only what a goal was set for, with what that is compared with: some minutes. It ends with a
//! table of goals. A goal in `s` can be reached on a machine that has nothing else to do only. `updates` and `sync` go over HTTP on
//! loopback, the others are in memory. Figures of 100,000 objects need 8 GB of memory.
//!
//! All of it is measured twice, for all alike: here with the system's allocator, and by `mimalloc.rs` with that one, which is what the
//! programs of this workspace have. `--bench scale` or `--bench mimalloc` chooses.

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

fn main() {
    let cases = [network::cases(), writing::cases(), reading::cases(), queue::cases()].concat();
    harness::main(harness::Allocator::System, &cases);
}
