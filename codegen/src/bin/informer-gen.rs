//! `informer-gen`: shared informers. See [`kube_codegen::cli`].

use kube_codegen::cli::{Tool, main as run};
use std::process::ExitCode;

fn main() -> ExitCode {
    run(Tool::InformerGen)
}
