//! The server as a whole: through `kube::Client` and through its tower service.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, its helpers too, and seeds are to be read"
)]

mod any_request;
mod builtin;
mod clients;
mod determinism;
mod escapes;
mod generation;
mod http;
mod lifetime;
mod lists;
mod logs;
mod model;
mod model_run;
mod panics;
mod smoke;
mod watches;
