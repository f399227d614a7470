//! In: slots and the instants they wait for. Out: those whose instant has come, earliest first, and among
//! equals in the order of their arrival. It never reads a clock.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::Instant;

/// What a waiting slot holds to find its entry again. Unique: the counter is never reused.
pub(super) type Ticket = (Instant, u64);

/// A delay beyond what the clock can express means "as good as never".
const NEVER: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// Slots by the instant at which they become ready.
#[derive(Debug, Default)]
pub(super) struct Delays {
    by_time: BTreeMap<Ticket, usize>,
    tickets: u64,
}

impl Delays {
    pub(super) fn insert(&mut self, at: Instant, slot: usize) -> Ticket {
        self.tickets += 1;
        let ticket = (at, self.tickets);
        self.by_time.insert(ticket, slot);
        ticket
    }

    pub(super) fn remove(&mut self, ticket: Ticket) {
        self.by_time.remove(&ticket);
    }

    /// The first slot that is due at `now`, with its instant.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<(Instant, usize)> {
        let entry = self.by_time.first_entry()?;
        let (at, _) = *entry.key();
        (at <= now).then(|| (at, entry.remove()))
    }

    pub(super) fn earliest(&self) -> Option<Instant> {
        self.by_time.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes everything out.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = usize> + use<> {
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
