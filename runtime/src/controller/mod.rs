//! Controllers: what is wanted is compared with what is, key by key, until both agree.
//!
//! In: shared informers and a [`Reconciler`]. Out: calls of the reconciler, each with the key of one object that may need work. Never: two
//! calls at a time about one key, a call after the stop, a lost key.
//!
//! What controller-runtime's builder gives in Go is given here on shared informers of the user's own, so that controllers of one process
//! share their caches.
//!
//! ```
//! use k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::Pod};
//! use kube_codegen_runtime::{
//!     CancellationToken,
//!     client::ResourceClient,
//!     controller::{Action, Controller, Failure, Request, filter},
//!     informer::SharedInformer,
//! };
//!
//! # async fn example(client: kube::Client, stop: CancellationToken) -> Result<(), Box<dyn std::error::Error>> {
//! let sets = SharedInformer::builder(ResourceClient::<ReplicaSet>::namespaced(client.clone(), "default")).build();
//! let pods = SharedInformer::builder(ResourceClient::<Pod>::namespaced(client, "default")).build();
//! let lister = sets.lister();
//!
//! let controller = Controller::builder("replica-set", &sets)
//!     .filter(filter::generation())
//!     .owns(&pods)
//!     .workers(2.try_into()?)
//!     .build(move |request: Request| {
//!         let set = lister.get(request.namespace().unwrap_or_default(), request.name());
//!         async move {
//!             let Some(_set) = set else { return Ok(Action::Done) };
//!             // ... compare, and change what differs; `?` on any error lets the key be tried again ...
//!             Ok::<_, Failure>(Action::Done)
//!         }
//!     });
//! sets.start(&stop);
//! pods.start(&stop);
//! controller.run(stop).await?;
//! # Ok(()) }
//! ```

mod action;
mod attempt;
mod builder;
mod child;
mod create_or;
mod failure;
pub mod filter;
mod finalizer;
mod finalizers;
mod gone;
mod metrics;
mod owner;
mod partition;
mod reconciler;
mod run;
mod source;

pub use action::Action;
pub use builder::ControllerBuilder;
pub use child::{ChildError, child_name, create_child};
pub use create_or::{Changed, create_or_patch, create_or_update};
pub use failure::Failure;
pub use finalizer::{add_finalizer, has_finalizer, remove_finalizer};
pub use finalizers::{Finalized, FinalizerError, Finalizers};
pub use metrics::{Metrics, Outcome};
pub use owner::{
    OwnerError, controller_of, is_controlled_by, remove_owner_reference, set_controller_reference,
    set_owner_reference,
};
pub use reconciler::{Reconciler, Request};
pub use run::{Controller, RunError};
