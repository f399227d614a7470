//! `client-gen`: the clientset and its fake. See [`kube_codegen::cli`].

use kube_codegen::cli::{Tool, main as run};
use std::process::ExitCode;

fn main() -> ExitCode {
    run(Tool::ClientGen)
}
