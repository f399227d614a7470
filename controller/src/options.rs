//! The command line.

use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf};

use clap::Parser;

/// Runs the MyResource, Pod and At controllers.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Begin a cluster in this process, with kinds and pods, and work on that.
    #[cfg(feature = "embedded")]
    #[arg(long, conflicts_with = "context")]
    pub(crate) embedded: bool,

    /// The kubeconfig to use; without it, that of $KUBECONFIG, ~/.kube/config, or the pod's service account. With --embedded, where to write
    /// that of the cluster.
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<PathBuf>,

    /// The context of the kubeconfig to use; without it, the current one.
    #[arg(long, value_name = "NAME")]
    pub(crate) context: Option<String>,

    /// Only look at this namespace; without it, at all of them.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) namespace: Option<String>,

    /// How many objects of each kind to work on at the same time.
    #[arg(long, value_name = "NUMBER", default_value = "2")]
    pub(crate) workers: NonZeroUsize,

    /// Let one of several replicas work, and others take over when it ends.
    #[arg(long)]
    pub(crate) leader_elect: bool,

    /// The Lease of the leader.
    #[arg(long, value_name = "NAME", default_value = "sample-controller")]
    pub(crate) leader_election_id: String,

    /// The namespace of the Lease; without it, that of the kubeconfig or of the pod.
    #[arg(long, value_name = "NAME")]
    pub(crate) leader_election_namespace: Option<String>,

    /// Answer /healthz and /readyz here, such as 0.0.0.0:8081.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) health_probe_bind_address: Option<SocketAddr>,

    /// Answer /metrics here, such as 0.0.0.0:8080.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics_bind_address: Option<SocketAddr>,
}

const EXAMPLES: &str = "\
Examples:
  # No cluster at hand: one in this process, for kubectl to look at
  sample-controller --embedded

  # All namespaces of the cluster that kubectl talks to
  sample-controller

  # One namespace of another cluster, with more workers
  sample-controller --kubeconfig staging.yaml --namespace shop --workers 8

  # One of several replicas
  sample-controller --leader-elect --health-probe-bind-address 0.0.0.0:8081

  # See requests as well
  RUST_LOG=info,kube_client=debug sample-controller

The cluster has to serve the kinds At and MyResource: kubectl apply -f crd/. With --embedded it does.";
