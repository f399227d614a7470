//! Informers: a server's objects close at hand, and word of every change.
//!
//! In: a client, and what to watch. Out: a [`Store`](crate::store::Store) that follows the server, and [`Event`]s or [`KeyEvent`]s for
//! handlers. Never: an error that its user must deal with to keep it running.
//!
//! ```no_run
//! use k8s_openapi::api::core::v1::Pod;
//! use kube_codegen_runtime::{client::ResourceClient, informer::SharedInformer};
//! use tokio_util::sync::CancellationToken;
//!
//! # async fn example(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
//! let informer = SharedInformer::builder(ResourceClient::<Pod>::namespaced(client, "default")).build();
//! let by_node = informer.add_index("node", |pod| pod.spec.as_ref().and_then(|spec| spec.node_name.clone()))?;
//! let handler = informer.add_event_handler(|event| println!("{event:?}"));
//!
//! let shutdown = CancellationToken::new();
//! informer.start(&shutdown);
//! handler.wait_for_sync().await?;
//! println!("{} pods on the first node", by_node.get("node-1").len());
//! # Ok(()) }
//! ```

mod backlog;
mod backoff;
mod builder;
mod config;
mod core;
mod error;
mod event;
mod factory;
mod handler;
mod incoming;
mod intake;
mod key_event;
mod reflector;
mod shared;
mod stats;
mod sync;
mod told;

pub use builder::SharedInformerBuilder;
pub use config::ListStrategy;
pub use error::InformerError;
pub use event::Event;
pub use factory::{Factory, FactoryBuilder};
pub use handler::{Delivery, HandlerOptions, HandlerRegistration};
pub use key_event::KeyEvent;
pub use shared::{AlreadyStarted, SharedInformer};
pub use stats::InformerStats;
pub use sync::SyncError;
