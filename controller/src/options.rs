//! The command line.

use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser};
use kube_codegen_runtime::manager::ManagerConfig;

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

    /// What managers of kubebuilder projects take, with the same names and defaults, from the environment as well.
    #[command(
        flatten,
        next_help_heading = "Manager (also from the environment: MANAGER_LEADER_ELECT and the like)"
    )]
    pub(crate) manager: ManagerConfig,
}

/// The Lease of the leader, unless it is named.
const LEASE: &str = "sample-controller";

impl Options {
    /// Those of this process. What is wrong with them ends it.
    pub(crate) fn of_this_process() -> Self {
        let matches = Self::command().get_matches();
        let mut options = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        if options.manager.leader_election_id.is_empty() {
            LEASE.clone_into(&mut options.manager.leader_election_id);
        }
        #[cfg(feature = "embedded")]
        if options.embedded && !is_asked_for(&matches, "health-probe-bind-address") {
            // Nobody probes a demonstration, and the port may be another's.
            options.manager.health_probe_bind_address = None;
        }
        options
    }
}

/// Whether a setting of the manager is on the command line or in the environment.
#[cfg(feature = "embedded")]
fn is_asked_for(matches: &clap::ArgMatches, flag: &str) -> bool {
    let variable = format!("MANAGER_{}", flag.replace('-', "_").to_uppercase());
    matches.contains_id(flag) || std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

const EXAMPLES: &str = "\
Examples:
  # No cluster at hand: one in this process, for kubectl to look at
  sample-controller --embedded

  # All namespaces of the cluster that kubectl talks to
  sample-controller

  # One namespace of another cluster, with more workers
  sample-controller --kubeconfig staging.yaml --namespace shop --max-concurrent-reconciles 8

  # One of several replicas
  sample-controller --leader-elect --metrics-bind-address :8080

  # See requests as well
  RUST_LOG=info,kube_client=debug sample-controller

The cluster has to serve the kinds At and MyResource: kubectl apply -f crd/. With --embedded it does.";
