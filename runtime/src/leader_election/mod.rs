//! Leader election: of several processes one works, and another takes over when it ends.
//!
//! In: a Lease that all candidates know, and work for the leader. Out: the work, run while this process holds the Lease. Never: two leaders
//! whose clocks run at about the same speed; the clocks need not agree on the time.
//!
//! It is the protocol of client-go's `leaderelection` with its `LeaseLock`, so that candidates in Go and in Rust can compete for one Lease:
//! the holder writes `renewTime` every two seconds; who sees a Lease unchanged for the fifteen seconds that stand in it, by a clock of its
//! own, takes it. The guarantees, and where they end:
//!
//! - A holder that cannot renew its Lease gives up after ten seconds, five before anybody else may begin: its work is told to stop and,
//!   when the Lease is about to run out, dropped where it waits.
//! - On a stop the Lease is renewed until the work has ended, and released after that, so that the next leader need not wait.
//! - What the work has begun elsewhere (requests on their way, tasks it has spawned) is not held back. Where that matters, the
//!   [fencing token](Leadership::fencing_token) can travel with it.
//!
//! ```
//! use kube_codegen_runtime::{
//!     CancellationToken,
//!     client::ResourceClient,
//!     leader_election::{LeaderElector, Leadership},
//! };
//!
//! # async fn example(client: kube::Client, stop: CancellationToken) -> Result<(), Box<dyn std::error::Error>> {
//! let leases = ResourceClient::namespaced(client, "default");
//! let elector = LeaderElector::builder(leases, "my-operator", "pod-1_5d1f").build()?;
//! elector
//!     .run(stop, async |leadership: Leadership| {
//!         // ... start what only one may do, and end when this is cancelled:
//!         leadership.ended().cancelled().await;
//!     })
//!     .await?;
//! # Ok(()) }
//! ```

mod builder;
mod lock;
mod record;
mod run;
mod settings;
mod status;

pub(crate) use builder::Times;
pub use builder::{InvalidSettings, LeaderElectorBuilder};
pub(crate) use lock::{Held, Lock};
pub(crate) use record::{duration, holder};
pub use run::{LeaderElector, Leadership, LeadershipLost};
pub(crate) use settings::lease_settings;
pub use status::ElectionStatus;
