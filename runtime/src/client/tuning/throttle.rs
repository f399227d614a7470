//! Turns.
//!
//! In: requests. Out: a wait for each, so that all together keep to one rate. Never: a turn that is lost for longer than its period.

use std::time::Duration;

use http::Request;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

/// How many requests may be sent a second.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct RateLimit {
    period: Duration,
    burst: u32,
}

impl RateLimit {
    /// So many requests a second on the whole (client-go: `QPS`), one at a time unless [`burst`](Self::burst) is called. What is not a
    /// positive number counts as one.
    pub fn per_second(requests: f64) -> Self {
        let period = Duration::try_from_secs_f64(requests.recip());
        let period = period.ok().filter(|period| !period.is_zero()).unwrap_or(Duration::from_secs(1));
        Self { period, burst: 1 }
    }

    /// So many requests may go at once after a quiet time (`Burst`).
    pub fn burst(mut self, burst: u32) -> Self {
        self.burst = burst.max(1);
        self
    }
}

/// The turns of one client.
#[derive(Debug)]
pub(super) struct Throttle {
    period: Duration,
    /// How far ahead of its time a request may be.
    slack: Duration,
    /// The next time that nobody has.
    free_at: Mutex<Option<Instant>>,
}

impl Throttle {
    pub(super) fn new(RateLimit { period, burst }: RateLimit) -> Self {
        Self { period, slack: period.saturating_mul(burst.saturating_sub(1)), free_at: Mutex::default() }
    }

    /// Waits for a turn. One whose future is dropped is not given back.
    pub(super) async fn wait(&self) {
        let now = Instant::now();
        let mine = {
            let mut free_at = self.free_at.lock();
            let mine = free_at.map_or(now, |at| at.max(now));
            *free_at = Some(mine.checked_add(self.period).unwrap_or(mine));
            mine
        };
        if let Some(due) = mine.checked_sub(self.slack).filter(|due| *due > now) {
            sleep_until(due).await;
        }
    }
}

/// Whether a request begins a watch.
pub(super) fn is_watch<B>(request: &Request<B>) -> bool {
    let query = request.uri().query().unwrap_or_default();
    query.split('&').any(|pair| matches!(pair, "watch" | "watch=1" | "watch=true"))
}
