//! In: limiters. Out: limiters made of them.

use std::time::Duration;

use tokio::time::Instant;

use super::RateLimiter;

/// The longer wait of two limiters, both of which are charged. Nest it for more than two.
#[derive(Clone, Debug)]
pub struct MaxOf<A, B>(pub A, pub B);

impl<K, A: RateLimiter<K>, B: RateLimiter<K>> RateLimiter<K> for MaxOf<A, B> {
    fn when(&mut self, key: &K, now: Instant) -> Duration {
        self.0.when(key, now).max(self.1.when(key, now))
    }

    fn forget(&mut self, key: &K) {
        self.0.forget(key);
        self.1.forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.0.num_requeues(key).max(self.1.num_requeues(key))
    }
}

/// The wait of another limiter, but at most `cap`.
#[derive(Clone, Debug)]
pub struct Capped<L> {
    limiter: L,
    cap: Duration,
}

impl<L> Capped<L> {
    /// Cuts the waits of `limiter` off at `cap`.
    pub fn new(limiter: L, cap: Duration) -> Self {
        Self { limiter, cap }
    }
}

impl<K, L: RateLimiter<K>> RateLimiter<K> for Capped<L> {
    fn when(&mut self, key: &K, now: Instant) -> Duration {
        self.limiter.when(key, now).min(self.cap)
    }

    fn forget(&mut self, key: &K) {
        self.limiter.forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.limiter.num_requeues(key)
    }
}
