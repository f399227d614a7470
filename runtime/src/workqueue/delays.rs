//! In: slots and the instants they wait for. Out: those whose instant has come, earliest first, and among
//! equals in the order of their arrival. It never reads a clock.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use hashbrown::DefaultHashBuilder;
use tokio::time::Instant;

/// A delay beyond what the clock can express means "as good as never".
const NEVER: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// The time a slot waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    pub(super) at: Instant,
    /// Tells slots apart that wait for one instant; never reused.
    arrival: u64,
    /// The limiter was charged for this run.
    pub(super) charged: bool,
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
    pub(super) fn set(&mut self, slot: usize, at: Instant, charged: bool) {
        self.arrivals += 1;
        let arrival = self.arrivals;
        if let Some(before) = self.by_slot.insert(slot, Due { at, arrival, charged }) {
            self.by_time.remove(&(before.at, before.arrival));
        }
        self.by_time.insert((at, arrival), slot);
    }

    pub(super) fn get(&self, slot: usize) -> Option<Due> {
        self.by_slot.get(&slot).copied()
    }

    /// Notes that the limiter was charged for the run that a slot waits for.
    pub(super) fn mark_charged(&mut self, slot: usize) {
        if let Some(due) = self.by_slot.get_mut(&slot) {
            due.charged = true;
        }
    }

    pub(super) fn remove(&mut self, slot: usize) -> Option<Due> {
        let due = self.by_slot.remove(&slot)?;
        self.by_time.remove(&(due.at, due.arrival));
        Some(due)
    }

    /// The first slot that is due at `now`, with its instant.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<(Instant, usize)> {
        let entry = self.by_time.first_entry()?;
        let (at, _) = *entry.key();
        if at > now {
            return None;
        }
        let slot = entry.remove();
        self.by_slot.remove(&slot);
        Some((at, slot))
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
