//! Events that differ in their notes alone.
//!
//! In: occurrences. Out: whether one is to stand for itself or for many. Never: more notes kept than it takes to decide.

use std::{collections::BTreeSet, time::Duration};

use tokio::time::Instant;

use super::{correlate::Group, lru::Lru};

/// How many groups are remembered.
const REMEMBERED: usize = 4096;
/// How many different notes make them one.
const MANY: usize = 10;
/// For how long after the last one a group is remembered.
const WINDOW: Duration = Duration::from_secs(600);

/// Groups of events that are alike.
#[derive(Debug)]
pub(super) struct Aggregator {
    groups: Lru<Group, Alike>,
}

#[derive(Debug)]
struct Alike {
    notes: BTreeSet<String>,
    last: Instant,
}

impl Default for Aggregator {
    fn default() -> Self {
        Self { groups: Lru::new(REMEMBERED) }
    }
}

impl Aggregator {
    /// Whether an event with this note is one of many.
    pub(super) fn is_one_of_many(&mut self, group: &Group, note: &str, now: Instant) -> bool {
        let alike = self.groups.get_or_insert_with(group, || Alike { notes: BTreeSet::new(), last: now });
        if now.duration_since(alike.last) > WINDOW {
            alike.notes.clear();
        }
        alike.last = now;
        alike.notes.insert(note.to_owned());
        if alike.notes.len() < MANY {
            return false;
        }
        // One fewer, so that the next new note makes them many again, and no more are kept.
        alike.notes.pop_first();
        true
    }
}
