//! What a reconciler says when it is done.
//!
//! In: the end of a run. Out: when the next one is due, if one is. Never: anything about failures.

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;

use crate::clock::WallClock;

/// After how long a key that waits for a time of day is looked at anew: somebody may have set the clock.
const LOOK_AGAIN: Duration = Duration::from_secs(300);

/// When a key is looked at again after a success, if nothing happens to it before.
///
/// A run takes the place of the timed run that its key was waiting for, so that each answer stands for itself: a key that answers
/// [`After`](Self::After) each time is looked at that long after its last run, and [`Done`](Self::Done) takes earlier wishes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// When something happens to it.
    #[default]
    Done,
    /// At once, behind the keys that wait already.
    Again,
    /// After this time.
    After(Duration),
    /// At this instant; at once if it has passed.
    At(Instant),
}

impl Action {
    /// At this time of day by this clock, or now if it has passed. Clocks are set, so that the key is looked at every five minutes until then,
    /// and its run has to ask the clock itself whether the time has come.
    #[must_use]
    pub fn at_time(time: Timestamp, clock: &WallClock) -> Self {
        match clock.until(time) {
            Duration::ZERO => Self::Again,
            wait => Self::After(wait.min(LOOK_AGAIN)),
        }
    }

    /// How long the key waits, if it is to run again.
    pub(super) fn delay(self) -> Option<Duration> {
        match self {
            Self::Done => None,
            Self::Again => Some(Duration::ZERO),
            Self::After(delay) => Some(delay),
            Self::At(instant) => Some(instant.saturating_duration_since(Instant::now())),
        }
    }
}
