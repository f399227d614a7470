//! Runs the sample controllers, against a cluster or one of its own.
//!
//! In: options, and a kubeconfig. Out: log lines. Ctrl-C or SIGTERM ends it: what is being done is finished, a second one
//! ends it at once.

mod connect;
#[cfg(feature = "embedded")]
mod embedded;
mod options;
mod run;

use std::{io::IsTerminal, process::ExitCode};

use kube_codegen_runtime::manager::stop_on_signals;
use tracing::error;
use tracing_subscriber::EnvFilter;

use self::options::Options;

/// What is logged unless `RUST_LOG` says otherwise. What kube logs of failed requests, we log once more in context.
const LOGGED: &str = "info,kube_client=off";

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::of_this_process();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOGGED));
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours).init();
    match start(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            error!("{}", story(&failure));
            ExitCode::FAILURE
        }
    }
}

async fn start(options: &Options) -> anyhow::Result<()> {
    #[cfg(feature = "embedded")]
    if options.embedded {
        return embedded::run(options, stop_on_signals()).await;
    }
    let clientset = connect::connect(options).await?;
    run::run(&clientset, options, stop_on_signals()).await
}

/// An error and its causes in one line. A cause that the text before it has told already is left out.
fn story(error: &anyhow::Error) -> String {
    let mut story = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if story.is_empty() {
            story = cause;
        } else if !story.contains(&cause) {
            story = format!("{story}: {cause}");
        }
    }
    story
}
