//! The command line.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::Parser;

/// Watches the MyResources and Pods of a cluster, and logs what becomes of them.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The kubeconfig to use; without it, that of $KUBECONFIG, ~/.kube/config, or the pod's service account.
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<PathBuf>,

    /// The context of the kubeconfig to use; without it, the current one.
    #[arg(long, value_name = "NAME")]
    pub(crate) context: Option<String>,

    /// Only look at this namespace; without it, at all of them.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) namespace: Option<String>,

    /// How many objects of each kind to handle at the same time.
    #[arg(long, value_name = "NUMBER", default_value = "2")]
    pub(crate) workers: NonZeroUsize,
}

const EXAMPLES: &str = "\
Examples:
  # All namespaces of the cluster that kubectl talks to
  sample-controller

  # One namespace of another cluster, with more workers
  sample-controller --kubeconfig staging.yaml --namespace shop --workers 8

  # See requests as well
  RUST_LOG=info,kube_client=debug sample-controller

The cluster has to serve the kind MyResource of the group trstringer.com: install its CustomResourceDefinition first.";
