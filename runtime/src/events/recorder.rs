//! What a controller holds.
//!
//! In: occurrences, with the objects they are about. Out: news for the broadcaster, or for a test. Never: a wait, or an error; that an event
//! is lost must not stop the work that it tells of.

use std::{fmt, sync::Arc};

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Resource;
use parking_lot::Mutex;
use tokio::sync::mpsc::Sender;
use tracing::{debug, warn};

use super::{EventType, Occurrence, reference};

/// Who reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reporter {
    pub(super) controller: String,
    pub(super) instance: String,
}

/// One occurrence on its way.
#[derive(Clone, Debug)]
pub(super) struct News {
    pub(super) reporter: Arc<Reporter>,
    pub(super) regarding: ObjectReference,
    pub(super) occurrence: Occurrence,
}

#[derive(Clone)]
enum Sink {
    Broadcaster(Sender<News>),
    Test(Recorded),
    Nowhere,
}

/// Records events in the name of one controller. A cheap handle, for any number of threads.
#[derive(Clone)]
pub struct EventRecorder {
    reporter: Arc<Reporter>,
    sink: Sink,
}

impl EventRecorder {
    pub(super) fn new(reporter: Reporter, sender: Sender<News>) -> Self {
        Self { reporter: Arc::new(reporter), sink: Sink::Broadcaster(sender) }
    }

    /// A recorder that writes nothing but the log.
    #[must_use]
    pub fn silent(controller: &str) -> Self {
        Self { reporter: Arc::new(Reporter::of_this_host(controller)), sink: Sink::Nowhere }
    }

    /// A recorder for tests, and what it has recorded.
    #[must_use]
    pub fn recording(controller: &str) -> (Self, Recorded) {
        let recorded = Recorded::default();
        let reporter = Arc::new(Reporter::of_this_host(controller));
        (Self { reporter, sink: Sink::Test(recorded.clone()) }, recorded)
    }

    /// Something happened that is no trouble.
    pub fn normal<K>(&self, object: &K, reason: &str, action: &str, note: impl Into<String>)
    where
        K: Resource<DynamicType = ()>,
    {
        self.record(object, Occurrence::new(EventType::Normal, reason, action, note));
    }

    /// Something happened that may be trouble.
    pub fn warning<K>(&self, object: &K, reason: &str, action: &str, note: impl Into<String>)
    where
        K: Resource<DynamicType = ()>,
    {
        self.record(object, Occurrence::new(EventType::Warning, reason, action, note));
    }

    /// Something happened.
    pub fn record<K: Resource<DynamicType = ()>>(&self, object: &K, occurrence: Occurrence) {
        self.record_about(reference(object), occurrence);
    }

    /// [`record`](Self::record), for an object that is known by its reference alone.
    pub fn record_about(&self, regarding: ObjectReference, occurrence: Occurrence) {
        let Occurrence { kind, reason, note, .. } = &occurrence;
        debug!(kind = kind.as_str(), reason, note, object = name(&regarding), "event");
        match &self.sink {
            Sink::Nowhere => {}
            Sink::Test(recorded) => recorded.add(&regarding, &occurrence),
            Sink::Broadcaster(sender) => {
                let news = News { reporter: Arc::clone(&self.reporter), regarding, occurrence };
                if let Err(refused) = sender.try_send(news) {
                    warn!(%refused, "an event is dropped");
                }
            }
        }
    }
}

impl Reporter {
    /// The controller on this host, as client-go names it.
    pub(super) fn of_this_host(controller: &str) -> Self {
        let host = std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty());
        let host = host.or_else(|| std::fs::read_to_string("/etc/hostname").ok()).unwrap_or_default();
        let mut instance = format!("{controller}-{}", host.trim());
        // What a server takes; host names are ASCII.
        while instance.len() > 128 {
            instance.pop();
        }
        Self { controller: controller.to_owned(), instance }
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").field("reporter", &self.reporter).finish_non_exhaustive()
    }
}

/// What a recorder for tests has recorded.
#[derive(Clone, Debug, Default)]
pub struct Recorded(Arc<Mutex<Vec<String>>>);

impl Recorded {
    fn add(&self, regarding: &ObjectReference, occurrence: &Occurrence) {
        let Occurrence { kind, reason, action, note, .. } = occurrence;
        self.0.lock().push(format!("{} {reason} {action} {}: {note}", kind.as_str(), name(regarding)));
    }

    /// The events since this was last asked: `Warning FailedMount Mounting Pod default/a: no volume data`.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock())
    }
}

fn name(reference: &ObjectReference) -> String {
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    match &reference.namespace {
        Some(namespace) => format!("{} {namespace}/{}", part(&reference.kind), part(&reference.name)),
        None => format!("{} {}", part(&reference.kind), part(&reference.name)),
    }
}
