//! What generated code and controllers run on: typed clients, shared informers, work queues, controllers, leader election.
//!
//! All of it stands on `kube`: everything takes or gives a `kube::Client`, and kinds are `kube::Resource`s. It serves without generated code as
//! well, for any kind of k8s-openapi or `#[derive(CustomResource)]`:
//!
//! ```
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube_codegen_runtime::{CancellationToken, client::ResourceClient, informer::SharedInformer};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! # let client = kube_codegen_apiserver::ApiServer::default().client();
//! let maps = ResourceClient::<ConfigMap>::namespaced(client, "default");
//! let informer = SharedInformer::builder(maps.clone()).build();
//! let seen = informer.add_event_handler(|event| println!("{event:?}"));
//!
//! let stop = CancellationToken::new();
//! informer.start(&stop);
//! seen.wait_for_sync().await?;
//! assert!(informer.lister().get("default", "settings").is_none());
//! # stop.cancel();
//! # Ok(()) }
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(example()).unwrap();
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`object`] | what a type package needs: `TypeMeta`, keys, lists, apply configurations |
//! | `client` | the generic typed client behind every generated one, its errors, its habits (`Tuning`), `retry` |
//! | `informer`, `store`, `lister` | caches that follow a server, with typed indexes; events for handlers |
//! | `workqueue` | keys that wait for workers: each once, with delays, priorities and rate limits |
//! | `controller` | reconcilers over informers and a queue; owners, finalizers, `create_or_update` |
//! | `cached`, `wait` | reads from a cache that see one's own writes; waiting for conditions |
//! | `events` | a recorder of events |
//! | `leader_election`, `sharding` | one replica works, or all share the keys |
//! | `manager` | start and stop of it all, health, metrics, flags |
//! | `webhook` | a server of admission and conversion webhooks |
//!
//! # Features
//!
//! - `client`, on by default: everything that talks to a server, or keeps what a server said. Without it only [`object`] is there.
//! - `manager`: the module of that name, with its two small HTTP servers.
//! - `secure-metrics`: metrics over TLS, for those whom the cluster lets read them.
//! - `webhook`: the module of that name.
//! - `clap`: `manager::ManagerConfig` as arguments of a program.

#[cfg(feature = "client")]
pub mod cached;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "client")]
pub mod clock;
#[cfg(feature = "client")]
pub mod controller;
#[cfg(feature = "client")]
pub mod events;
#[cfg(feature = "client")]
pub mod informer;
#[cfg(feature = "client")]
pub mod leader_election;
#[cfg(feature = "client")]
pub mod lister;
#[cfg(feature = "manager")]
pub mod manager;
pub mod object;
#[cfg(feature = "client")]
mod panic;
#[cfg(feature = "client")]
mod published;
#[cfg(feature = "manager")]
mod serving;
#[cfg(feature = "client")]
pub mod sharding;
#[cfg(feature = "client")]
pub mod store;
#[cfg(feature = "client")]
pub mod wait;
#[cfg(feature = "webhook")]
pub mod webhook;
#[cfg(feature = "client")]
pub mod workqueue;

/// Stops what was started with it; made again here so that users of informers need no dependency for it.
#[cfg(feature = "client")]
pub use tokio_util::sync::CancellationToken;
