//! Finding the cluster.
//!
//! In: the options. Out: a clientset whose cluster answers and knows our kinds. Never: a start that is bound to fail.

use std::time::Duration;

use anyhow::{Context, bail};
use kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};
use kube_codegen_runtime::client::{Error, ListParams};
use sample_client::Clientset;
use tracing::info;

use crate::options::Options;

/// How long to wait for the first answer of the cluster.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connects to the cluster, and makes sure that it answers and knows our kinds.
pub(crate) async fn connect(options: &Options) -> anyhow::Result<Clientset> {
    let config = config(options).await?;
    let url = config.cluster_url.clone();
    let clientset = Clientset::new(Client::try_from(config).context("the configuration is not usable")?);
    let namespace = options.namespace.as_deref().unwrap_or_default();
    let probe = async {
        let one = ListParams::default().limit(1);
        let my_resources = clientset.trstringer_v1().my_resources(namespace).list_with(&one).await;
        served(my_resources, "MyResource of trstringer.com/v1")?;
        let ats = clientset.cnat_v1alpha1().ats(namespace).list_with(&one).await;
        served(ats, "At of cnat.ishankhare.dev/v1alpha1")
    };
    let answer = tokio::time::timeout(PATIENCE, probe).await;
    answer
        .with_context(|| format!("no answer within {PATIENCE:?}"))
        .flatten()
        .with_context(|| format!("{url} is of no use"))?;
    info!(%url, namespace = options.namespace.as_deref().unwrap_or("all"), "connected");
    Ok(clientset)
}

/// Whether a kind can be listed.
fn served<T>(listed: Result<T, Error>, kind: &str) -> anyhow::Result<()> {
    match listed {
        Ok(_) => Ok(()),
        Err(Error::NotFound(_)) => {
            bail!(
                "it does not serve the kind {kind}; install the CustomResourceDefinitions first: kubectl apply -f crd/"
            )
        }
        Err(error) => Err(error).with_context(|| format!("cannot list the kind {kind}")),
    }
}

async fn config(options: &Options) -> anyhow::Result<Config> {
    let context = KubeConfigOptions { context: options.context.clone(), ..KubeConfigOptions::default() };
    match &options.kubeconfig {
        Some(file) => {
            let kubeconfig = Kubeconfig::read_from(file)?;
            Config::from_custom_kubeconfig(kubeconfig, &context).await
        }
        None if options.context.is_some() => Config::from_kubeconfig(&context).await,
        None => return Config::infer().await.context("no cluster found: give one with --kubeconfig"),
    }
    .context("the kubeconfig is not usable")
}
