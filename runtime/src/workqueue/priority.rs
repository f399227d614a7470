//! How urgent a key is, and how it is to be added.
//!
//! In: the wishes of whoever adds a key. Out: plain data. Never: a look at a key.

use std::time::Duration;

/// Which of two ready keys is handed out first: that of the higher priority, and among equals the one that became ready earlier.
///
/// Priorities hurry, they do not starve: at least every sixteenth key that is handed out is the one that has waited longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(i16);

impl Priority {
    /// What nobody waits for: objects that were there before, as told by a first list or a resync. As low as in controller-runtime.
    pub const LOW: Self = Self(-100);
    /// What is said of a key unless something else is.
    pub const NORMAL: Self = Self(0);

    /// A priority of one's own; higher is sooner.
    #[must_use]
    pub const fn new(value: i16) -> Self {
        Self(value)
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> i16 {
        self.0
    }
}

/// How a key is added; by default at once and with [`Priority::NORMAL`].
///
/// Of several requests for one key that waits already, the highest priority and the earliest time count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct AddOptions {
    pub(super) priority: Priority,
    pub(super) wait: Wait,
}

/// How long a key is to wait before it is ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wait {
    /// Not at all.
    #[default]
    Not,
    /// This long.
    For(Duration),
    /// As long as the limiter says.
    Limited,
}

impl AddOptions {
    /// With this priority.
    pub const fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// After this long, as [`WorkQueue::add_after`](super::WorkQueue::add_after) does.
    pub const fn after(mut self, delay: Duration) -> Self {
        self.wait = Wait::For(delay);
        self
    }

    /// When the limiter allows it, as [`WorkQueue::add_rate_limited`](super::WorkQueue::add_rate_limited) does.
    pub const fn rate_limited(mut self) -> Self {
        self.wait = Wait::Limited;
        self
    }
}

impl From<Priority> for AddOptions {
    fn from(priority: Priority) -> Self {
        Self::default().priority(priority)
    }
}
