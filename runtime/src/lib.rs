//! What generated code and controllers run on.
//!
//! [`object`] is all that a type package needs and the only module without the feature `client` (on by default);
//! everything else talks to a server, or keeps what a server said.

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
mod published;
#[cfg(feature = "client")]
pub mod sharding;
#[cfg(feature = "client")]
pub mod store;
#[cfg(feature = "client")]
pub mod wait;
#[cfg(feature = "client")]
pub mod workqueue;

/// Stops what was started with it; made again here so that users of informers need no dependency for it.
#[cfg(feature = "client")]
pub use tokio_util::sync::CancellationToken;
