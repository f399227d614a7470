//! All sample controllers under one manager.
//!
//! In: a manager, a clientset and a factory. Out: the manager, with the three controllers and the informers they share. Never: anything
//! started; that is the manager's.

use std::{num::NonZeroUsize, time::Duration};

use kube_codegen_runtime::{
    clock::WallClock, events::EventBroadcaster, manager::Manager, store::DuplicateIndex,
};
use sample_client::{Clientset, SharedInformerFactory};

use crate::{LogAndCount, at, my_resource, pod};

/// Settings of the controllers.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many objects of each kind are worked on at a time.
    pub workers: NonZeroUsize,
    /// How long a pod may wait for a node before it is reported.
    pub patience: Duration,
    /// The time of day.
    pub clock: WallClock,
}

impl Default for Setup {
    fn default() -> Self {
        Self { workers: NonZeroUsize::MIN, patience: pod::PATIENCE, clock: WallClock::system() }
    }
}

/// The controllers do not fit what is there already.
#[derive(Debug, thiserror::Error)]
#[error("the controllers cannot be set up")]
pub struct SetupError(#[from] DuplicateIndex);

/// What the controllers have to tell, besides their log.
#[derive(Clone, Debug)]
pub struct Reports {
    /// What the MyResource controller was told.
    pub my_resources: LogAndCount,
    /// Pods without a node.
    pub stuck_pods: pod::Report,
}

// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
/// Adds the controllers and their informers to a manager. The factory decides which namespaces they see.
///
/// # Errors
/// If the factory's informers have indexes under the names that the controllers use: the controllers were added before.
pub fn add_all(
    manager: &Manager,
    clientset: &Clientset,
    factory: &SharedInformerFactory,
    setup: &Setup,
) -> Result<Reports, SetupError> {
    let Setup { workers, patience, clock } = setup.clone();
    let (ats, my_resources, pods) =
        (factory.cnat_v1alpha1().ats(), factory.trstringer_v1().my_resources(), factory.core_v1().pods());

    let events = EventBroadcaster::new(clientset.client().clone()).clock(clock.clone());

    let builder = manager.controller("at", &ats).workers(workers);
    let with = at::With { clock: clock.clone(), events: events.recorder("at-controller") };
    manager.add_controller(at::controller(builder, clientset, factory, with)?);

    let told = LogAndCount::default();
    let builder = manager.controller("my-resource", &my_resources).workers(workers);
    manager.add_controller(my_resource::controller(builder, &my_resources, told.clone()));

    let builder = manager.controller("pod", &pods).workers(workers);
    let with = pod::With { patience, clock, events: events.recorder("pod-controller") };
    let (controller, stuck_pods) = pod::controller(builder, &pods, with);
    manager.add_controller(controller);

    manager.add_informers(factory);
    manager.add_task("the events", |stop| async move {
        events.run(stop).await;
        Ok(())
    });
    Ok(Reports { my_resources: told, stuck_pods })
}
