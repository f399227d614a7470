//! In: a key that asks to run again. Out: how long it has to wait. Limiters never read a clock (they are told
//! the time), never sleep and never touch the queue.

use std::time::Duration;

use tokio::time::Instant;

mod bucket;
mod combine;
mod failures;

pub use bucket::TokenBucket;
pub use combine::{Capped, MaxOf};
pub use failures::{Exponential, FastSlow};

/// How long keys wait that are added with
/// [`add_rate_limited`](super::WorkQueue::add_rate_limited).
///
/// A limiter runs under the queue's lock: it must be quick, must not panic and must not call the queue.
pub trait RateLimiter<K> {
    /// Charges `key` for one more run and says how long that run has to wait from `now` on.
    fn when(&mut self, key: &K, now: Instant) -> Duration;
    /// Forgets what `key` was charged for, as after a success.
    fn forget(&mut self, key: &K);
    /// How often `key` was charged since it was last forgotten; 0 where the limiter does not count keys.
    fn num_requeues(&self, key: &K) -> u32;
}

impl<K, L: RateLimiter<K> + ?Sized> RateLimiter<K> for Box<L> {
    fn when(&mut self, key: &K, now: Instant) -> Duration {
        (**self).when(key, now)
    }
    fn forget(&mut self, key: &K) {
        (**self).forget(key);
    }
    fn num_requeues(&self, key: &K) -> u32 {
        (**self).num_requeues(key)
    }
}

/// The usual limiter of a controller: the longer of 5 ms doubling with each failure of a key up to 1000 s, and
/// 10 runs a second over all keys with bursts of 100.
pub type DefaultLimiter<K> = MaxOf<Exponential<K>, TokenBucket>;

impl<K> Default for DefaultLimiter<K> {
    fn default() -> Self {
        MaxOf(
            Exponential::new(Duration::from_millis(5), Duration::from_secs(1000)),
            TokenBucket::new(Duration::from_millis(100), 100),
        )
    }
}
