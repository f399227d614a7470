//! Something that happened.
//!
//! In: what a controller has to say of an object. Out: plain data. Never: a text that a server refuses for its length.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Resource;

/// The longest note, in bytes, and the mark of one that was cut.
const LONGEST_NOTE: usize = 1024;
const CUT: &str = "...";

/// Whether an event is bad news.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventType {
    /// It is not.
    #[default]
    Normal,
    /// It may be.
    Warning,
}

impl EventType {
    /// As it stands in an event.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

/// What happened: why in one word for machines, what was being done, and how it went in words for people.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Occurrence {
    pub(super) kind: EventType,
    pub(super) reason: String,
    pub(super) action: String,
    pub(super) note: String,
    pub(super) related: Option<ObjectReference>,
    pub(super) annotations: BTreeMap<String, String>,
}

impl Occurrence {
    /// Something that happened. The reason is one word (`FailedMount`), and so is the action during which it came (`Mounting`); servers take
    /// up to 128 bytes of each, and of the note 1024: a longer one is cut.
    pub fn new(kind: EventType, reason: &str, action: &str, note: impl Into<String>) -> Self {
        let (reason, action, note) = (reason.to_owned(), action.to_owned(), cut(note.into()));
        Self { kind, reason, action, note, related: None, annotations: BTreeMap::new() }
    }

    /// Another object that has to do with it.
    pub fn related<K: Resource<DynamicType = ()>>(self, object: &K) -> Self {
        self.related_reference(reference(object))
    }

    /// [`related`](Self::related), for an object that is known by its reference alone.
    pub fn related_reference(mut self, reference: ObjectReference) -> Self {
        self.related = Some(reference);
        self
    }

    /// An annotation of the event.
    pub fn annotation(mut self, name: &str, value: &str) -> Self {
        self.annotations.insert(name.to_owned(), value.to_owned());
        self
    }
}

/// The reference that an event holds of an object.
#[must_use]
pub fn reference<K: Resource<DynamicType = ()>>(object: &K) -> ObjectReference {
    let meta = object.meta();
    ObjectReference {
        api_version: Some(K::api_version(&()).into_owned()),
        kind: Some(K::kind(&()).into_owned()),
        name: meta.name.clone(),
        namespace: meta.namespace.clone(),
        uid: meta.uid.clone(),
        resource_version: meta.resource_version.clone(),
        field_path: None,
    }
}

/// The note, or as much of it as fits.
pub(super) fn cut(mut note: String) -> String {
    if note.len() > LONGEST_NOTE {
        let fits = LONGEST_NOTE - CUT.len();
        let end = (0..=fits).rev().find(|end| note.is_char_boundary(*end)).unwrap_or_default();
        note.truncate(end);
        note.push_str(CUT);
    }
    note
}
