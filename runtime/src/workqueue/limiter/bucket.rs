//! In: requests of any key. Out: waits that keep all keys together to one rate.

use std::time::Duration;

use tokio::time::Instant;

use super::RateLimiter;

/// One run per `period` over all keys, after a burst that may go through at once.
///
/// Each request takes the next free place in time, so that waits are exact and requests keep their order.
/// It counts no keys: [`forget`](RateLimiter::forget) gives nothing back.
///
/// ```
/// use std::time::Duration;
/// use kube_codegen_runtime::workqueue::{RateLimiter, TokenBucket};
/// use tokio::time::Instant;
///
/// let mut bucket = TokenBucket::new(Duration::from_millis(100), 2);
/// let now = Instant::now();
/// assert_eq!([0, 0, 100, 200].map(Duration::from_millis), [(); 4].map(|()| bucket.when(&"key", now)));
/// ```
#[derive(Clone, Debug)]
pub struct TokenBucket {
    period: Duration,
    /// How far ahead of its time a run may be: `burst - 1` periods.
    slack: Duration,
    /// The instant at which the bucket is full again; `None` while it is untouched.
    full_at: Option<Instant>,
}

impl TokenBucket {
    /// A token every `period`; `burst` (at least one) of them are there at the start and can be saved up.
    pub fn new(period: Duration, burst: u32) -> Self {
        Self { period, slack: period.saturating_mul(burst.saturating_sub(1)), full_at: None }
    }
}

impl<K> RateLimiter<K> for TokenBucket {
    fn when(&mut self, _key: &K, now: Instant) -> Duration {
        let full_at = self.full_at.map_or(now, |at| at.max(now));
        self.full_at = Some(full_at.checked_add(self.period).unwrap_or(full_at));
        full_at.duration_since(now).saturating_sub(self.slack)
    }

    fn forget(&mut self, _key: &K) {}

    fn num_requeues(&self, _key: &K) -> u32 {
        0
    }
}
