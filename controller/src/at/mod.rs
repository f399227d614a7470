//! The At controller: a command, run once, at its time, in a pod.
//!
//! In: the generated informers of Ats and Pods, and the time of day. Out: for each At one pod, and the At's status. Never: a second pod.
//!
//! What makes it one pod, whatever crashes, however old the caches are, and whoever else does the same:
//!
//! 1. *The claim.* Before a pod is made, the At's phase is set to RUNNING, by a write over the very version that was decided on. Who read an
//!    older one is refused by the server and looks again. So nobody who believes that the time has not come, or is long past, can overrule
//!    somebody who has begun.
//! 2. *The name.* The pod's name is a function of the At. Who makes it again, after a crash or a lost answer, is told that it is there.
//! 3. *The finalizer.* A pod that somebody deletes stays until the At says what became of it. So an At that is RUNNING and has no pod has
//!    never had one, and it is safe to make it, after a look at the server whether it is RUNNING still.
//!
//! What is left is a request to make the pod that travels for longer than the pod lives and is then deleted by somebody: no API server can
//! refuse it. With leader election its sender has ended before the next leader begins.
//!
//! [`plan`] has all decisions, as a function of what is seen; [`schedule`] reads the spec, [`status`] writes the status, [`pod`] makes the
//! pod.

pub mod plan;
pub mod pod;
mod reconcile;
pub mod schedule;
pub mod status;

use kube_codegen_runtime::{
    clock::WallClock,
    controller::{Controller, ControllerBuilder},
    events::EventRecorder,
    store::DuplicateIndex,
};
use sample_apis::cnat::v1alpha1::At;
use sample_client::{Clientset, SharedInformerFactory};

pub use reconcile::Ats;

/// What the controller needs besides its clients and informers.
#[derive(Clone, Debug)]
pub struct With {
    /// The time of day.
    pub clock: WallClock,
    /// Where it tells what happens to Ats.
    pub events: EventRecorder,
}

/// The index of pods by their Ats.
const INDEX: &str = "at";

// +kubebuilder:rbac:groups=cnat.ishankhare.dev,resources=ats,verbs=get;list;watch
// +kubebuilder:rbac:groups=cnat.ishankhare.dev,resources=ats/status,verbs=update
// +kubebuilder:rbac:groups=cnat.ishankhare.dev,resources=ats/finalizers,verbs=update
// +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch;create;patch
/// A controller that runs Ats. The builder is one for the factory's informer of Ats.
///
/// # Errors
/// If the informer of Pods has an index `at` already.
pub fn controller(
    builder: ControllerBuilder<At>,
    clientset: &Clientset,
    factory: &SharedInformerFactory,
    with: With,
) -> Result<Controller<Ats>, DuplicateIndex> {
    let (ats, pods) = (factory.cnat_v1alpha1().ats(), factory.core_v1().pods());
    let pods_of = pods.add_index(INDEX, pod::at_of)?;
    let reconciler = Ats::new(clientset.clone(), ats.lister(), pods_of, with);
    Ok(builder.watches(&pods, pod::at_of).build(reconciler))
}
