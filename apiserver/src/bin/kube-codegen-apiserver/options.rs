//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Parser, ValueEnum};

/// A Kubernetes API server in memory: for tests, for trying things, for clients in any language.
///
/// It writes a kubeconfig, says in one line that it is ready, and ends on Ctrl-C. What it holds is gone then, unless --data names a file.
/// Pods are stored, not run, unless there is a --kubelet.
#[derive(Debug, Parser)]
#[command(name = "kube-codegen-apiserver", version, after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Where to listen; port 0 is any free one. Clients need the token of the kubeconfig, wherever they are.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0", value_parser = address)]
    pub(crate) listen: SocketAddr,

    /// Where to write the kubeconfig (mode 0600); without it, a temporary file that goes when the server ends.
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<PathBuf>,

    /// A YAML or JSON file of objects to start with, or a folder of such files; may be given more than once.
    #[arg(long, value_name = "FILE_OR_FOLDER")]
    pub(crate) load: Vec<PathBuf>,

    /// A file that keeps the state across runs. It is made if it is not there, and written a second after a change and at the end; one
    /// that is damaged is refused and left as it is.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,

    /// Gives the server a node, and a scheduler that binds pods to it.
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "simulated")]
    pub(crate) kubelet: Option<KubeletKind>,

    /// Counts what the quotas of namespaces limit. Without it their status is left as it is, as by an API server that stands alone.
    #[arg(long)]
    pub(crate) count_quotas: bool,

    /// Gives every namespace the service account `default`, which a controller of a real cluster makes.
    #[arg(long)]
    pub(crate) service_accounts: bool,

    /// Who decides what users may do. The user of the kubeconfig may do everything in either mode.
    #[arg(long, value_name = "MODE", default_value = "RBAC")]
    pub(crate) authorization_mode: AuthorizationMode,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an IP address and a port, such as 127.0.0.1:6443 or [::1]:0".to_owned())
}

/// Who decides what users may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuthorizationMode {
    /// The roles and bindings that are stored.
    #[value(name = "RBAC")]
    Rbac,
    /// Nobody: who is known may do everything.
    #[value(name = "AlwaysAllow")]
    AlwaysAllow,
}

/// How the containers of pods are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KubeletKind {
    /// They are only said to run, by rules in the annotations of their pods (docs/apiserver.md).
    Simulated,
    /// Each command runs as a child process of this user, without isolation and without images.
    #[cfg(unix)]
    Process,
}

const EXAMPLES: &str = "\
Examples:
  # A server for this terminal, and kubectl against it in another
  kube-codegen-apiserver --kubeconfig /tmp/test.kubeconfig
  kubectl --kubeconfig /tmp/test.kubeconfig get namespaces

  # Start with objects: hand-written ones, and some that were saved from a cluster
  kubectl get deployments,services --output yaml > saved.yaml
  kube-codegen-apiserver --load manifests/ --load saved.yaml
  kubectl kustomize config/default | kube-codegen-apiserver --load /dev/stdin

  # Keep what there is for the next time
  kube-codegen-apiserver --data ~/.local/state/cluster.data

  # Pods that are said to run, or that really do: their commands are processes of yours
  kube-codegen-apiserver --kubelet
  kube-codegen-apiserver --kubelet=process

  # For clients on other machines: send them the kubeconfig, with this machine's address in it
  kube-codegen-apiserver --listen 0.0.0.0:6443 --kubeconfig test.kubeconfig";
