//! The program: an API server that kubectl and other clients talk to.
//!
//! In: options. Out: a kubeconfig, one line when the server is ready, and answers until Ctrl-C or SIGTERM. Nothing is kept.

mod options;
mod signals;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context as _;
use clap::Parser as _;
use kube_codegen_apiserver::{ApiServer, Http, Manifests};
use tempfile::TempPath;
use tokio_util::sync::CancellationToken;

use self::options::{AuthorizationMode, Options};

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Where nobody listens there is nobody to tell.
            let _ = writeln!(io::stderr(), "error: {failure:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> anyhow::Result<()> {
    let shutdown = CancellationToken::new();
    tokio::spawn(signals::stop_on_signals(shutdown.clone()));
    let manifests = Manifests::read(&options.load)?;
    let builder = ApiServer::builder().system_objects();
    let server = match options.authorization_mode {
        AuthorizationMode::Rbac => builder.rbac().build(),
        AuthorizationMode::AlwaysAllow => builder.build(),
    };
    server.load(&manifests)?;
    let http = Http::bind(&server, options.listen).await?;
    let kubeconfig = KubeconfigFile::choose(options)?;
    http.write_kubeconfig(kubeconfig.path())?;
    let ready = format!("ready at {}; export KUBECONFIG={}", http.url(), kubeconfig.path().display());
    writeln!(io::stdout(), "{ready}").context("cannot say that the server is ready")?;
    http.serve(shutdown).await;
    Ok(())
}

/// Where the kubeconfig goes: a file that was asked for stays, another goes when the program ends.
enum KubeconfigFile {
    Named(PathBuf),
    Temporary(TempPath),
}

impl KubeconfigFile {
    fn choose(options: &Options) -> anyhow::Result<Self> {
        if let Some(path) = &options.kubeconfig {
            let path =
                std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
            return Ok(Self::Named(path));
        }
        let mut builder = tempfile::Builder::new();
        let file = builder.prefix("kube-codegen-apiserver-").suffix(".kubeconfig").tempfile();
        Ok(Self::Temporary(
            file.context("cannot make a file for the kubeconfig; name one with --kubeconfig")?
                .into_temp_path(),
        ))
    }

    fn path(&self) -> &std::path::Path {
        match self {
            Self::Named(path) => path,
            Self::Temporary(path) => path,
        }
    }
}
