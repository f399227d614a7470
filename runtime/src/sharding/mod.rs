//! Sharding: several processes share the keys of a controller, and each key is one's.
//!
//! In: Leases that all replicas know. Out: for each key, whether it is this replica's now. Never: two replicas at work on one key, as long as
//! their clocks run at about the same speed.
//!
//! Keys fall into a fixed number of shards by their text. Each shard has a Lease, taken, renewed and given back by the protocol of
//! [`leader_election`](crate::leader_election), and with its guarantees: who cannot renew it takes on no more work of that shard, and drops
//! what is running before the Lease is another's. Each replica has a Lease too, by which the others know that it lives. Once in a retry
//! period every replica looks at all of them and works out who should have which shard ([`assign`]): all come to the same answer, and
//! while they do not, the Leases of the shards keep the peace. A replica gives up what it has too much of when the runs of that shard have
//! ended; so shards move within a retry period when a replica comes or goes in order, and when one dies within the duration of a Lease, from
//! its last renewal on, and the retry periods in which that is seen.
//!
//! ```no_run
//! # use k8s_openapi::api::core::v1::Pod;
//! use kube_codegen_runtime::{
//!     client::ResourceClient,
//!     controller::{Action, Request},
//!     informer::Factory,
//!     manager::{Manager, stop_on_signals},
//!     sharding::Shards,
//! };
//!
//! # async fn example(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
//! let informers = Factory::new(client.clone());
//! let shards = Shards::builder(ResourceClient::namespaced(client, "default"), "pod-watcher", "pod-1_5d1f").build()?;
//! let manager = Manager::builder().build();
//! let pods = manager.controller("pods", &informers.informer::<Pod>()).sharded(&shards);
//! manager.add_controller(pods.build(async |_: Request| Ok(Action::Done)));
//! manager.add_task("shards", move |stop| async move { Ok(shards.run(stop).await) });
//! manager.add_informers(&informers);
//! manager.run(stop_on_signals()).await?;
//! # Ok(()) }
//! ```

mod assign;
mod builder;
mod council;
mod gate;
mod keeper;
mod shards;

pub use assign::assign;
pub use builder::ShardsBuilder;
pub use gate::Entry;
pub use shards::{Shards, ShardsStatus};
