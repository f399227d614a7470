//! An in-memory Kubernetes API server.
//!
//! It answers as a real one does: watches, conflicts, finalizers, the split between spec and status, selectors, pages, dry runs. It runs
//! in the process that asks, needs no binaries and no sockets, and is used through an ordinary `kube::Client`:
//!
//! ```
//! # async fn example() -> kube::Result<()> {
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube::api::{Api, PostParams};
//! use kube_codegen_apiserver::ApiServer;
//!
//! let server = ApiServer::builder().seed(7).build();
//! let maps: Api<ConfigMap> = Api::default_namespaced(server.client());
//! let mut map = ConfigMap::default();
//! map.metadata.generate_name = Some("settings-".into());
//! let created = maps.create(&PostParams::default(), &map).await?;
//! assert!(created.metadata.uid.is_some());
//! # Ok(())
//! # }
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(example()).unwrap();
//! ```
//!
//! # Features
//!
//! - `http`: the server over HTTPS (`Http`), for kubectl and programs in other processes or languages; webhooks by URL.
//! - `process`: a kubelet that runs the commands of pods as child processes (`Kubelet::processes`, on Unix).
//! - `data`: the state of a server in a file (`ApiServer::save`, `Saved`).
//! - `simulation`: whole programs over a server in one deterministic loop from a seed ([`testing`]).
//! - `cli`: the program `kube-codegen-apiserver`, with the first three; `mimalloc`: with that allocator.
//!
//! # Kinds
//!
//! Custom kinds are named once, by a [`Registration`]. What is not there is said so: asked-for things that this server does not know
//! answer with a proper [`Status`], never with a wrong success.

mod access;
mod admission;
mod cel;
mod controllers;
mod conversion;
mod definition;
pub mod patch;
mod printers;
mod protocol;
mod registry;
pub mod schema;
mod serve;
mod server;
mod store;
mod strategy;
pub mod testing;
mod validation;

pub use controllers::Controllers;
pub use protocol::protobuf;
pub use protocol::{Cause, Details, FieldError, FieldErrorClass, ResourceName, Status};
pub use registry::{Registration, RegistrationScope};
#[cfg(feature = "data")]
pub use serve::data::{DataError, Saved};
#[cfg(feature = "http")]
pub use serve::http::{Http, HttpError, KubeconfigError};
pub use serve::load::{LoadError, Manifests};
pub use serve::{ApiServer, Builder, Kubelet, LogSource, LogStream, ResponseBody, Service};
pub use server::{LogQuery, LogSide};
