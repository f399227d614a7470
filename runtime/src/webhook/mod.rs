//! Admission and conversion webhooks: what the API server asks before it stores an object, and between the versions of a kind.
//!
//! In: reviews over HTTPS. Out: defaults, verdicts, objects in another version. Never: a panic or a body of any form that goes without a
//! proper answer.
//!
//! The paths are kubebuilder's, so that its `+kubebuilder:webhook:path=..` markers fit: `/mutate-apps-v1-deployment`,
//! `/validate-apps-v1-deployment`, `/convert`. What is registered with a cluster is written by `kube-codegen webhook`.
//!
//! ```no_run
//! use k8s_openapi::api::apps::v1::Deployment;
//! use kube_codegen_runtime::{
//!     manager::{Manager, stop_on_signals},
//!     webhook::{AdmissionRequest, Defaulter, Denied, FieldError, Validator, Warnings, WebhookServer},
//! };
//!
//! struct Rules;
//!
//! impl Defaulter<Deployment> for Rules {
//!     async fn default(&self, object: &mut Deployment, _: &AdmissionRequest<Deployment>) -> Result<(), Denied> {
//!         object.spec.replicas.get_or_insert(2);
//!         Ok(())
//!     }
//! }
//!
//! impl Validator<Deployment> for Rules {
//!     async fn validate_create(
//!         &self,
//!         new: &Deployment,
//!         _: &AdmissionRequest<Deployment>,
//!     ) -> Result<Warnings, Denied> {
//!         match new.spec.replicas {
//!             Some(many) if many > 100 => {
//!                 Err(Denied::invalid(new, [FieldError::invalid("spec.replicas", many, "must be 100 at most")]))
//!             }
//!             _ => Ok(Vec::new()),
//!         }
//!     }
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let manager = Manager::builder().build();
//! let webhooks = WebhookServer::new(([0, 0, 0, 0], 9443).into(), "/tmp/k8s-webhook-server/serving-certs")
//!     .defaulter::<Deployment>(Rules)
//!     .validator::<Deployment>(Rules);
//! manager.add_webhooks(webhooks);
//! manager.run(stop_on_signals()).await?;
//! # Ok(()) }
//! ```
//!
//! Tests need no network and no certificates: [`WebhookServer::answer`] takes a review and gives the answer, which is what
//! `ApiServer::webhook` of `kube-codegen-apiserver` asks for.

mod admission;
mod conversion;
mod denied;
mod guard;
mod head;
mod metrics;
mod patch;
mod path;
mod server;

pub use admission::{Defaulter, Validator, Warnings};
pub use conversion::Conversion;
pub use denied::{Denied, FieldError};
pub use kube::core::admission::{AdmissionRequest, Operation};
pub(crate) use metrics::WebhookMetrics;
pub use path::{CONVERT, mutating_path, validating_path};
pub use server::WebhookServer;

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;

/// What answers the reviews of one path.
type Handler = Arc<dyn Fn(Value) -> BoxFuture<'static, Value> + Send + Sync>;
