//! A cluster in this process.
//!
//! In: where its kubeconfig goes. Out: an API server with our kinds and a node that runs pods, the controllers on it, and three lines to try.
//! Never: a program of a pod that outlives it.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Context;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{Api, api::PostParams};
use kube_codegen_apiserver::{ApiServer, Http, Kubelet};
use kube_codegen_runtime::CancellationToken;
use sample_client::Clientset;

use crate::{options::Options, run::run as run_controllers};

/// The kinds, as they are generated.
const DEFINITIONS: [&str; 2] = [
    include_str!("../../../crd/cnat.ishankhare.dev_ats.yaml"),
    include_str!("../../../crd/trstringer.com_myresources.yaml"),
];
/// The file beside other temporary ones, unless another is named.
const KUBECONFIG: &str = "sample-controller.kubeconfig";

/// Runs a cluster and the controllers until `stop`.
pub(crate) async fn run(options: &Options, stop: CancellationToken) -> anyhow::Result<()> {
    let kubelet = Kubelet::processes().context("cannot make a folder for the programs of pods")?;
    let server = ApiServer::builder().system_objects().kubelet(kubelet).build();
    define_kinds(&server).await?;
    let http = Http::bind(&server, ([127, 0, 0, 1], 0).into()).await?;
    let kubeconfig = options.kubeconfig.clone().unwrap_or_else(|| std::env::temp_dir().join(KUBECONFIG));
    let kubeconfig =
        std::path::absolute(&kubeconfig).with_context(|| format!("cannot find {}", kubeconfig.display()))?;
    http.write_kubeconfig(&kubeconfig)?;
    let _removed = Removed(kubeconfig.clone());
    say(&http.url(), &kubeconfig).context("cannot say that the cluster is ready")?;

    let clientset = Clientset::new(server.client());
    // Clients can see the end of what the controllers do, so the server ends after them.
    let closing = CancellationToken::new();
    let serving = tokio::spawn(http.serve(closing.clone()));
    let ran = run_controllers(&clientset, options, stop).await;
    closing.cancel();
    serving.await.context("the server has failed")?;
    ran
}

/// The three lines to try next.
fn say(url: &str, kubeconfig: &std::path::Path) -> io::Result<()> {
    let kubeconfig = kubeconfig.display();
    let mut out = io::stdout().lock();
    writeln!(out, "a cluster of its own is ready at {url}; in another terminal, try:")?;
    writeln!(out)?;
    writeln!(out, "  export KUBECONFIG={kubeconfig}")?;
    writeln!(
        out,
        "  sed \"s/2030-01-31T12:00:00Z/$(date -ud '5 seconds' +%FT%TZ)/\" examples/at-sample.yaml | kubectl apply -f -"
    )?;
    writeln!(out, "  kubectl get at --watch")?;
    writeln!(out)?;
    out.flush()
}

async fn define_kinds(server: &ApiServer) -> anyhow::Result<()> {
    let definitions: Api<CustomResourceDefinition> = Api::all(server.client());
    for text in DEFINITIONS {
        let definition = serde_saphyr::from_str(text).context("a definition is no YAML")?;
        definitions.create(&PostParams::default(), &definition).await.context("a kind cannot be defined")?;
    }
    Ok(())
}

/// A file that goes when the cluster does.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        // Where it is gone already, all is well.
        let _ = std::fs::remove_file(&self.0);
    }
}
