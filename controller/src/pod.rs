//! The Pod controller: the same for a kind that Kubernetes brings along.
//!
//! In: the generated informer of Pods. Out: a log line and a count for each that is created, updated or deleted.
//! Never: a request to the server.

use std::sync::Arc;

use k8s_openapi::api::core::v1::Pod;
use kube_codegen_runtime::object::ObjectKey;
use sample_client::SharedInformerFactory;
use tracing::info;

use crate::{Controller, Handler, HandlerError, LogAndCount};

// +kubebuilder:rbac:groups=core,resources=pods,verbs=list;watch
/// A controller that has Pods handled.
#[must_use]
pub fn controller<H>(factory: &SharedInformerFactory, handler: H) -> Controller<Pod, H>
where
    H: Handler<Pod>,
{
    Controller::new("Pod", &factory.core_v1().pods(), handler)
}

impl Handler<Pod> for LogAndCount {
    async fn created(&self, object: &Arc<Pod>) -> Result<(), HandlerError> {
        info!(key = %ObjectKey::of(&**object), phase = phase(object), node = node(object), "Pod created");
        self.counts.created();
        Ok(())
    }

    async fn updated(&self, old: &Arc<Pod>, new: &Arc<Pod>) -> Result<(), HandlerError> {
        let key = ObjectKey::of(&**new);
        info!(%key, phase = phase(new), was = phase(old), node = node(new), "Pod updated");
        self.counts.updated();
        Ok(())
    }

    async fn deleted(&self, last: &Arc<Pod>) -> Result<(), HandlerError> {
        info!(key = %ObjectKey::of(&**last), phase = phase(last), node = node(last), "Pod deleted");
        self.counts.deleted();
        Ok(())
    }
}

fn phase(pod: &Pod) -> &str {
    pod.status.as_ref().and_then(|status| status.phase.as_deref()).unwrap_or("Unknown")
}

fn node(pod: &Pod) -> &str {
    pod.spec.as_ref().and_then(|spec| spec.node_name.as_deref()).unwrap_or("none")
}
