//! Finding the cluster.
//!
//! In: the options. Out: a clientset whose cluster answers and knows our kind. Never: a start that is bound to fail.

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

/// Connects to the cluster, and makes sure that it answers and knows our kind.
pub(crate) async fn connect(options: &Options) -> anyhow::Result<Clientset> {
    let config = config(options).await?;
    let url = config.cluster_url.clone();
    let clientset = Clientset::new(Client::try_from(config).context("the configuration is not usable")?);
    let probe = ListParams::default().limit(1);
    let namespace = options.namespace.as_deref().unwrap_or_default();
    let my_resources = clientset.trstringer_v1().my_resources(namespace);
    let answer = tokio::time::timeout(PATIENCE, my_resources.list_with(&probe)).await;
    match answer.with_context(|| format!("no answer from {url} within {PATIENCE:?}"))? {
        Ok(_) => {
            info!(%url, namespace = options.namespace.as_deref().unwrap_or("all"), "connected");
            Ok(clientset)
        }
        Err(Error::NotFound(_)) => {
            bail!(
                "{url} does not serve the kind MyResource of trstringer.com/v1; install the CustomResourceDefinition first"
            )
        }
        Err(error) => Err(error).with_context(|| format!("cannot list MyResources at {url}")),
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
