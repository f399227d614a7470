//! The manager: everything a controller process is made of, started and stopped in the right order.
//!
//! In: informers, controllers and tasks. Out: their life, from the first list to the last run; answers to health probes and scrapes.
//! Never: work of a leader without the Lease, a run after the stop, a task that outlives [`Manager::run`].
//!
//! The order is controller-runtime's. Start: health and metrics, webhooks, informers until their first lists are through, tasks, and after the
//! election the tasks and controllers of the leader. Stop: no new runs, those that are running are waited for while their caches can
//! still be read, then the Lease is released, then the informers and at last health and metrics end. A controller's queue fills before
//! the election, so that a new leader begins with all it needs.
//!
//! ```no_run
//! use k8s_openapi::api::core::v1::Pod;
//! use kube_codegen_runtime::{
//!     controller::{Action, Request},
//!     informer::Factory,
//!     leader_election::LeaderElector,
//!     manager::{Manager, stop_on_signals},
//!     client::ResourceClient,
//! };
//!
//! # async fn example(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
//! let informers = Factory::new(client.clone());
//! let elector = LeaderElector::builder(ResourceClient::namespaced(client, "default"), "pod-watcher", "pod-1_5d1f").build()?;
//! let manager = Manager::builder()
//!     .leader_election(elector)
//!     .health_address(([0, 0, 0, 0], 8081).into())
//!     .metrics_address(([0, 0, 0, 0], 8080).into())
//!     .build();
//! let pods = manager.controller("pods", &informers.informer::<Pod>());
//! manager.add_controller(pods.build(async |request: Request| {
//!     println!("{}", request.key());
//!     Ok(Action::Done)
//! }));
//! manager.add_informers(&informers);
//! manager.run(stop_on_signals()).await?;
//! # Ok(()) }
//! ```

mod builder;
mod config;
mod error;
#[cfg(feature = "clap")]
mod flags;
mod group;
mod health;
mod informers;
mod metrics;
mod pages;
mod process;
mod queues;
mod requests;
mod run;
#[cfg(feature = "secure-metrics")]
mod secure;
mod signals;
mod values;

pub use builder::ManagerBuilder;
pub use config::{ConfigError, ManagerConfig};
pub use error::{BoxError, ManagerError};
pub use health::Checks;
pub use metrics::Metrics;
pub use run::Manager;
#[cfg(feature = "secure-metrics")]
pub use secure::SecureMetrics;
pub use signals::stop_on_signals;
