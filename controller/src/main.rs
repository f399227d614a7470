//! Runs the sample controllers against a cluster.
//!
//! In: a kubeconfig and options. Out: log lines. Ctrl-C or SIGTERM ends it: what is queued is finished, a second one
//! ends it at once.

mod connect;
mod options;
mod signals;

use std::{io::IsTerminal, process::ExitCode};

use clap::Parser;
use sample_client::{Clientset, SharedInformerFactory};
use sample_controller::{LogAndCount, my_resource, pod};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};
use tracing_subscriber::EnvFilter;

use self::options::Options;

/// What is logged unless `RUST_LOG` says otherwise. What kube logs of failed requests, we log once more in context.
const LOGGED: &str = "info,kube_client=off";

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOGGED));
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours).init();
    match connect_and_run(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            error!("{}", story(&failure));
            ExitCode::FAILURE
        }
    }
}

async fn connect_and_run(options: &Options) -> anyhow::Result<()> {
    let clientset = connect::connect(options).await?;
    let shutdown = CancellationToken::new();
    tokio::spawn(signals::stop_on_signals(shutdown.clone()));
    run(&clientset, options, &shutdown).await
}

/// Runs all controllers until `shutdown`, or until one of them fails.
async fn run(clientset: &Clientset, options: &Options, shutdown: &CancellationToken) -> anyhow::Result<()> {
    let mut factory = SharedInformerFactory::builder(clientset);
    if let Some(namespace) = &options.namespace {
        factory = factory.namespace(namespace);
    }
    let factory = factory.build();
    let (my_resources, pods) = (LogAndCount::default(), LogAndCount::default());
    let (my_resource_counts, pod_counts) = (my_resources.counts(), pods.counts());
    let my_resources = my_resource::controller(&factory, my_resources).run(options.workers, shutdown);
    let pods = pod::controller(&factory, pods).run(options.workers, shutdown);

    factory.start(shutdown);
    let (my_resources, pods) = tokio::join!(ending_all(my_resources, shutdown), ending_all(pods, shutdown));
    factory.shutdown().await;
    info!(my_resources = ?my_resource_counts.read(), pods = ?pod_counts.read(), "stopped");
    Ok(my_resources.and(pods)?)
}

/// Runs one controller; when it ends, for whatever reason, the others are to end too.
async fn ending_all<T>(controller: impl Future<Output = T>, shutdown: &CancellationToken) -> T {
    let result = controller.await;
    shutdown.cancel();
    result
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
