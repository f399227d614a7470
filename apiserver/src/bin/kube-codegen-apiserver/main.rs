//! The program: an API server that kubectl and other clients talk to.
//!
//! In: options. Out: a kubeconfig, one line when the server is ready, and answers until Ctrl-C or SIGTERM. What is to be kept is kept in the
//! file that was named.

mod keeper;
mod options;
mod signals;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context as _;
use clap::Parser as _;
use kube_codegen_apiserver::{ApiServer, Http, Kubelet, Manifests};
use tempfile::TempPath;
use tokio_util::sync::CancellationToken;

use self::{
    keeper::Keeper,
    options::{AuthorizationMode, KubeletKind, Options},
};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    // Nothing is begun yet: a signal ends the process at once, also while it waits for a pipe.
    let manifests = Manifests::read(&options.load)?;
    let shutdown = CancellationToken::new();
    tokio::spawn(signals::stop_on_signals(shutdown.clone()));
    let server = server(options)?;
    let keeper = options.data.clone().map(|path| Keeper::begin(&server, path)).transpose()?;
    if !manifests.is_empty() {
        server.load(&manifests)?;
        say(&format!("loaded {}", counted(manifests.len())));
    }
    let http = Http::bind(&server, options.listen).await?;
    let kubeconfig = KubeconfigFile::choose(options)?;
    http.write_kubeconfig(kubeconfig.path())?;
    let ready = format!("ready at {}; export KUBECONFIG={}", http.url(), kubeconfig.path().display());
    writeln!(io::stdout(), "{ready}").context("cannot say that the server is ready")?;
    let keeping = keeper.map(|keeper| tokio::spawn(keeper.run(shutdown.clone())));
    http.serve(shutdown).await;
    if let Some(keeping) = keeping {
        // Once more when nobody is answered any more, so that whatever was answered is kept.
        let mut keeper = keeping.await.context("the state was not kept")?;
        keeper.write().await?;
    }
    Ok(())
}

/// A server as the options want it.
fn server(options: &Options) -> anyhow::Result<ApiServer> {
    let builder = ApiServer::builder().system_objects();
    let builder = match options.authorization_mode {
        AuthorizationMode::Rbac => builder.rbac(),
        AuthorizationMode::AlwaysAllow => builder,
    };
    let builder = if options.count_quotas { builder.count_quotas() } else { builder };
    let builder = if options.service_accounts { builder.service_accounts() } else { builder };
    let builder = match options.kubelet {
        None => builder,
        Some(KubeletKind::Simulated) => builder.kubelet(Kubelet::simulated()),
        #[cfg(unix)]
        Some(KubeletKind::Process) => {
            let kubelet = Kubelet::processes().context("cannot make a folder for processes")?;
            let folder = kubelet.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
            say(&format!(
                "--kubelet=process: whoever may create pods here runs programs of this machine with the rights of this user: a \
                 container's command is a child process in {folder}, without isolation; its image is not looked into, its volumes are \
                 not mounted, its probes are not asked"
            ));
            builder.kubelet(kubelet)
        }
    };
    Ok(builder.build())
}

/// A number of objects, in words.
fn counted(objects: usize) -> String {
    if objects == 1 { "1 object".to_owned() } else { format!("{objects} objects") }
}

/// Tells whoever runs the program.
fn say(text: &str) {
    // Where nobody listens there is nobody to tell.
    let _ = writeln!(io::stderr(), "{text}");
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
