//! What a reconciler says when it is done.
//!
//! In: the end of a run. Out: when the next one is due, if one is. Never: anything about failures.

use std::time::Duration;

use tokio::time::Instant;

/// When a key is looked at again after a success, if nothing happens to it before.
///
/// A run takes the place of the timed run that its key was waiting for, so that each answer stands for itself: a key that answers
/// [`After`](Self::After) each time is looked at that long after its last run, and [`Done`](Self::Done) takes earlier wishes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
