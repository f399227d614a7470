//! The Pod controller: a report of pods that no node was found for.
//!
//! In: the generated informer of Pods. Out: the pods that have waited for a node for too long, in the log and as a list. Never: a request to
//! the server.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use jiff::Timestamp;
use k8s_openapi::api::core::v1::{Pod, PodCondition};
use kube_codegen_runtime::{
    clock::WallClock,
    controller::{Action, Controller, ControllerBuilder, Failure, Reconciler, Request},
    events::EventRecorder,
    informer::SharedInformer,
    object::ObjectKey,
    store::Store,
};
use parking_lot::Mutex;
use tracing::{info, warn};

/// How long a pod may wait for a node before it is reported, unless told otherwise.
pub const PATIENCE: Duration = Duration::from_secs(60);

// +kubebuilder:rbac:groups=core,resources=pods,verbs=list;watch
/// A controller that reports pods that have waited for a node for too long. The builder is one for `informer`.
#[must_use]
pub fn controller(
    builder: ControllerBuilder<Pod>,
    informer: &SharedInformer<Pod>,
    with: With,
) -> (Controller<StuckPods>, Report) {
    let report = Report::default();
    let reconciler = StuckPods { store: informer.store(), with, report: report.clone() };
    (builder.build(reconciler), report)
}

/// What the controller needs besides its informer.
#[derive(Clone, Debug)]
pub struct With {
    /// How long a pod may wait for a node.
    pub patience: Duration,
    /// The time of day.
    pub clock: WallClock,
    /// Where it tells of it.
    pub events: EventRecorder,
}

/// The pods that wait for a node, with the scheduler's words about them. A cheap handle.
#[derive(Clone, Debug, Default)]
pub struct Report(Arc<Mutex<BTreeMap<ObjectKey, String>>>);

impl Report {
    /// The pods that are stuck now.
    #[must_use]
    pub fn stuck(&self) -> BTreeMap<ObjectKey, String> {
        self.0.lock().clone()
    }

    /// Says whether it was not there.
    fn add(&self, key: &ObjectKey, why: &str) -> bool {
        self.0.lock().insert(key.clone(), why.to_owned()).is_none()
    }

    fn remove(&self, key: &ObjectKey) {
        if self.0.lock().remove(key).is_some() {
            info!("the pod is no longer stuck without a node");
        }
    }
}

/// Finds pods that are stuck.
#[derive(Debug)]
pub struct StuckPods {
    store: Store<Pod>,
    with: With,
    report: Report,
}

impl Reconciler for StuckPods {
    async fn reconcile(&self, request: Request) -> Result<Action, Failure> {
        let key = request.key();
        let pod = self.store.get(key);
        let With { patience, clock, events } = &self.with;
        let found = pod.as_deref().and_then(|pod| Some((pod, waiting(pod)?)));
        let Some((pod, (since, why))) = found else {
            self.report.remove(key);
            return Ok(Action::Done);
        };
        let left = clock.until(since.saturating_add(*patience).unwrap_or(Timestamp::MAX));
        if !left.is_zero() {
            self.report.remove(key);
            // The clock may be set meanwhile, and nobody tells.
            return Ok(Action::After(left.min(*patience)));
        }
        if self.report.add(key, why) {
            warn!(why, "the pod is stuck without a node");
            events.warning(
                pod,
                "WithoutNode",
                "Reporting",
                format!("no node was found for {patience:?}: {why}"),
            );
        }
        Ok(Action::Done)
    }
}

/// Since when a pod waits for a node, and why; none if it does not, or is meant to.
fn waiting(pod: &Pod) -> Option<(Timestamp, &str)> {
    let has_node = pod.spec.as_ref().is_some_and(|spec| spec.node_name.is_some());
    let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
    if has_node || pod.metadata.deletion_timestamp.is_some() || phase.is_some_and(|phase| phase != "Pending")
    {
        return None;
    }
    let condition = scheduled(pod);
    if condition.and_then(|condition| condition.reason.as_deref()) == Some("SchedulingGated") {
        return None;
    }
    let why = condition
        .and_then(|condition| condition.message.as_deref())
        .unwrap_or("no scheduler has looked at it");
    Some((pod.metadata.creation_timestamp.as_ref()?.0, why))
}

fn scheduled(pod: &Pod) -> Option<&PodCondition> {
    let conditions = pod.status.as_ref()?.conditions.as_ref()?;
    conditions.iter().find(|condition| condition.type_ == "PodScheduled")
}
