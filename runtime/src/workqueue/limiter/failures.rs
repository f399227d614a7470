//! In: a key that failed. Out: a wait that depends on how often that key failed in a row.

use std::{collections::HashMap, hash::Hash, time::Duration};

use tokio::time::Instant;

use super::RateLimiter;

/// Failures by key; keys that never failed cost nothing.
#[derive(Clone, Debug)]
struct Failures<K>(HashMap<K, u32, hashbrown::DefaultHashBuilder>);

impl<K> Default for Failures<K> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K: Clone + Eq + Hash> Failures<K> {
    /// Counts one more and returns how many there were before.
    fn count(&mut self, key: &K) -> u32 {
        let failures = match self.0.get_mut(key) {
            Some(failures) => failures,
            None => self.0.entry(key.clone()).or_default(),
        };
        let before = *failures;
        *failures = before.saturating_add(1);
        before
    }

    fn forget(&mut self, key: &K) {
        // Nearly every success finds nothing to forget: do not even hash then.
        if !self.0.is_empty() {
            self.0.remove(key);
        }
    }

    fn of(&self, key: &K) -> u32 {
        self.0.get(key).copied().unwrap_or(0)
    }
}

/// Waits `base`, twice `base`, four times `base` and so on with each failure of a key, at most `cap`.
///
/// ```
/// use std::time::Duration;
/// use kube_codegen_runtime::workqueue::{Exponential, RateLimiter};
/// use tokio::time::Instant;
///
/// let mut limiter = Exponential::new(Duration::from_millis(5), Duration::from_millis(15));
/// let now = Instant::now();
/// assert_eq!([5, 10, 15, 15].map(Duration::from_millis), [(); 4].map(|()| limiter.when(&"key", now)));
/// assert_eq!(limiter.when(&"other", now), Duration::from_millis(5));
/// ```
#[derive(Clone, Debug)]
pub struct Exponential<K> {
    failures: Failures<K>,
    base: Duration,
    cap: Duration,
}

impl<K> Exponential<K> {
    /// Starts at `base` and ends at `cap`.
    pub fn new(base: Duration, cap: Duration) -> Self {
        Self { failures: Failures::default(), base, cap }
    }
}

impl<K: Clone + Eq + Hash> RateLimiter<K> for Exponential<K> {
    fn when(&mut self, key: &K, _now: Instant) -> Duration {
        let before = self.failures.count(key);
        let doubled = self.base.as_nanos().saturating_mul(1_u128.checked_shl(before).unwrap_or(u128::MAX));
        match u64::try_from(doubled) {
            Ok(nanos) => Duration::from_nanos(nanos).min(self.cap),
            Err(_) => self.cap,
        }
    }

    fn forget(&mut self, key: &K) {
        self.failures.forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.failures.of(key)
    }
}

/// Waits `fast` for the first failures of a key and `slow` for all further ones.
#[derive(Clone, Debug)]
pub struct FastSlow<K> {
    failures: Failures<K>,
    fast: Duration,
    slow: Duration,
    fast_attempts: u32,
}

impl<K> FastSlow<K> {
    /// `fast_attempts` failures of a key wait `fast`, the next ones `slow`.
    pub fn new(fast: Duration, slow: Duration, fast_attempts: u32) -> Self {
        Self { failures: Failures::default(), fast, slow, fast_attempts }
    }
}

impl<K: Clone + Eq + Hash> RateLimiter<K> for FastSlow<K> {
    fn when(&mut self, key: &K, _now: Instant) -> Duration {
        if self.failures.count(key) < self.fast_attempts { self.fast } else { self.slow }
    }

    fn forget(&mut self, key: &K) {
        self.failures.forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.failures.of(key)
    }
}
