//! How long to wait after a failure.
//!
//! In: failures. Out: waits that double up to a ceiling, each longer by a random part. Never: a wait that is still long
//! when the server has been well for a while.

use std::time::Duration;

use tokio::time::Instant;

const FIRST: Duration = Duration::from_millis(800);
const LONGEST: Duration = Duration::from_secs(30);
/// After so long without a failure the waits begin anew.
const GOOD_SERVICE: Duration = Duration::from_secs(120);

/// The waits of one informer.
pub(super) struct Backoff {
    next: Duration,
    /// When the last wait was over.
    resumed: Option<Instant>,
    random: fastrand::Rng,
}

impl Backoff {
    pub(super) fn new(random: fastrand::Rng) -> Self {
        Self { next: FIRST, resumed: None, random }
    }

    /// The wait after a failure; no shorter than what the server asked for.
    pub(super) fn after_failure(&mut self, asked: Option<Duration>) -> Duration {
        let now = Instant::now();
        if self.resumed.is_some_and(|resumed| now.saturating_duration_since(resumed) >= GOOD_SERVICE) {
            self.next = FIRST;
        }
        let wait = self.next.mul_f64(1.0 + self.random.f64());
        self.next = self.next.saturating_mul(2).min(LONGEST);
        let wait = asked.map_or(wait, |asked| asked.max(wait));
        self.resumed = Some(now + wait);
        wait
    }

    /// A random number of seconds, for the time that a watch lasts.
    pub(super) fn seconds(&mut self, between: std::ops::Range<u32>) -> u32 {
        self.random.u32(between)
    }
}
