//! A replica of the sample controllers, as a process of a simulation.

use std::{num::NonZeroUsize, time::Duration};

use kube_codegen_apiserver::{
    Builder, Kubelet,
    testing::simulation::{Process, Simulation},
};
use kube_codegen_runtime::{
    CancellationToken, client::ResourceClient, clock::WallClock, leader_election::LeaderElector,
    manager::Manager,
};
use sample_client::{Clientset, SharedInformerFactory, fake};
use sample_controller::{Setup, add_all};

/// Whether replicas compete for a Lease.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Election {
    /// One works at a time.
    Held,
    /// All work at once.
    Left,
}

/// A simulation of a server with a node, whose pods run for a second.
pub(crate) fn simulation(seed: u64) -> Simulation {
    Simulation::new(seed).server(settings)
}

fn settings(builder: Builder) -> Builder {
    let kubelet = Kubelet::simulated().run_for(Duration::from_secs(1));
    builder.register_all(fake::registrations()).kubelet(kubelet)
}

/// The main function of a replica: that of the binary, on the clock of its process.
pub(crate) async fn replica(process: Process, election: Election) {
    let clock = WallClock::starting_at(process.now());
    process.on_clock_jump({
        let clock = clock.clone();
        move |by| clock.jump(by)
    });
    let clientset = Clientset::new(process.client());
    let builder = Manager::builder();
    let builder = match election {
        Election::Held => {
            let leases = ResourceClient::namespaced(process.client(), "default");
            builder
                .leader_election(LeaderElector::builder(leases, "samples", process.name()).build().unwrap())
        }
        Election::Left => builder,
    };
    let (manager, factory) = (builder.build(), SharedInformerFactory::new(&clientset));
    let setup = Setup { workers: NonZeroUsize::new(2).unwrap(), clock, ..Setup::default() };
    add_all(&manager, &clientset, &factory, &setup).unwrap();
    if let Err(error) = manager.run(CancellationToken::new()).await {
        process.note(&error.to_string());
    }
}
