//! What a handler may ask for.
//!
//! In: the wishes of whoever adds a handler. Out: plain data. Never: a default that lets a backlog grow without bound.

use std::time::Duration;

/// The shortest resync period.
const SHORTEST_RESYNC: Duration = Duration::from_secs(1);

/// Which events a handler gets when they come faster than it handles them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delivery {
    /// Those of one object fold into one: from what the handler knows to what is. An object that was added and deleted
    /// while the handler was busy is not mentioned. The backlog is bounded by the number of objects.
    #[default]
    Coalesce,
    /// Every single one. The backlog of a slow handler grows with every change.
    EveryEvent,
}

/// How a handler is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandlerOptions {
    pub(super) delivery: Delivery,
    pub(super) resync: Option<Duration>,
}

impl HandlerOptions {
    /// Which events to deliver.
    #[must_use]
    pub fn delivery(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// Tells the handler of every object again once a period, as an update from the object to itself. At least one
    /// second.
    #[must_use]
    pub fn resync(mut self, period: Duration) -> Self {
        self.resync = Some(period.max(SHORTEST_RESYNC));
        self
    }

    /// The same with `resync` in place of none.
    pub(in crate::informer) fn or_resync(mut self, resync: Option<Duration>) -> Self {
        if let (None, Some(period)) = (self.resync, resync) {
            self = self.resync(period);
        }
        self
    }
}
