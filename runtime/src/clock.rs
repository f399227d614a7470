//! The time of day, and who says what it is.
//!
//! In: nothing. Out: timestamps. Never: a duration; how long something takes is measured by tokio's clock, which nobody sets.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use k8s_openapi::jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// Says what time of day it is. A cheap handle; the system's clock, unless it is made otherwise.
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// use std::time::Duration;
/// use kube_codegen_runtime::clock::WallClock;
///
/// let clock = WallClock::starting_at("2030-01-01T00:00:00Z".parse().unwrap());
/// tokio::time::sleep(Duration::from_secs(60)).await;
/// assert_eq!(clock.now().to_string(), "2030-01-01T00:01:00Z");
/// clock.jump("-PT1H".parse().unwrap()); // somebody sets it back
/// assert_eq!(clock.until("2030-01-01T00:00:00Z".parse().unwrap()), Duration::from_secs(59 * 60));
/// # }
/// ```
#[derive(Clone, Default)]
pub struct WallClock {
    source: Source,
    /// By how many nanoseconds it has been set forward.
    jumps: Arc<AtomicI64>,
}

#[derive(Clone, Copy, Default)]
enum Source {
    #[default]
    System,
    /// A time of day, and when it was that.
    Tokio(Timestamp, Instant),
}

impl WallClock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that shows this time now and goes on with tokio's clock, which tests can pause and advance.
    #[must_use]
    pub fn starting_at(time: Timestamp) -> Self {
        Self { source: Source::Tokio(time, Instant::now()), ..Self::default() }
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let now = match self.source {
            Source::System => Timestamp::now(),
            Source::Tokio(start, since) => start.saturating_add(since.elapsed()).unwrap_or(Timestamp::MAX),
        };
        let jumps = SignedDuration::from_nanos(self.jumps.load(Ordering::Relaxed));
        now.saturating_add(jumps).unwrap_or(now)
    }

    /// How long it is until this time by this clock; nothing if it has passed.
    #[must_use]
    pub fn until(&self, time: Timestamp) -> Duration {
        Duration::try_from(time.duration_since(self.now())).unwrap_or_default()
    }

    /// Sets this clock and all its clones forward, or back, by some years at most.
    pub fn jump(&self, by: SignedDuration) {
        let nanos =
            i64::try_from(by.as_nanos()).unwrap_or(if by.is_negative() { i64::MIN } else { i64::MAX });
        let add = |before: i64| Some(before.saturating_add(nanos));
        // The closure never refuses.
        let _ = self.jumps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }
}

impl fmt::Debug for WallClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WallClock").field(&self.now()).finish()
    }
}
