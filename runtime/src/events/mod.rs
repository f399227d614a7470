//! Events: what happened to an object, for people who ask (`kubectl describe`).
//!
//! In: occurrences, from any thread. Out: `events.k8s.io` objects, in the form that client-go's recorder writes. Never: a caller that waits,
//! or an object that drowns a server in its troubles.
//!
//! What is recorded goes through three sieves, with the measures of client-go:
//!
//! - **Series**: the same thing again is no further event. The second time its event becomes a series; from then on it is counted here, and
//!   the count is written every half hour, and when six minutes pass without it.
//! - **Aggregation**: of ten events within ten minutes that differ in their notes alone, the tenth and all after it become one,
//!   `(combined from similar events): ...`.
//! - **Spam filter**: a source may write 25 events about an object at once, and one every five minutes after that.
//!
//! A server that cannot be reached is tried twelve times, ten seconds apart; what heaps up meanwhile is kept up to a thousand events, and
//! dropped beyond.
//!
//! ```
//! use k8s_openapi::api::core::v1::Pod;
//! use kube_codegen_runtime::{CancellationToken, events::EventBroadcaster};
//!
//! # async fn example(client: kube::Client, pod: Pod, stop: CancellationToken) {
//! let broadcaster = EventBroadcaster::new(client);
//! let recorder = broadcaster.recorder("my-controller");
//! tokio::spawn(broadcaster.run(stop));
//!
//! recorder.normal(&pod, "Scheduled", "Binding", "assigned to node-1");
//! recorder.warning(&pod, "FailedMount", "Mounting", format!("no volume {}", "data"));
//! # }
//! ```

mod aggregate;
mod broadcaster;
mod correlate;
mod lru;
mod occurrence;
mod recorder;
mod spam;
mod write;

pub use broadcaster::{EventBroadcaster, Recorders};
pub use occurrence::{EventType, Occurrence, reference};
pub use recorder::{EventRecorder, Recorded};
