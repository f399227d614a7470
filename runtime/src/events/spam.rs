//! The spam filter.
//!
//! In: wishes to write about an object. Out: whether this one may. Never: a source that writes about an object more often than its bucket
//! fills.

use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use tokio::time::Instant;

use super::{EventType, lru::Lru, recorder::Reporter};

/// How many objects are remembered.
const REMEMBERED: usize = 4096;
/// How many events a source may write about an object at once.
const BURST: u32 = 25;
/// How long it takes until it may write one more.
const PERIOD: Duration = Duration::from_secs(300);

/// Source, object and type.
type Key = (Reporter, [String; 5], EventType);

/// A bucket of tokens for each source and object, and for good and bad news apart.
#[derive(Debug)]
pub(super) struct SpamFilter {
    /// When each bucket is full again.
    full_at: Lru<Key, Instant>,
}

impl Default for SpamFilter {
    fn default() -> Self {
        Self { full_at: Lru::new(REMEMBERED) }
    }
}

impl SpamFilter {
    /// Takes a token, if there is one.
    pub(super) fn admits(
        &mut self,
        reporter: &Reporter,
        regarding: &ObjectReference,
        kind: EventType,
        now: Instant,
    ) -> bool {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        let object = [
            part(&regarding.kind),
            part(&regarding.namespace),
            part(&regarding.name),
            part(&regarding.uid),
            part(&regarding.api_version),
        ];
        let key = (reporter.clone(), object, kind);
        let full_at = self.full_at.get_or_insert_with(&key, || now);
        let next = (*full_at).max(now) + PERIOD;
        let admitted = next <= now + PERIOD * BURST;
        if admitted {
            *full_at = next;
        }
        admitted
    }
}
