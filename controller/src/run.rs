//! The manager of the process.
//!
//! In: a cluster, and options. Out: the controllers' work until the stop. Never: a second leader.

use anyhow::Context;
use kube_codegen_runtime::CancellationToken;
use sample_client::{Clientset, SharedInformerFactory};
use sample_controller::{Setup, add_all};
use tracing::info;

use crate::options::Options;

// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get;create;update,namespace=sample-controller-system,roleName=sample-controller-leader-election
/// Runs all controllers until `stop`, or until one of them fails.
pub(crate) async fn run(
    clientset: &Clientset,
    options: &Options,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let Options { manager: config, namespace, .. } = options;
    let manager = config.builder(clientset.client())?.build();

    let mut factory = SharedInformerFactory::builder(clientset);
    if let Some(namespace) = namespace {
        factory = factory.namespace(namespace);
    }
    let factory = factory.build();
    let setup = Setup { workers: config.max_concurrent_reconciles, ..Setup::default() };
    let reports = add_all(&manager, clientset, &factory, &setup)?;
    manager.run(stop).await.context("the controllers have stopped")?;
    let stuck = reports.stuck_pods.stuck().len();
    info!(my_resources = ?reports.my_resources.told(), stuck_pods = stuck, "stopped");
    Ok(())
}
