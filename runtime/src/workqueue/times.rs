//! In: slots that enter a phase, with the time. Out: how long the phase before was. Only a queue with metrics keeps
//! these; without, every call is free.

use std::{collections::HashMap, time::Duration};

use hashbrown::DefaultHashBuilder;
use tokio::time::Instant;

/// Since when slots are in their phase.
#[derive(Debug, Default)]
pub(super) struct Times(HashMap<usize, Instant, DefaultHashBuilder>);

impl Times {
    /// Notes that a phase begins at `now`, and says how long the one before was.
    pub(super) fn begin(&mut self, slot: usize, now: Option<Instant>) -> Option<Duration> {
        let now = now?;
        let before = self.0.insert(slot, now)?;
        Some(now.saturating_duration_since(before))
    }

    /// Notes that a slot's last phase ends, and says how long it was.
    pub(super) fn end(&mut self, slot: usize, now: Option<Instant>) -> Option<Duration> {
        let now = now?;
        let before = self.0.remove(&slot)?;
        Some(now.saturating_duration_since(before))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Instant)> {
        self.0.iter().map(|(slot, since)| (*slot, *since))
    }
}
