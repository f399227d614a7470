//! In: slots and the instants they wait for. Out: those whose instant has come, earliest first, and among
//! equals in the order of their arrival. It never reads a clock.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use hashbrown::DefaultHashBuilder;
use tokio::time::Instant;

use super::Priority;

/// A delay beyond what the clock can express means "as good as never".
const NEVER: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// A run at a later time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Later {
    pub(super) at: Instant,
    /// The limiter was charged for this run.
    pub(super) charged: bool,
    pub(super) priority: Priority,
}

/// The time a slot waits for.
#[derive(Clone, Copy, Debug)]
struct Due {
    later: Later,
    /// Tells slots apart that wait for one instant; never reused.
    arrival: u64,
}

impl Due {
    fn place(self) -> (Instant, u64) {
        (self.later.at, self.arrival)
    }
}

/// Slots by the instant at which they become ready.
#[derive(Debug, Default)]
pub(super) struct Delays {
    by_time: BTreeMap<(Instant, u64), usize>,
    by_slot: HashMap<usize, Due, DefaultHashBuilder>,
    arrivals: u64,
}

impl Delays {
    /// Sets the one time a slot waits for.
    pub(super) fn set(&mut self, slot: usize, later: Later) {
        self.arrivals += 1;
        let due = Due { later, arrival: self.arrivals };
        if let Some(before) = self.by_slot.insert(slot, due) {
            self.by_time.remove(&before.place());
        }
        self.by_time.insert(due.place(), slot);
    }

    pub(super) fn get(&self, slot: usize) -> Option<Later> {
        self.by_slot.get(&slot).map(|due| due.later)
    }

    /// Notes what else is known of the run that a slot waits for; its time stays.
    pub(super) fn note(&mut self, slot: usize, more: Later) {
        if let Some(Due { later, .. }) = self.by_slot.get_mut(&slot) {
            later.charged |= more.charged;
            later.priority = later.priority.max(more.priority);
        }
    }

    pub(super) fn remove(&mut self, slot: usize) -> Option<Later> {
        let due = self.by_slot.remove(&slot)?;
        self.by_time.remove(&due.place());
        Some(due.later)
    }

    /// The first slot that is due at `now`, with what is known of its run.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<(usize, Later)> {
        let entry = self.by_time.first_entry()?;
        if entry.key().0 > now {
            return None;
        }
        let slot = entry.remove();
        Some((slot, self.by_slot.remove(&slot)?.later))
    }

    pub(super) fn earliest(&self) -> Option<Instant> {
        self.by_time.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes everything out.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = usize> + use<> {
        self.by_slot.clear();
        std::mem::take(&mut self.by_time).into_values()
    }

    pub(super) fn len(&self) -> usize {
        self.by_time.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_time.is_empty()
    }
}

/// `now + delay`, or some decades from now where that cannot be expressed.
pub(super) fn after(now: Instant, delay: Duration) -> Instant {
    now.checked_add(delay).or_else(|| now.checked_add(NEVER)).unwrap_or(now)
}
