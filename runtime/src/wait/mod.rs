//! Waiting until an object is as one wants it.
//!
//! In: an object's name, and a [`Condition`]. Out: the object that meets it. Never: a request in a loop; it lists once and watches from
//! there, through whatever happens to the connection.
//!
//! ```no_run
//! use std::time::Duration;
//! use k8s_openapi::api::apps::v1::Deployment;
//! use kube_codegen_runtime::{client::ResourceClient, wait::{self, condition}};
//!
//! # async fn example(deployments: ResourceClient<Deployment>) -> Result<(), Box<dyn std::error::Error>> {
//! let ready = condition::new(|deployment: Option<&Deployment>| {
//!     deployment.and_then(|deployment| deployment.status.as_ref()?.ready_replicas).is_some_and(|ready| ready >= 3)
//! });
//! let limit = Duration::from_secs(60);
//! tokio::time::timeout(limit, wait::until(&deployments, "web", ready)).await??;
//! tokio::time::timeout(limit, wait::until(&deployments, "web", condition::status("Available", "True"))).await??;
//!
//! deployments.delete("web").await?;
//! wait::until(&deployments, "web", condition::exists().not()).await?;
//! # Ok(()) }
//! ```

pub mod condition;
mod poll;
mod until;

pub use condition::Condition;
pub use poll::{PollError, poll};
pub use until::{WaitError, until, until_in};
