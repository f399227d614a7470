//! The Pod controller: a report of pods that no node was found for.
//!
//! In: the generated informer of Pods. Out: the pods that have waited for a node for too long, in the log and as a list. Never: a request to
//! the server.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::{Pod, PodCondition};
use kube_codegen_runtime::{
    controller::{Action, Controller, ControllerBuilder, Failure, Reconciler, Request},
    informer::SharedInformer,
    object::ObjectKey,
    store::Store,
};
use parking_lot::Mutex;
use tracing::{info, warn};

use crate::Clock;

/// How long a pod may wait for a node before it is reported, unless told otherwise.
pub const PATIENCE: Duration = Duration::from_secs(60);

// +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch
/// A controller that reports pods that have waited for a node for longer than `patience`. The builder is one for `informer`.
#[must_use]
pub fn controller(
    builder: ControllerBuilder<Pod>,
    informer: &SharedInformer<Pod>,
    patience: Duration,
    clock: Clock,
) -> (Controller<StuckPods>, Report) {
    let report = Report::default();
    let reconciler = StuckPods { store: informer.store(), patience, clock, report: report.clone() };
    (builder.build(reconciler), report)
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

    fn add(&self, key: &ObjectKey, why: &str) {
        let before = self.0.lock().insert(key.clone(), why.to_owned());
        if before.as_deref() != Some(why) {
            warn!(why, "the pod is stuck without a node");
        }
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
    patience: Duration,
    clock: Clock,
    report: Report,
}

impl Reconciler for StuckPods {
    async fn reconcile(&self, request: Request) -> Result<Action, Failure> {
        let key = request.key();
        let pod = self.store.get(key);
        let Some((since, why)) = pod.as_deref().and_then(waiting) else {
            self.report.remove(key);
            return Ok(Action::Done);
        };
        // A clock that was set back makes a pod look younger, never older than it is for long.
        let patience = SignedDuration::try_from(self.patience).unwrap_or(SignedDuration::MAX);
        let left = patience.saturating_sub(self.clock.now().duration_since(since));
        if left.is_positive() {
            self.report.remove(key);
            return Ok(Action::After(left.unsigned_abs().min(self.patience)));
        }
        self.report.add(key, why);
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
