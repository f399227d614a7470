//! The time of day.
//!
//! In: nothing, or a clock of a test. Out: the time. Never: a wait; those go by tokio's clock, which cannot be set.

use std::{fmt, sync::Arc};

use jiff::Timestamp;

/// Says what time it is. It may be set while it is used: forward, and back. A cheap clone.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The clock of this machine.
    #[must_use]
    pub fn system() -> Self {
        Self::new(Timestamp::now)
    }

    /// Another clock, for tests.
    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}
