//! One look at an At, and what it leads to.
//!
//! In: the key of an At. Out: requests, step by step, each decided by [`plan`](super::plan) on what the last one answered. Never: a pod made
//! on the word of a cache alone.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::Pod;
use kube_codegen_runtime::{
    client::{Error, Optional, Patch},
    controller::{Action, Failure, Reconciler, Request},
    object::ObjectKey,
    store::Index,
};
use sample_apis::cnat::v1alpha1::{At, AtStatus};
use sample_client::{
    Clientset,
    clientset::versioned::typed::{cnat::v1alpha1::Ats as AtClient, core::v1::Pods as PodClient},
    listers::cnat::v1alpha1::AtLister,
};
use serde_json::json;
use tracing::{info, warn};

use super::{
    With,
    plan::{self, Step},
    pod,
    schedule::Order,
    status::Progress,
};

/// The longest wait for a time that is to come: the clock may be set meanwhile, and nobody tells.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// Brings Ats forward.
#[derive(Debug)]
pub struct Ats {
    clientset: Clientset,
    ats: AtLister,
    pods_of: Index<Pod, ObjectKey>,
    with: With,
}

/// Where an At that steps are decided on comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// From a cache, which may be old.
    Cache,
    /// From the server, in this run.
    Server,
}

impl Ats {
    pub(super) fn new(
        clientset: Clientset,
        ats: AtLister,
        pods_of: Index<Pod, ObjectKey>,
        with: With,
    ) -> Self {
        Self { clientset, ats, pods_of, with }
    }

    /// Takes the steps of one At until there is none.
    async fn advance(&self, at: Arc<At>, pod: Option<Arc<Pod>>) -> Result<Action, Failure> {
        let clients = Clients::of(&self.clientset, &at);
        let (mut at, mut source) = (at, Source::Cache);
        loop {
            let now = self.with.clock.now();
            let step = match (plan::next(&at, pod.as_deref(), now), source) {
                (Step::Start, Source::Server) => match self.start(&clients, &at).await? {
                    Some(step) => step,
                    None => return Ok(Action::Done),
                },
                (step, _) => step,
            };
            match step {
                Step::Rest => return Ok(Action::Done),
                Step::Wait(until) => {
                    let wait = until.duration_since(now).unsigned_abs().min(LONGEST_WAIT);
                    return Ok(Action::After(wait));
                }
                Step::Write { status, news } => {
                    at = clients.write(&at, *status).await?;
                    self.tell(&at, news);
                }
                Step::Start => match clients.look_again(&at).await? {
                    Some(seen) => at = seen,
                    None => return Ok(Action::Done),
                },
                Step::Release => {
                    if let Some(pod) = &pod {
                        clients.release(pod).await?;
                    }
                    return Ok(Action::Done);
                }
            }
            source = Source::Server;
        }
    }

    /// Tells people of it: those who read the log, and those who ask for the At's events.
    fn tell(&self, at: &At, news: Option<Progress>) {
        let Some(news) = news else { return };
        let (reason, message, events) = (news.reason(), news.message(), &self.with.events);
        if news.is_trouble() {
            warn!(reason, "{message}");
            events.warning(at, reason, news.action(), message);
        } else {
            info!(reason, "{message}");
            events.normal(at, reason, news.action(), message);
        }
    }

    /// Makes the pod of an At that the server says is RUNNING. A step comes back where there can be none.
    async fn start(&self, clients: &Clients, at: &At) -> Result<Option<Step>, Failure> {
        let (name, now) = (pod::name(at), self.with.clock.now());
        let order = match Order::of(&at.spec) {
            Ok(order) => order,
            // The spec was changed after the claim. If the pod was made before, the cache will show it.
            Err(problem) => {
                let made = clients.pods.get(&name).await.optional()?;
                let refused = || plan::refused(at, problem.reason(), problem.to_string(), now);
                return Ok(made.is_none().then(refused));
            }
        };
        match clients.pods.create(&pod::of(at, order.words).map_err(Failure::terminal)?).await {
            Ok(_) => info!(pod = name, "made the pod"),
            Err(Error::AlreadyExists(_)) => {
                let there = clients.pods.get(&name).await?;
                if !pod::is_of(&there, at) {
                    return Err(Failure::passing(format!("the pod {name} is somebody else's")));
                }
            }
            Err(Error::Invalid(status)) => {
                return Ok(Some(plan::refused(at, "PodRefused", status.message.clone(), now)));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(None)
    }

    /// Lets pods go whose At is not there any more. That a cache does not have it says little: the server is asked.
    async fn bereave(&self, key: &ObjectKey, pods: &[Arc<Pod>]) -> Result<(), Failure> {
        let clients = Clients::in_namespace(&self.clientset, key.namespace().unwrap_or_default());
        let at = clients.ats.get(key.name()).await.optional()?;
        for pod in pods {
            if !at.as_ref().is_some_and(|at| pod::is_of(pod, at)) {
                clients.release(pod).await?;
            }
        }
        Ok(())
    }
}

impl Reconciler for Ats {
    async fn reconcile(&self, request: Request) -> Result<Action, Failure> {
        let key = request.key();
        let at = self.ats.get(key.namespace().unwrap_or_default(), key.name());
        let pods = self.pods_of.get(key);
        let is_its = |pod: &Arc<Pod>| at.as_ref().is_some_and(|at| pod::is_of(pod, at));
        let (its, others): (Vec<_>, Vec<_>) = pods.into_iter().partition(is_its);
        let held: Vec<_> = others.into_iter().filter(|pod| pod::is_held(pod)).collect();
        if !held.is_empty() {
            self.bereave(key, &held).await?;
        }
        match at {
            Some(at) => self.advance(at, its.into_iter().next()).await,
            None => Ok(Action::Done),
        }
    }
}

/// The clients of one namespace.
struct Clients {
    ats: AtClient,
    pods: PodClient,
}

impl Clients {
    fn of(clientset: &Clientset, at: &At) -> Self {
        Self::in_namespace(clientset, at.metadata.namespace.as_deref().unwrap_or_default())
    }

    fn in_namespace(clientset: &Clientset, namespace: &str) -> Self {
        Self { ats: clientset.cnat_v1alpha1().ats(namespace), pods: clientset.core_v1().pods(namespace) }
    }

    /// Writes the status over the version that it was decided on. Another writer in between makes this a conflict, after which everything
    /// is looked at again.
    async fn write(&self, at: &At, status: AtStatus) -> Result<Arc<At>, Failure> {
        match self.ats.update_status(&At { status: Some(status), ..at.clone() }).await {
            Ok(written) => Ok(Arc::new(written)),
            // It was deleted meanwhile, which the cache will show.
            Err(Error::NotFound(_)) => Ok(Arc::new(deleted(at))),
            Err(error) => Err(error.into()),
        }
    }

    /// The At as the server has it; none if it is gone, or another of its name is there.
    async fn look_again(&self, at: &At) -> Result<Option<Arc<At>>, Failure> {
        let seen = self.ats.get(at.metadata.name.as_deref().unwrap_or_default()).await.optional()?;
        Ok(seen.filter(|seen| seen.metadata.uid == at.metadata.uid).map(Arc::new))
    }

    /// Takes the finalizer off a pod.
    async fn release(&self, pod: &Pod) -> Result<(), Failure> {
        let metadata = &pod.metadata;
        let rest: Vec<&String> =
            metadata.finalizers.iter().flatten().filter(|name| *name != pod::FINALIZER).collect();
        // The version sees to it that nobody else's finalizer is lost.
        let patch = json!({"metadata": {"resourceVersion": metadata.resource_version, "finalizers": rest}});
        let name = metadata.name.as_deref().unwrap_or_default();
        self.pods.patch(name, &Patch::Merge(patch)).await.optional()?;
        Ok(())
    }
}

/// An At that is about to be gone, about which nothing is to be done.
fn deleted(at: &At) -> At {
    let mut at = at.clone();
    let now = at.metadata.creation_timestamp.clone();
    at.metadata.deletion_timestamp = at.metadata.deletion_timestamp.or(now);
    at
}
