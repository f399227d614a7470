//! A work queue. In: keys that somebody wants worked on, as often as they like. Out: each key to one worker at a
//! time, no more often than needed. It never looks inside a key and never runs the work.
//!
//! The contract:
//!
//! - **Fair**: keys are handed out in the order in which they became ready; those of a higher [`Priority`] first, but none of a lower one
//!   is passed over for ever.
//! - **Stingy**: a key that is ready already is not stored again: many adds, one run.
//! - **One at a time**: a key is never handed to two workers. Added while a worker has it, it runs once more, after that
//!   worker is done.
//! - **Guarded**: a worker holds a [`WorkItem`]; dropping it means done, also in a panic or when a future is cancelled.
//!   So nothing can be done twice, and nothing stays taken.
//! - **Delayed**: a key waits for one time. Of several delayed adds the earliest counts; an add without delay runs the
//!   key now and leaves its delay alone; [`replace_after`](WorkQueue::replace_after) and
//!   [`cancel_delayed`](WorkQueue::cancel_delayed) change it.
//! - **Limited**: rate limited keys wait as long as a [`RateLimiter`] says. A key that waits already is not charged
//!   again. A success ([`forget`](WorkItem::forget)) clears the failures of its key and of no other.
//! - **Ends well**: after [`shutdown`](WorkQueue::shutdown) nothing is taken in, what is ready is still handed out, and
//!   [`drained`](WorkQueue::drained) says when the last run is over, runs of keys included that were asked for again
//!   while they ran.
//!
//! Any thread may call any method; [`get`](WorkQueue::get) and [`drained`](WorkQueue::drained) are the only ones that
//! wait. Time is tokio's, to its precision of one millisecond; there is no background task. A key's `Clone` should be
//! cheap and its `Eq` quick: they run under the queue's lock, as do the limiter and the drop of a key that is not
//! needed, and must not call the queue.
//!
//! ```
//! # use std::time::Duration;
//! use kube_codegen_runtime::workqueue::WorkQueue;
//!
//! async fn work(key: &str, attempt: u32) -> Result<(), ()> {
//!     if key == "flaky" && attempt == 0 { Err(()) } else { Ok(()) }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let queue = WorkQueue::default();
//! queue.add_all(["steady", "flaky", "steady"]);
//! queue.add_after("later", Duration::from_secs(60));
//!
//! let worker = tokio::spawn({
//!     let queue = queue.clone();
//!     async move {
//!         let mut runs = Vec::new();
//!         while let Some(item) = queue.get().await {
//!             runs.push(*item);
//!             match work(&item, item.num_requeues()).await {
//!                 Ok(()) => item.forget(),
//!                 Err(()) => item.requeue_rate_limited(), // after 5 ms, then 10, 20, ...
//!             }
//!         }
//!         runs
//!     }
//! });
//!
//! tokio::time::sleep(Duration::from_secs(61)).await;
//! queue.shutdown_with_drain().await;
//! assert_eq!(worker.await.unwrap(), ["steady", "flaky", "flaky", "later"]);
//! # }
//! ```

mod delays;
mod get;
mod item;
mod limiter;
mod metrics;
mod order;
mod priority;
mod queue;
mod slots;
mod state;
mod times;

pub use item::WorkItem;
pub use limiter::{Capped, DefaultLimiter, Exponential, FastSlow, MaxOf, RateLimiter, TokenBucket};
pub use metrics::{Metrics, Stats};
pub use priority::{AddOptions, Priority};
pub use queue::WorkQueue;
