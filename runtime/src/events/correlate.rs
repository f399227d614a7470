//! What is to be written of what happened.
//!
//! In: occurrences and the time, one after the other. Out: writes. Plain state: it reads no clock and sends nothing. Never: two events for
//! what is one.

use std::time::Duration;

use k8s_openapi::{
    api::{
        core::v1::ObjectReference,
        events::v1::{Event, EventSeries},
    },
    apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta},
    jiff::Timestamp,
};
use tokio::time::Instant;

use super::{
    EventType, Occurrence,
    aggregate::Aggregator,
    lru::Lru,
    occurrence::cut,
    recorder::{News, Reporter},
    spam::SpamFilter,
};

/// How many events are remembered.
const REMEMBERED: usize = 4096;
/// After how long without a further occurrence an event is closed.
pub(super) const FINISH: Duration = Duration::from_secs(6 * 60);
/// How often the count of a series that goes on is written, so that the server does not forget it.
const REFRESH: Duration = Duration::from_secs(30 * 60);

/// What events that may differ in their notes have in common. The version of the object is no part of it: an object changes while it has
/// one trouble.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Group {
    reporter: Reporter,
    object: [Option<String>; 6],
    related: Option<[Option<String>; 6]>,
    kind: EventType,
    reason: String,
    action: String,
}

/// Something to send.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Write {
    /// A new event.
    Create(Box<Event>),
    /// The series of an event that was created before.
    Series(Box<Event>),
}

/// An event that may come again.
#[derive(Debug)]
struct Open {
    event: Event,
    last: Instant,
    written: Instant,
    /// How often it was seen since its count was written.
    unwritten: u32,
}

/// All that is remembered.
#[derive(Debug)]
pub(super) struct Correlator {
    aggregator: Aggregator,
    spam: SpamFilter,
    /// By group and note; without note for those that are many.
    open: Lru<(Group, Option<String>), Open>,
    /// The last time that an event was named after: no two have one.
    named: i128,
}

/// An instant, and the time of day that it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) instant: Instant,
    pub(super) time: Timestamp,
}

impl Default for Correlator {
    fn default() -> Self {
        Self {
            aggregator: Aggregator::default(),
            spam: SpamFilter::default(),
            open: Lru::new(REMEMBERED),
            named: i128::MIN,
        }
    }
}

impl Correlator {
    /// Takes in one occurrence.
    pub(super) fn observe(&mut self, news: News, now: Now) -> Option<Write> {
        let group = Group::of(&news);
        let many = self.aggregator.is_one_of_many(&group, &news.occurrence.note, now.instant);
        let key = (group, (!many).then(|| news.occurrence.note.clone()));
        let News { reporter, regarding, occurrence } = news;
        // A count that is kept here costs no token.
        if let Some(open) = self.open.get_mut(&key) {
            return open.again(now, || self.spam.admits(&reporter, &regarding, occurrence.kind, now.instant));
        }
        if !self.spam.admits(&reporter, &regarding, occurrence.kind, now.instant) {
            return None;
        }
        self.named = now.time.as_nanosecond().max(self.named.saturating_add(1));
        let name = event_name(regarding.name.as_deref().unwrap_or_default(), self.named);
        let event = event(name, &reporter, regarding, occurrence, now.time);
        let event = if many { combined(event) } else { event };
        let open = Open { event: event.clone(), last: now.instant, written: now.instant, unwritten: 0 };
        self.open.get_or_insert_with(&key, || open);
        Some(Write::Create(Box::new(event)))
    }

    /// Closes what has not come again, and writes the counts of what goes on.
    pub(super) fn tick(&mut self, now: Now) -> Vec<Write> {
        let mut writes = Vec::new();
        self.open.retain(|open| {
            let goes_on = now.instant.duration_since(open.last) < FINISH;
            let refresh = open.event.series.is_some() && now.instant.duration_since(open.written) >= REFRESH;
            if refresh || (!goes_on && open.unwritten > 0) {
                writes.push(open.write(now));
            }
            goes_on
        });
        writes
    }

    /// The counts that have not been written.
    pub(super) fn rest(&mut self, now: Now) -> Vec<Write> {
        let mut writes = Vec::new();
        self.open.for_each(|open| {
            if open.unwritten > 0 {
                writes.push(open.write(now));
            }
        });
        writes
    }
}

impl Open {
    fn again(&mut self, now: Now, admits: impl FnOnce() -> bool) -> Option<Write> {
        self.last = now.instant;
        self.unwritten += 1;
        let first = self.event.series.is_none();
        let count = self.event.series.as_ref().map_or(1, |series| series.count).saturating_add(1);
        self.event.series = Some(EventSeries { count, last_observed_time: MicroTime(now.time) });
        (first && admits()).then(|| self.write(now))
    }

    fn write(&mut self, now: Now) -> Write {
        (self.written, self.unwritten) = (now.instant, 0);
        Write::Series(Box::new(self.event.clone()))
    }
}

impl Group {
    fn of(News { reporter, regarding, occurrence }: &News) -> Self {
        Self {
            reporter: (**reporter).clone(),
            object: parts(regarding),
            related: occurrence.related.as_ref().map(parts),
            kind: occurrence.kind,
            reason: occurrence.reason.clone(),
            action: occurrence.action.clone(),
        }
    }
}

fn parts(reference: &ObjectReference) -> [Option<String>; 6] {
    let ObjectReference { api_version, kind, name, namespace, uid, field_path, .. } = reference.clone();
    [api_version, kind, name, namespace, uid, field_path]
}

fn event(
    name: String,
    reporter: &Reporter,
    regarding: ObjectReference,
    occurrence: Occurrence,
    time: Timestamp,
) -> Event {
    let Occurrence { kind, reason, action, note, related, annotations } = occurrence;
    let namespace = regarding.namespace.clone().filter(|namespace| !namespace.is_empty());
    let metadata = ObjectMeta {
        name: Some(name),
        // Events about objects of the cluster have to be somewhere.
        namespace: Some(namespace.unwrap_or_else(|| "default".to_owned())),
        annotations: (!annotations.is_empty()).then_some(annotations),
        ..ObjectMeta::default()
    };
    Event {
        metadata,
        event_time: Some(MicroTime(time)),
        reporting_controller: Some(reporter.controller.clone()),
        reporting_instance: Some(reporter.instance.clone()),
        action: Some(action),
        reason: Some(reason),
        regarding: Some(regarding),
        related,
        note: Some(note),
        type_: Some(kind.as_str().to_owned()),
        ..Event::default()
    }
}

fn combined(event: Event) -> Event {
    let note = format!("(combined from similar events): {}", event.note.unwrap_or_default());
    Event { note: Some(cut(note)), ..event }
}

/// The object's name and the time in nanoseconds; something random where that is no name.
fn event_name(object: &str, nanoseconds: i128) -> String {
    let name = format!("{object}.{nanoseconds:x}");
    let is_label = |label: &str| {
        let edge =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let bytes = label.as_bytes();
        let inner = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
        edge(bytes.first()) && edge(bytes.last()) && bytes.iter().all(inner)
    };
    if name.len() <= 253 && name.split('.').all(is_label) { name } else { random_name() }
}

/// A UUID of version 4, though not one for secrets.
fn random_name() -> String {
    let bits = fastrand::u128(..) & !(0xf << 76) & !(0b11 << 62) | (0x4 << 76) | (0b10 << 62);
    let text = format!("{bits:032x}");
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}
