//! The manager of the process.
//!
//! In: a cluster, and options. Out: the controllers' work until the stop. Never: a second leader.

use anyhow::Context;
use kube_codegen_runtime::{
    CancellationToken, client::ResourceClient, leader_election::LeaderElector, manager::Manager,
};
use sample_client::SharedInformerFactory;
use sample_controller::{Setup, add_all};
use tracing::info;

use crate::{connect::Cluster, options::Options};

// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get;create;update,namespace=sample-controller-system,roleName=sample-controller-leader-election
/// Runs all controllers until `stop`, or until one of them fails.
pub(crate) async fn run(cluster: &Cluster, options: &Options, stop: CancellationToken) -> anyhow::Result<()> {
    let Cluster { clientset, namespace } = cluster;
    let mut builder = Manager::builder();
    if options.leader_elect {
        let namespace = options.leader_election_namespace.as_deref().unwrap_or(namespace);
        let leases = ResourceClient::namespaced(clientset.client().clone(), namespace);
        let elector = LeaderElector::builder(leases, &options.leader_election_id, &identity());
        builder = builder.leader_election(elector.build()?);
    }
    if let Some(address) = options.health_probe_bind_address {
        builder = builder.health_address(address);
    }
    if let Some(address) = options.metrics_bind_address {
        builder = builder.metrics_address(address);
    }
    let manager = builder.build();

    let mut factory = SharedInformerFactory::builder(clientset);
    if let Some(namespace) = &options.namespace {
        factory = factory.namespace(namespace);
    }
    let factory = factory.build();
    let setup = Setup { workers: options.workers, ..Setup::default() };
    let reports = add_all(&manager, clientset, &factory, &setup)?;
    manager.run(stop).await.context("the controllers have stopped")?;
    let stuck = reports.stuck_pods.stuck().len();
    info!(my_resources = ?reports.my_resources.told(), stuck_pods = stuck, "stopped");
    Ok(())
}

/// Tells this process from every other, and from its own last life.
fn identity() -> String {
    let host = std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty());
    format!("{}_{:016x}", host.as_deref().unwrap_or("sample-controller"), fastrand::u64(..))
}
